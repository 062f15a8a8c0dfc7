import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { writeDecision } from '../../src/lib/store/decision-files.ts';
import { placesOf } from '../../src/lib/store/places.ts';
import { run, tempFolder } from '../support/script.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const COMPLETIONS = join(ROOT, 'completions');
const SID = '7b6a75ce-4d13-4fd3-9f0a-03291e1657ff';
const OTHER = 'a45baa2f-4d13-4fd3-9f0a-03291e1657ff';
const ACTIONS = ['admit', 'expire', 'log', 'reap', 'release', 'report', 'run', 'sample', 'status'];

const folder = tempFolder();
afterAll(folder.remove);

/** A session-cap that answers as the real one does, with names that could spoil the answer. */
beforeAll(() => {
  const sessions = [
    { sessionId: SID, name: 'a, b {"sessionId":"no"} c' },
    { sessionId: null, name: 'unlisted' },
    { sessionId: OTHER, name: 'b' },
  ];
  const document = {
    schema: 's',
    sessions,
    reservations: [
      { token: 'tok-1', for: 'x,y' },
      { token: 'tok-2', for: '' },
    ],
  };
  for (const name of ['session-cap', 'session-exit']) {
    const file = join(folder.path, name);
    writeFileSync(file, `#!/bin/sh\n[ "$*" = 'status --json' ] && echo '${JSON.stringify(document)}'\n`);
    chmodSync(file, 0o755);
  }
  writeFileSync(join(folder.path, 'page.html'), '');
  mkdirSync(join(folder.path, 'home'));
  const places = placesOf({ HOME: join(folder.path, 'home') });
  const at = new Date().toISOString();
  // What it says looks like a line of the file that stands for an answer.
  const options = ['revive-once-more', 'leave-parked'].map((id) => ({ id, label: '"id": "no"', action: 'none' }));
  writeDecision(places, 'd00000001', { id: 'd00000001', title: '\n  "answer": {', options });
  for (const task of ['payments', 'refunds']) mkdirSync(join(places.tasksDir, task), { recursive: true });
  mkdirSync(join(places.ownDir, 'lanes'), { recursive: true });
  writeFileSync(join(places.ownDir, 'lanes', 'review.json'), '{}');
  writeDecision(places, 'd00000002', { id: 'd00000002', answer: { option: 'x', at, by: 'me' } });
  writeDecision(places, 'd00000003', { id: 'd00000003', closed: { at, reason: 'over' } });
  writeDecision(places, 'd1000000f', { id: 'd1000000f', raisedAgain: 2 });
  for (const name of ['ledger.lock.1', 'd00000004.json.tmp-x', 'archive'])
    mkdirSync(join(places.ownDir, 'decisions', name));
});

const env = () => ({
  PATH: `${folder.path}:${process.env.PATH}`,
  HOME: join(folder.path, 'home'),
  LANG: 'C.UTF-8',
  TERM: 'dumb',
});
const installed = (shell: string) => spawnSync(shell, ['--version']).error === undefined;
const wordsOf = (text: string) => text.split('\n').filter(Boolean).sort();

/** The cases that hold for every shell: words before the cursor, of which the last is being typed → what must be offered. */
const CASES: readonly [string[], string[]][] = [
  [['session-cap', ''], ACTIONS],
  [
    ['session-cap', 're'],
    ['reap', 'release', 'report'],
  ],
  [['session-cap', 'expire', '--a'], ['--allow-mass']],
  [
    ['session-cap', 'status', '--m'],
    ['--max', '--memory-floor'],
  ],
  [
    ['session-cap', 'release', ''],
    ['tok-1', 'tok-2'],
  ],
  [['session-cap', 'report', '--html', 'pa'], ['page.html']],
  [
    ['session-exit', ''],
    [SID, OTHER],
  ],
  [['session-exit', '7b'], [SID]],
  [['session-exit', '--d'], ['--dry-run']],
  [
    ['decision-ledger', 'show', ''],
    ['d00000001', 'd00000002', 'd00000003', 'd1000000f'],
  ],
  [['decision-ledger', 'show', 'd1'], ['d1000000f']],
  // Only what can be answered.
  [
    ['decision-ledger', 'answer', ''],
    ['d00000001', 'd1000000f'],
  ],
  [['decision-ledger', 'answer', '--n'], ['--note']],
  // Each word by its place: the options of the decision that was named, and nothing behind them.
  [
    ['decision-ledger', 'answer', 'd00000001', ''],
    ['leave-parked', 'revive-once-more'],
  ],
  [['decision-ledger', 'answer', 'd00000001', 'l'], ['leave-parked']],
  [['decision-ledger', 'answer', '../../x', ''], []],
  [['decision-ledger', 'answer', 'd00000001', 'leave-parked', ''], []],
  [['decision-ledger', 'show', 'd00000001', ''], []],
  [
    ['task-file', 'show', ''],
    ['payments', 'refunds'],
  ],
  [['task-file', 'set', 'payments', 'state=a'], ['state=awaiting-human']],
  [
    ['task-file', 'list', '--state', 'a'],
    ['abandoned', 'awaiting-human'],
  ],
  [
    ['supervisor-sweep', 'payments', ''],
    ['payments', 'refunds'],
  ],
  [
    ['watcher-doctor', '--checkin-text', ''],
    ['payments', 'refunds'],
  ],
  [
    ['fleet-schedule', 'install', '--target', ''],
    ['cron', 'launchd', 'systemd'],
  ],
  [['lane-nudge', 'stop', ''], ['review']],
  [['lane-nudge', 'arm', 'x', '--sid', '7'], [SID]],
];

const COMMANDS = [...new Set(CASES.map(([[command = '']]) => command))];

describe('bash', () => {
  /** Sources both files and drives the function that is registered for the command, as readline does. */
  async function offers(words: readonly string[], sources = COMMANDS.map((name) => `${name}.bash`)) {
    const script = `
for file in ${sources.join(' ')}; do source '${COMPLETIONS}'/$file || exit 9; done
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
[[ $(complete -p "$1") =~ -F\\ ([^ ]+) ]] || exit 8
"\${BASH_REMATCH[1]}" "$1" "\${COMP_WORDS[COMP_CWORD]}" "\${COMP_WORDS[COMP_CWORD-1]}"
printf '%s\\n' "\${COMPREPLY[@]}"`;
    const cd = `cd '${folder.path}'\n`;
    const done = await run('bash', ['--norc', '-c', cd + script, 'bash', ...words], env());
    expect(done).toMatchObject({ code: 0, stderr: '' });
    return wordsOf(done.stdout);
  }

  it.each(CASES)('%j → %j', async (words, offered) => {
    const found = (await offers(words)).filter((word) => !(words.length === 2 && word.startsWith('--') && !words[1]));
    expect(found).toEqual([...offered].sort());
  });

  it('sourced in the other order, or twice, is the same', async () => {
    for (const sources of [
      ['session-exit.bash', 'session-cap.bash'],
      ['session-cap.bash', 'session-exit.bash', 'session-cap.bash'],
    ]) {
      expect(await offers(['session-exit', '7b'], sources)).toEqual([SID]);
      expect(await offers(['session-cap', 'release', ''], sources)).toEqual(['tok-1', 'tok-2']);
    }
  });

  it('offers commands after run, and nothing where a value is wanted', async () => {
    expect(await offers(['session-cap', 'run', 'session-ex'])).toContain('session-exit');
    expect(await offers(['session-cap', 'admit', '--for', ''])).toEqual([]);
  });

  it('says nothing when session-cap fails', async () => {
    writeFileSync(join(folder.path, 'home', 'x'), '');
    const done = await run(
      'bash',
      [
        '--norc',
        '-c',
        `session-cap() { echo boom >&2; return 69; }; source '${COMPLETIONS}/session-exit.bash'; COMP_WORDS=(session-exit ''); COMP_CWORD=1; _session_exit; echo "<\${COMPREPLY[*]}>"`,
      ],
      env(),
    );
    expect(done).toMatchObject({ code: 0, stdout: '<>\n', stderr: '' });
  });
});

describe.skipIf(!installed('fish'))('fish', () => {
  async function offers(words: readonly string[]) {
    const script = `for file in ${COMMANDS.join(' ')}; source '${COMPLETIONS}'/$file.fish; end; cd '${folder.path}'; complete -C '${words.join(' ')}'`;
    const done = await run('fish', ['--no-config', '-c', script], env());
    expect(done).toMatchObject({ code: 0, stderr: '' });
    return wordsOf(done.stdout).map((line) => String(line.split('\t')[0]));
  }

  it.each(CASES)('%j → %j', async (words, offered) => {
    expect(await offers(words)).toEqual([...offered].sort());
  });
});

describe.skipIf(!installed('zsh'))('zsh', () => {
  /** Completes in a shell of its own behind zsh's pseudo-terminal, with the match list as the only thing that is shown. */
  async function offers(words: readonly string[]) {
    const script = `
zmodload zsh/zpty
zpty shell zsh -f -i
send() { zpty -w shell "$1"; }
send "PROMPT= RPROMPT=; fpath=('${COMPLETIONS}' $"'fpath); autoload -Uz compinit; compinit -u -D; cd ${JSON.stringify(folder.path)}'
send "zstyle ':completion:*' list-colors 'no='; zstyle ':completion:*' verbose no; unsetopt list_packed; LISTMAX=0; COLUMNS=60"
send 'show() { compstate[insert]=; compstate[list]=; print -r -- "<$compstate[nmatches]>"; }'
send 'offered() { local -a found; compadd() { [[ $* == *-[OAD]* ]] && { builtin compadd "$@"; return }; builtin compadd -A more "$@"; found+=($more); builtin compadd "$@" }; _main_complete; unfunction compadd; print -rl -- BEGIN $found END; compstate[insert]=; compstate[list]= }'
send 'zle -C offered complete-word offered; bindkey "^X" offered'
send 'print -r -- REA""DY'
zpty -r shell out '*READY*'
zpty -n -w shell ${JSON.stringify(words.join(' '))}$'\\C-x'
zpty -r shell out '*END*'
print -r -- "$out"
zpty -d shell`;
    const done = await run('zsh', ['-f', '-c', script], env());
    const list = /BEGIN\r?\n([\s\S]*?)END/.exec(done.stdout)?.[1] ?? `nothing: ${done.stdout}${done.stderr}`;
    return [...new Set(wordsOf(list.replaceAll('\r', '')))];
  }

  it.each(CASES)('%j → %j', async (words, offered) => {
    // Where no word is wanted any more, zsh offers the options.
    const found = (await offers(words)).filter((word) => offered.length > 0 || !word.startsWith('--'));
    expect(found).toEqual([...offered].sort());
  });
});

describe.skipIf(spawnSync('mandoc', ['-T', 'lint', '/dev/null']).error !== undefined)('the man pages', () => {
  it.each(readdirSync(join(ROOT, 'man')))('%s: mandoc has nothing to say', async (name) => {
    const done = await run('mandoc', ['-T', 'lint', '-W', 'warning', join(ROOT, 'man', name)]);
    expect(done).toMatchObject({ code: 0, stdout: '', stderr: '' });
  });
});
