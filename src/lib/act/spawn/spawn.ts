import { dirname } from 'node:path';
import type { Context } from '../../context.ts';
import type { SpawnKind } from '../../decide/spawn-plan.ts';
import { boundedRun, failureOf, type RunOutcome } from '../../observe/bounded-run.ts';
import { readPanes, runTmux } from '../../observe/tmux.ts';
import { tmuxSockets } from '../../observe/tmux-sockets.ts';
import { makeFolder } from '../../store/make-folder.ts';
import { safeText } from '../../words/safe-text.ts';
import { RESERVATION_VARIABLE } from '../census.ts';
import { launcherArgv, SESSION_VARIABLES } from './launcher.ts';

/** All that a spawn needs; decided and written down before. */
export interface Spawn {
  kind: SpawnKind;
  /** claude and its words, without the prompt. */
  words: readonly string[];
  /** The file whose content is the prompt. */
  promptFile: string;
  cwd: string;
  /** Interactive: the tmux session's name, which no other session may have. */
  tmuxSession: string;
  /** The slot it was admitted to. */
  token: string;
  /** How long the session may take to appear. */
  waitMs: number;
}

export type Spawned =
  | { ok: true; shortId: string | undefined; said: string }
  /** `doubtful`: it was not heard to its end, so something may have been started. */
  | { ok: false; why: string; doubtful: boolean };

/** How long claude --bg may take to say that it has started something: as long as its session may, within these bounds. */
const SPAWN_MS = { least: 10_000, most: 60_000 };

/** Starts a session. It is not yet known to run, nor to have taken its prompt. */
export async function spawnSession(context: Context, spawn: Spawn): Promise<Spawned> {
  return spawn.kind === 'interactive' ? spawnInPane(context, spawn) : spawnInBackground(context, spawn);
}

async function spawnInBackground({ env }: Context, spawn: Spawn): Promise<Spawned> {
  const [program = '', ...args] = launcherArgv(spawn.promptFile, spawn.words);
  const clean = Object.fromEntries(Object.entries(env).filter(([name]) => !SESSION_VARIABLES.includes(name as never)));
  const outcome = await boundedRun(program, args, {
    timeoutMs: Math.min(SPAWN_MS.most, Math.max(SPAWN_MS.least, spawn.waitMs)),
    cwd: spawn.cwd,
    env: { ...clean, [RESERVATION_VARIABLE]: spawn.token },
  });
  const failure = failureOf(outcome, 'claude --bg');
  if (outcome.kind !== 'ended' || failure !== undefined)
    return {
      ok: false,
      why: withWords(failure, outcome),
      doubtful: outcome.kind === 'timeout' || outcome.kind === 'too-much',
    };
  const shortId = /backgrounded\s+·\s+([0-9a-f]{6,16})\b/.exec(outcome.stdout)?.[1];
  return { ok: true, shortId, said: safeText(outcome.stderr.trim(), 400) };
}

async function spawnInPane({ env }: Context, spawn: Spawn): Promise<Spawned> {
  const [socket = ''] = tmuxSockets(env, []);
  const argv = launcherArgv(spawn.promptFile, spawn.words);
  const target = `=${spawn.tmuxSession}:`;
  const words = [
    ...[
      'new-session',
      '-d',
      '-P',
      '-F',
      '#{pane_id}',
      '-s',
      spawn.tmuxSession,
      '-c',
      spawn.cwd,
      '-x',
      '200',
      '-y',
      '50',
    ],
    ...['-e', `${RESERVATION_VARIABLE}=${spawn.token}`],
    // A tmux server hands on the environment it was started in, and this fleet's sessions belong to this config directory.
    ...(env.CLAUDE_CONFIG_DIR ? ['-e', `CLAUDE_CONFIG_DIR=${env.CLAUDE_CONFIG_DIR}`] : []),
    ...['--', ...argv.map(escapeSeparator)],
    // Marked as the fleet's, and kept when it ends, so that what a failed start said can be read.
    ...[';', 'set-option', '-t', target, '@session-fleet', 'driver'],
    ...[';', 'set-option', '-w', '-t', target, 'remain-on-exit', 'on'],
  ];
  // Named by its path, tmux does not make its own folder (and ends with 0 all the same).
  makeFolder(dirname(socket), 0o700);
  const outcome = await runTmuxServer(env, socket, words);
  const failure = failureOf(outcome, 'tmux new-session');
  if (failure === undefined && outcome.kind === 'ended' && /^%\d+$/m.test(outcome.stdout))
    return { ok: true, shortId: undefined, said: '' };
  return {
    ok: false,
    why: withWords(failure ?? 'tmux new-session made no pane', outcome),
    doubtful: outcome.kind === 'timeout' || outcome.kind === 'too-much',
  };
}

/**
 * A tmux server that a systemd unit starts first dies with that unit, and every session in it. So where there is none
 * yet and we run in a unit, it is started in a scope of its own, if systemd can do that here.
 */
async function runTmuxServer(env: Context['env'], socket: string, words: string[]): Promise<RunOutcome> {
  const { TMUX, TMUX_PANE, ...clean } = env;
  if (env.INVOCATION_ID) {
    const panes = await readPanes(env, socket);
    if (panes.ok && panes.value.length === 0) {
      const scoped = [
        '--user',
        '--scope',
        '--quiet',
        '--collect',
        '--',
        env.FLEET_TMUX || 'tmux',
        '-u',
        '-S',
        socket,
        ...words,
      ];
      const outcome = await boundedRun('systemd-run', scoped, { timeoutMs: 20_000, env: clean });
      if (outcome.kind === 'ended' && outcome.code === 0) return outcome;
    }
  }
  return runTmux(env, socket, words);
}

/** tmux reads a word that ends in `;` as the end of a command. */
function escapeSeparator(word: string): string {
  return word.endsWith(';') ? `${word.slice(0, -1)}\\;` : word;
}

function withWords(failure: string | undefined, outcome: RunOutcome): string {
  const said = outcome.kind === 'ended' ? safeText((outcome.stderr || outcome.stdout).trim(), 300) : '';
  return said === '' ? String(failure) : `${failure}: ${said}`;
}
