import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fleet } from '../support/fleet-commands.ts';
import { isAlive, signalQuietly } from '../support/processes.ts';
import { eachTestAWorld, fileText, ownFile, statusOf } from '../support/stand-in.ts';

// Spares on: a background session that takes one over has neither the environment nor the words of its launch.
const world = eachTestAWorld({ env: { CLAUDE_SIM_SPARES: '1' } });
const BIN = join(import.meta.dirname, '..', '..', 'bin', 'session-cap.cjs');
const run = (...args: string[]) => fleet(world(), 'session-cap', ['run', ...args]);
const reserved = async () => (await statusOf(world())).reserved;

describe('the command', () => {
  it.each([
    ['exit 0', 0],
    ['exit 3', 3],
    ['exit 75', 75],
    ['kill -TERM $$', 143],
    ['kill -KILL $$', 137],
  ])('%s: its code is returned: %i', async (script, code) => {
    expect(await run('--', 'sh', '-c', script)).toMatchObject({ code, stderr: '' });
  });

  it('is not run in a working folder that is gone', async () => {
    const script = `mkdir gone && cd gone && rmdir ../gone && exec "${process.execPath}" "${BIN}" run -- touch ../ran`;
    const done = await world().run('bash', ['-c', script]);
    expect(done).toMatchObject({ code: 66, stdout: '', stderr: 'session-cap: the working folder is gone\n' });
    expect(existsSync(`${world().root}/ran`)).toBe(false);
    expect(await reserved()).toBe(0);
  });

  it('keeps standard input and output, and its own options', async () => {
    const done = await world().run(process.execPath, [BIN, 'run', '--', 'cat', '-'], { input: 'in and out\n' });
    expect(done).toMatchObject({ code: 0, stdout: 'in and out\n', stderr: '' });
    expect((await run('--', 'echo', '--json', '--for', '-h')).stdout).toBe('--json --for -h\n');
  });

  it('finds its reservation in its environment', async () => {
    const done = await run('--for', 'me', '--', 'sh', '-c', 'echo "$FLEET_RESERVATION"');
    expect(await statusOf(world())).toMatchObject({ reservations: [{ token: done.stdout.trim(), for: 'me' }] });
  });

  it.each([
    ['that is not there', () => 'no-such-command'],
    ['that can’t be executed', () => join(world().root, 'fleet.json')],
  ])('%s: 66, its name, and the slot is given back', async (_, command) => {
    expect(await run('--', command())).toMatchObject({ code: 66, stderr: expect.stringContaining(command()) });
    expect(await reserved()).toBe(0);
  });

  it('is not run at the ceiling: 75', async () => {
    await fleet(world(), 'session-cap', ['admit']);
    const file = join(world().root, 'ran');
    expect(await run('--max', '1', '--', 'touch', file)).toMatchObject({
      code: 75,
      stderr: expect.stringMatching(/not run: 1 of 1/),
    });
    expect(existsSync(file)).toBe(false);
  });
});

describe('the slot', () => {
  it('is given back at once when the command fails', async () => {
    await run('--', 'false');
    expect(await reserved()).toBe(0);
  });

  it('is kept to its ttl for a session that a launcher which ended well may still start', async () => {
    await run('--ttl', '3s', '--', 'true');
    expect(await reserved()).toBe(1);
    await world().until(async () => (await reserved()) === 0, { what: 'the ttl to run out' });
  });

  it('is free at its ttl when `session-cap run` itself is killed, and the command goes on', async () => {
    const pids = join(world().root, 'pids');
    const command = `echo $PPID $$ > '${pids}.new'; mv '${pids}.new' '${pids}'; exec sleep 600`;
    const running = run('--ttl', '4s', '--', 'sh', '-c', command);
    const [runner = 0, child = 0] = (await fileText(pids)).split(' ').map(Number);
    signalQuietly(runner, 'SIGKILL');
    await running;
    expect(isAlive(runner)).toBe(false);
    expect(await reserved()).toBe(1);
    await world().until(async () => (await reserved()) === 0, { what: 'the ttl to run out' });
    expect(isAlive(child)).toBe(true);
  });

  it.each([
    ['without a name', (_: string): string[] => [], (_: string): string[] => []],
    ['under a name', (name: string) => ['--for', name], (name: string) => ['--name', name]],
  ])(
    'of a background session %s is not counted beside it, whether a spare was at hand or not',
    async (_, whom, named) => {
      const cwd = await world().folder();
      for (const [at, name] of ['one', 'two', 'three'].entries()) {
        const words = ['run', ...whom(name), '--', 'claude', '--bg', ...named(name), 'hi'];
        expect(await fleet(world(), 'session-cap', words, {}, cwd)).toMatchObject({ code: 0 });
        await world().until(
          async () => {
            const seen = await statusOf(world());
            return seen.live === at + 1 && seen.reserved === 0;
          },
          {
            what: `${at + 1} live, none reserved`,
            timeout: 6000,
            evidence: async () => JSON.stringify(await statusOf(world())),
          },
        );
      }
    },
  );

  it('that its session has taken is not given away by a look at the fleet from before', async () => {
    const cwd = await world().folder();
    const launch = `claude --bg hi; until claude agents --json | grep -q '"idle"'; do sleep 0.1; done`;
    const words = ['run', '--', 'sh', '-c', launch];
    expect(await fleet(world(), 'session-cap', words, {}, cwd)).toMatchObject({ code: 0 });
    const file = ownFile(world(), 'roster.json');
    const before = JSON.parse(readFileSync(file, 'utf8'));
    writeFileSync(file, JSON.stringify({ ...before, startedAt: Date.now(), rows: [] }));
    expect((await fleet(world(), 'session-cap', ['admit', '--max', '1'])).code).toBe(75);
  });

  it('of two launches under one name is kept until the second session is there too', async () => {
    const admit = (name: string) => fleet(world(), 'session-cap', ['admit', '--for', name, '--ttl', '1h']);
    for (const name of ['same', 'same']) await admit(name);
    for (const left of [1, 0]) {
      const pane = await world().startInteractive({ args: ['--name', 'same'], prompt: 'hi' });
      await world().row(pane, { status: 'idle' });
      // Each admission is a look that ends what has appeared; one may still go by the roster of a moment ago.
      await world().until(
        async () => {
          expect((await admit('other')).code).toBe(0);
          const names = ((await statusOf(world())).reservations as { for: string }[]).map((one) => one.for);
          const same = names.filter((name) => name === 'same').length;
          expect(same).toBeGreaterThanOrEqual(left);
          return same === left;
        },
        { what: `${left} slots of that name`, timeout: 6000 },
      );
    }
  });
});
