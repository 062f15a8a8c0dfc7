import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { stagehand } from '../support/fleet-commands.ts';
import { HOUR } from '../support/made-fleet.ts';
import { isAlive } from '../support/processes.ts';
import { configure, eachTestAWorld, idleSession, linesOf, rosterFault, setAge } from '../support/stand-in.ts';
import type { Finished } from '../support/world.ts';

const BIN = join(import.meta.dirname, '..', '..', 'bin');
const world = eachTestAWorld();
const traces = spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0;

interface Signal {
  by: number;
  to: number;
  signal: string;
}

/** Runs a command under strace, its children too, and returns the signals that any of them sent. */
async function traced(words: readonly [string, ...string[]], env: Record<string, string> = {}) {
  const [command, ...args] = words;
  const log = join(world().root, 'strace');
  const calls = 'trace=kill,tkill,tgkill,rt_sigqueueinfo,rt_tgsigqueueinfo,pidfd_send_signal';
  const strace = ['-f', '-qq', '-e', calls, '-e', 'signal=none', '-o', log];
  const done: Finished = await world().run(
    'strace',
    [...strace, process.execPath, join(BIN, `${command}.cjs`), ...args],
    { env, timeout: 120_000 },
  );
  const signals = linesOf(log).map((line): Signal => {
    const hit = /^(\d+) +\w+\((-?\d+), (?:\d+, )?(\w+)/.exec(line);
    if (hit === null) throw new Error(`a line of strace that is not understood: ${line}`);
    return { by: Number(hit[1]), to: Number(hit[2]), signal: String(hit[3]) };
  });
  return { done, signals };
}

/** What was sent to others: a process that ends by a signal sends it to itself once more. */
const sent = (signals: readonly Signal[]) =>
  signals.filter(({ by, to, signal }) => signal !== '0' && by !== to).map(({ to, signal }) => ({ to, signal }));

describe.runIf(traces)('under strace', () => {
  it('a hung roster: the one signal goes to our own reader', async () => {
    configure(world(), { roster: { timeout: '1s' } });
    const { pane, sid } = await silentSession();
    rosterFault(world(), { mode: 'hang' });
    const pids = join(world().root, 'reader');
    const FLEET_CLAUDE = stagehand(world(), 'noting-claude', `echo $$ > '${pids}'\nexec claude "$@"`);
    const { done, signals } = await traced(['session-exit', sid], { FLEET_CLAUDE });
    expect(done, done.stderr).toMatchObject({ code: 69 });
    // It also shows that the trace sees what is sent.
    expect(sent(signals)).toEqual([{ to: Number(linesOf(pids)[0]), signal: 'SIGTERM' }]);
    expect(isAlive(pane.pid)).toBe(true);
  });

  it('session-exit of an interactive session sends none', async () => {
    const { pane, sid } = await silentSession();
    const { done, signals } = await traced(['session-exit', sid]);
    expect(done, done.stderr).toMatchObject({ code: 0 });
    expect(sent(signals)).toEqual([]);
    expect(isAlive(pane.pid)).toBe(false);
  });

  it('session-exit of a background session sends none', async () => {
    const { id } = await world().startBackground({ prompt: 'hi' });
    const { pid = 0 } = await world().answered((row) => row.id === id);
    const { done, signals } = await traced(['session-exit', id]);
    expect(done, done.stderr).toMatchObject({ code: 0 });
    expect(sent(signals)).toEqual([]);
    expect(isAlive(pid)).toBe(false);
  });

  it('session-cap expire sends none', async () => {
    const { pane, sid } = await silentSession();
    const { done, signals } = await traced(['session-cap', 'expire']);
    expect(done, done.stdout + done.stderr).toMatchObject({ code: 0, stdout: expect.stringMatching(`EXPIRE *${sid}`) });
    expect(sent(signals)).toEqual([]);
    expect(isAlive(pane.pid)).toBe(false);
  });
});

/** An idle session whose transcript is three days old. */
async function silentSession() {
  const made = await idleSession(world());
  setAge((await world().transcriptFile(made.sid)) ?? '', 72 * HOUR);
  return made;
}
