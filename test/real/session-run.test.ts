import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { documentOf, fleet, stagehand } from '../support/fleet-commands.ts';
import { makeTask } from '../support/made-fleet.ts';
import { isAlive } from '../support/processes.ts';
import { eachTestAWorld, fileText, ownFile } from '../support/stand-in.ts';

const world = eachTestAWorld();
const BIN = join(import.meta.dirname, '..', '..', 'bin');
const claim = (args: readonly string[], env: Record<string, string> = {}) => fleet(world(), 'task-claim', args, env);
const result = () => JSON.parse(readFileSync(join(world().root, 'result.json'), 'utf8'));

/** Runs a shell line under session-run; `$claim` is task-claim, `$run` the launcher. */
const run = (options: readonly string[], line: string, env: Record<string, string> = {}) =>
  fleet(world(), 'session-run', ['--result', join(world().root, 'result.json'), ...options, '--', 'bash', '-c', line], {
    claim: `${process.execPath} ${BIN}/task-claim.cjs`,
    run: `${process.execPath} ${BIN}/session-run.cjs`,
    ...env,
  });

async function ends(): Promise<Record<string, string>> {
  const { claims } = documentOf(await claim(['list', '--all', '--json'])) as {
    claims: { key: string; generation: number; state: string; reason: string | null }[];
  };
  return Object.fromEntries(claims.map(({ key, state, reason }) => [key, `${state} ${reason ?? ''}`.trim()]));
}

describe('the cases of the source document', () => {
  it('timeout without pre-claim abandons the sidecar’s claim', async () => {
    makeTask(world(), 'a6', { state: 'done' });
    const done = await run(['--timeout', '1s'], '$claim acquire cascade:task:a6 && exec sleep 60');
    expect(done.code).toBe(124);
    expect(await ends()).toEqual({ 'cascade:task:a6': 'abandoned timeout' });
    expect(result()).toMatchObject({
      exit_clean: false,
      reason: 'timeout',
      raw_exit_code: 124,
      task_claim_finalization_summary: { total: 1, abandoned: 1, completed: 0 },
    });
  });

  it('review-ready hand-off without pre-claim completes it', async () => {
    makeTask(world(), 'a6', { state: 'working' });
    const task = `${process.execPath} ${BIN}/task-file.cjs`;
    const done = await run([], '$claim acquire cascade:task:a6 && $task set a6 state=ready_for_review', { task });
    expect(done, done.stderr).toMatchObject({ code: 0 });
    expect(await ends()).toEqual({ 'cascade:task:a6': 'completed task-ready_for_review' });
    expect(result()).toMatchObject({ exit_clean: true, reason: 'exit-clean', raw_exit_code: 0 });
  });

  it('pre-claim, premature complete, reopened, in-session reclaim, timeout: the live lease is abandoned, not the old one', async () => {
    makeTask(world(), 'b', { state: 'working' });
    const line = '$claim complete cascade:task:b && $claim acquire cascade:task:b && exec sleep 60';
    expect((await run(['--timeout', '2s', '--preclaim', 'cascade:task:b'], line)).code).toBe(124);
    expect(await ends()).toEqual({ 'cascade:task:b': 'abandoned timeout' });
    const { claims } = result().task_claim_finalization_summary as { claims: { generation: number; result: string }[] };
    expect(claims.map(({ generation, result: one }) => [generation, one])).toEqual([
      [1, 'lost'],
      [2, 'done'],
    ]);
  });

  it('HEAD advance alone abandons', async () => {
    makeTask(world(), 'c', { state: 'working' });
    const git = 'git init -q . && git -c user.name=a -c user.email=a@b commit -q --allow-empty -m x';
    const done = await run([], `cd $(mktemp -d) && $claim acquire cascade:task:c && ${git}`);
    expect(done, done.stderr).toMatchObject({ code: 0 });
    expect(await ends()).toEqual({ 'cascade:task:c': 'abandoned task-working' });
  });

  it('systemd’s Result=success with raw exit 124 abandons', async () => {
    makeTask(world(), 'd', { state: 'done' });
    const sidecar = join(world().root, 'claims.jsonl');
    writeFileSync(sidecar, '');
    await claim(['acquire', 'cascade:task:d', '--pid', String(process.pid)], { SESSION_TASK_CLAIMS_FILE: sidecar });
    const env = { SERVICE_RESULT: 'success', EXIT_CODE: 'exited', EXIT_STATUS: '124' };
    expect(await claim(['finalize', '--exit-code', '124', '--sidecar', sidecar], env)).toMatchObject({ code: 0 });
    expect(await ends()).toEqual({ 'cascade:task:d': 'abandoned timeout' });
  });
});

describe('as a launcher', () => {
  it('returns the command’s own code, and writes the result though nothing was claimed', async () => {
    for (const [line, code] of [
      ['exit 0', 0],
      ['exit 3', 3],
      ['kill -9 $$', 137],
    ] as const) {
      expect((await run([], line)).code, line).toBe(code);
      expect(result()).toMatchObject({ raw_exit_code: code, exit_clean: code === 0 });
      expect(result().task_claim_finalization_summary).toMatchObject({ total: 0 });
    }
    expect(await fleet(world(), 'session-run', ['--', 'no-such-command-here'])).toMatchObject({ code: 127 });
    writeFileSync(join(world().root, 'plain'), '');
    expect(await fleet(world(), 'session-run', ['--', join(world().root, 'plain')])).toMatchObject({ code: 126 });
    expect(existsSync(ownFile(world(), 'claims/runs'))).toBe(true);
    expect(spawnSync('ls', [ownFile(world(), 'claims/runs')], { encoding: 'utf8' }).stdout).toBe('');
  });

  it('keeps standard input and the terminal', async () => {
    const line = `printf hello | ${process.execPath} ${BIN}/session-run.cjs -- cat`;
    expect((await world().run('bash', ['-c', line])).stdout).toBe('hello');
    const pane = await world().tmux.start(['bash', '--norc', '--noprofile'], {
      name: 'tty',
      cwd: world().root,
      env: { RUN: `${process.execPath} ${BIN}/session-run.cjs` },
    });
    await world().submit(pane, `$RUN -- bash -c 'test -t 0 && test -t 1 && echo a t''ty; read x; echo got $x'`);
    await world().shows(pane, 'a tty');
    await world().submit(pane, 'typed words');
    await world().shows(pane, 'got typed words');
  });

  it.each(['TERM', 'INT', 'HUP'])('passes SIG%s on, waits, and finalizes', async (signal) => {
    makeTask(world(), 's', { state: 'done' });
    const seen = join(world().root, 'seen');
    const line = `trap 'echo got > ${seen}; exit 9' ${signal}; $claim acquire cascade:task:s; echo $PPID > ${seen}.pid; while :; do sleep 0.1; done`;
    const running = run([], line);
    const pid = Number(await fileText(`${seen}.pid`));
    await world().run('kill', [`-${signal}`, String(pid)]);
    expect((await running).code).toBe(9);
    expect(readFileSync(seen, 'utf8')).toBe('got\n');
    expect(await ends()).toEqual({ 'cascade:task:s': `abandoned stopped-sig${signal.toLowerCase()}` });
  });

  it('killed itself, its command goes on and keeps its claim; the next reap after that finalizes it', async () => {
    makeTask(world(), 'k', { state: 'done' });
    const file = join(world().root, 'pids');
    const line = `$claim acquire cascade:task:k; echo $PPID $$ > ${file}; exec sleep 600`;
    const running = run([], line);
    const [launcher = 0, child = 0] = (await fileText(file)).trim().split(' ').map(Number);
    await world().run('kill', ['-9', String(launcher)]);
    await running;
    expect(isAlive(child)).toBe(true);
    expect(documentOf(await claim(['reap', '--json']))).toMatchObject({ runs: [], leases: [] });
    expect(await claim(['acquire', 'cascade:task:k', '--pid', String(process.pid)])).toMatchObject({ code: 75 });
    await world().run('kill', [String(child)]);
    await world().until(() => !isAlive(child), { what: 'the command to be gone' });
    expect(documentOf(await claim(['reap', '--json', '--dry-run']))).toMatchObject({ runs: [{ summary: null }] });
    const reaped = documentOf(await claim(['reap', '--json']));
    expect(reaped).toMatchObject({ runs: [{ summary: { total: 1, abandoned: 1 } }], leases: [] });
    expect(await ends()).toEqual({ 'cascade:task:k': 'abandoned launcher-lost' });
    expect(documentOf(await claim(['reap', '--json']))).toMatchObject({ runs: [], leases: [] });
  });

  it('renews its claims while it runs', async () => {
    await run(
      ['--preclaim', 'k', '--ttl', '1s'],
      'sleep 2.5; $claim list --json > ${0%/*}/dev/null; $claim list --json',
    );
    const { claims } = documentOf(await claim(['list', '--all', '--json'])) as {
      claims: { acquiredAt: string; renewedAt: string }[];
    };
    const [one] = claims;
    expect(Date.parse(one?.renewedAt ?? '') - Date.parse(one?.acquiredAt ?? '')).toBeGreaterThan(900);
  });

  it('a pre-claim that somebody else has: exit 75, and the command is not run', async () => {
    await claim(['acquire', 'k', '--pid', String(process.pid)]);
    const done = await run(['--preclaim', 'k'], 'touch ran');
    expect(done).toMatchObject({ code: 75, stderr: expect.stringContaining('held by') });
    expect(existsSync(join(world().root, 'ran'))).toBe(false);
  });

  it('a database that is broken: a pre-claim is not run; without one it runs, and its claims wait for a reap', async () => {
    mkdirSync(ownFile(world(), ''), { recursive: true });
    writeFileSync(ownFile(world(), 'claims.db'), 'no database '.repeat(500));
    expect(await run(['--preclaim', 'k'], 'touch ran')).toMatchObject({
      code: 65,
      stderr: expect.stringContaining('claims.db'),
    });
    rmSync(ownFile(world(), 'claims.db'));
    const line = `$claim acquire k; for f in ${ownFile(world(), 'claims.db')}*; do printf 'no database' > $f; done; exit 4`;
    const done = await run([], line);
    expect(done).toMatchObject({ code: 4, stderr: expect.stringContaining('task-claim reap will') });
    expect(result().task_claim_finalization_problem).toContain('claims.db');
    expect(spawnSync('ls', [ownFile(world(), 'claims/runs')], { encoding: 'utf8' }).stdout).not.toBe('');
  });

  it('a result that can’t be written is said, and changes no code', async () => {
    const done = await fleet(world(), 'session-run', ['--result', `${world().root}/fleet.json/x`, '--', 'true']);
    expect(done).toMatchObject({ code: 0, stderr: expect.stringContaining('fleet.json/x') });
  });
});

describe('the sidecar', () => {
  it('a torn last line, duplicates and a lease that somebody has by now: the rest is finalized, and it is said', async () => {
    makeTask(world(), 'a', { state: 'done' });
    const steal = `$claim acquire stolen --ttl 1s --pid $$; sleep 1.2; SESSION_TASK_CLAIMS_FILE= $claim acquire stolen --pid ${process.pid}`;
    const line = `$claim acquire cascade:task:a; cat $SESSION_TASK_CLAIMS_FILE >> $SESSION_TASK_CLAIMS_FILE.2; cat $SESSION_TASK_CLAIMS_FILE.2 >> $SESSION_TASK_CLAIMS_FILE; ${steal}; printf '{"key":"to' >> $SESSION_TASK_CLAIMS_FILE`;
    const done = await run([], line);
    expect(done.stderr).toMatch(/1 lines of the sidecar were no claims\n.*stolen: somebody else’s by now, left alone/s);
    expect(await ends()).toMatchObject({ 'cascade:task:a': 'completed task-done', stolen: 'held' });
  });

  it('of ten thousand lines is finalized in one call', async () => {
    const sidecar = join(world().root, 'many.jsonl');
    const lines = Array.from({ length: 10_000 }, (_, at) => JSON.stringify({ key: `k${at}`, generation: 1 }));
    writeFileSync(sidecar, `${lines.join('\n')}\n`);
    await claim(['acquire', 'k77', '--pid', String(process.pid)]);
    const done = documentOf(await claim(['finalize', '--exit-code', '1', '--sidecar', sidecar, '--json']));
    expect(done).toMatchObject({ total: 10_000, abandoned: 1, skipped: 9999 });
  });

  it('that is not there has no claims; one that can’t be written leaves nothing held', async () => {
    expect(await claim(['finalize', '--exit-code', '0', '--sidecar', '/nowhere'])).toMatchObject({ code: 0 });
    const target = join(world().root, 'precious');
    writeFileSync(target, 'precious');
    symlinkSync(target, join(world().root, 'link'));
    for (const file of ['/nowhere/x', join(world().root, 'link'), world().root]) {
      const done = await claim(['acquire', 'k', '--pid', String(process.pid)], { SESSION_TASK_CLAIMS_FILE: file });
      expect([done.code, (await ends()).k], file).toEqual([73, 'abandoned sidecar-unwritable']);
    }
    expect(readFileSync(target, 'utf8')).toBe('precious');
    expect(await claim(['finalize', '--exit-code', '0', '--sidecar', join(world().root, 'link')])).toMatchObject({
      code: 65,
    });
  });

  it('of a run is the one in its own folder, whatever its record says', async () => {
    const outside = join(world().root, 'outside.jsonl');
    await claim(['acquire', 'k', '--pid', String(process.pid)]);
    writeFileSync(outside, `${JSON.stringify({ key: 'k', generation: 1 })}\n`);
    const dir = ownFile(world(), 'claims/runs/run-x');
    mkdirSync(dir, { recursive: true });
    const launcher = { pid: 2 ** 22 - 1, procStart: '1' };
    const record = {
      host: (await world().run('hostname')).stdout.trim(),
      boot: 'another',
      launcher,
      sidecar: '../../../../../../../outside.jsonl',
    };
    writeFileSync(join(dir, 'run.json'), JSON.stringify(record));
    mkdirSync(ownFile(world(), 'claims/runs/torn'));
    const reaped = documentOf(await claim(['reap', '--json']));
    expect(reaped).toMatchObject({
      runs: [{ runId: 'run-x', summary: { total: 0 } }],
      bad: [expect.stringContaining('torn')],
    });
    expect(await ends()).toEqual({ k: 'held' });
  });
});

it('fifty processes want one key: one gets it', async () => {
  const holders = await Promise.all(
    Array.from({ length: 50 }, () =>
      claim(['acquire', 'cascade:task:one', '--json', '--pid', String(process.pid), '--quiet']),
    ),
  );
  // All name one holder, so the others are its renewals: no update is lost.
  expect(holders.map(({ code }) => code)).toEqual(Array(50).fill(0));
  const racing = await world().run(
    'bash',
    [
      '-c',
      `for i in $(seq 50); do (${process.execPath} ${BIN}/task-claim.cjs acquire raced --pid $BASHPID >/dev/null 2>&1; echo $?; sleep 3) & done; wait`,
    ],
    { timeout: 120_000 },
  );
  const codes = racing.stdout.trim().split('\n');
  expect(codes.filter((code) => code === '0')).toHaveLength(1);
  expect(codes.filter((code) => code === '75')).toHaveLength(49);
});

const shells = ['bash', 'zsh'].filter((shell) => spawnSync(shell, ['-c', 'true']).status === 0);

it.each(shells)('the three-line trap of a %s script finalizes, under set -euo pipefail', async (shell) => {
  makeTask(world(), 't', { state: 'ready_for_review' });
  const bin = join(world().root, 'path');
  mkdirSync(bin);
  writeFileSync(join(bin, 'task-claim'), `#!/bin/sh\nexec ${process.execPath} ${BIN}/task-claim.cjs "$@"\n`);
  chmodSync(join(bin, 'task-claim'), 0o755);
  const script = join(world().root, 'script');
  const head = [
    'set -euo pipefail',
    'export SESSION_TASK_CLAIMS_FILE=$(mktemp) SESSION_RUN_PID=$$',
    `trap 'task-claim finalize --quiet --exit-code $? --sidecar "$SESSION_TASK_CLAIMS_FILE"; rm -f "$SESSION_TASK_CLAIMS_FILE"' EXIT`,
    'task-claim acquire --quiet "cascade:task:$1"',
  ].join('\n');
  const env = { PATH: `${bin}:${world().env.PATH}` };
  writeFileSync(script, `${head}\ntrue\n`);
  expect(await world().run(shell, [script, 't'], { env })).toMatchObject({ code: 0, stdout: '', stderr: '' });
  expect(await ends()).toEqual({ 'cascade:task:t': 'completed task-ready_for_review' });
  writeFileSync(script, `${head}\nfalse | cat\necho not reached\n`);
  expect(await world().run(shell, [script, 't'], { env })).toMatchObject({ code: 1, stdout: '' });
  expect(await ends()).toEqual({ 'cascade:task:t': 'abandoned exit-1' });
});

it('another tracker’s command says the state; one that fails, hangs on or answers nonsense completes nothing', async () => {
  const answers = { good: 'echo done', bad: 'exit 1', odd: 'echo "not a state!"' };
  for (const [name, script] of Object.entries(answers)) {
    const command = stagehand(world(), `status-${name}`, script);
    const done = await run(['--status-command', command], `$claim acquire cascade:task:${name}`);
    expect(done.code).toBe(0);
  }
  expect(await ends()).toEqual({
    'cascade:task:good': 'completed task-done',
    'cascade:task:bad': 'abandoned task-state-unknown',
    'cascade:task:odd': 'abandoned task-state-unknown',
  });
});

it('only its holder ends a lease; with its generation, whoever has that', async () => {
  const { generation } = documentOf(await claim(['acquire', 'k', '--pid', String(process.pid), '--json']));
  expect(await claim(['complete', 'k', '--pid', '1'])).toMatchObject({ code: 77 });
  expect(await claim(['renew', 'k', '--generation', '9'])).toMatchObject({ code: 77 });
  expect(await claim(['complete', 'nothing'])).toMatchObject({ code: 66 });
  expect(await claim(['acquire', 'k', '--pid', '4194303'])).toMatchObject({ code: 66 });
  expect(await claim(['renew', 'k', '--pid', String(process.pid), '--ttl', '2h'])).toMatchObject({ code: 0 });
  expect(await claim(['abandon', 'k', '--generation', String(generation), '--reason', 'tired'])).toMatchObject({
    code: 0,
  });
  expect(await claim(['abandon', 'k', '--generation', String(generation)])).toMatchObject({
    code: 0,
    stdout: 'k: abandoned before\n',
  });
  expect(await ends()).toEqual({ k: 'abandoned tired' });
  for (const words of [
    ['acquire', 'a b'],
    ['acquire'],
    ['finalize', '--exit-code', '1'],
    ['acquire', 'k', '--ttl', '0s'],
  ])
    expect(await claim(words), words.join(' ')).toMatchObject({ code: 64 });
  appendFileSync(join(world().root, 'fleet.json'), '');
  writeFileSync(join(world().root, 'fleet.json'), JSON.stringify({ claims: { url: 'mysql://x' } }));
  expect(await claim(['list'])).toMatchObject({ code: 78 });
});

const postgres = process.env.SESSION_FLEET_TEST_POSTGRES;

it.runIf(postgres !== undefined)('all of it with PostgreSQL in place of SQLite', async () => {
  writeFileSync(join(world().root, 'fleet.json'), JSON.stringify({ claims: { url: postgres } }));
  const key = `cascade:task:pg-${process.pid}-${Date.now()}`;
  makeTask(world(), key.slice('cascade:task:'.length), { state: 'done' });
  const done = await run(
    ['--preclaim', `${key}-pre`],
    `$claim acquire ${key}; $claim acquire ${key} --pid ${process.pid}; echo $?`,
  );
  expect(done, done.stderr).toMatchObject({ code: 0, stdout: expect.stringMatching(/75\n$/) });
  expect(await ends()).toMatchObject({ [key]: 'completed task-done', [`${key}-pre`]: 'abandoned task-state-unknown' });
  expect(existsSync(ownFile(world(), 'claims.db'))).toBe(false);
  expect(documentOf(await claim(['reap', '--json']))).toMatchObject({ runs: [] });
});
