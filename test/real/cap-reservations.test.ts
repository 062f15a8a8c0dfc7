import { expect, it } from 'vitest';
import { fleet } from '../support/fleet-commands.ts';
import { eachTestAWorld, rosterOf, sleepers, statusOf } from '../support/stand-in.ts';
import type { World } from '../support/world.ts';

// Spares on: they must not be counted.
const world = eachTestAWorld({ env: { CLAUDE_SIM_SPARES: '1' } });
const admit = async (...args: string[]) => (await fleet(world(), 'session-cap', ['admit', ...args])).stdout.trim();
const BIN = new URL('../../bin/session-cap.cjs', import.meta.url).pathname;

/** Waits until the fleet is counted so, and checks that no moment of it counted a session twice. */
async function settles(at: World, wanted: Record<string, unknown>, most: number): Promise<void> {
  await at.until(
    async () => {
      const seen = await statusOf(at);
      expect(Number(seen.counted)).toBeLessThanOrEqual(most);
      return Object.entries(wanted).every(([name, value]) => seen[name] === value);
    },
    { what: JSON.stringify(wanted), evidence: async () => JSON.stringify(await statusOf(at)) },
  );
}

it('a session under the announced name ends the reservation; a stranger’s does not', async () => {
  await admit('--for', 'nightly');
  const stranger = await world().startInteractive({ args: ['--name', 'other'], prompt: 'hi' });
  await world().row(stranger, { status: 'idle' });
  await settles(world(), { live: 1, reserved: 1, counted: 2 }, 2);
  const own = await world().startInteractive({ args: ['--name', 'nightly'], prompt: 'hi' });
  await world().row(own, { status: 'idle' });
  await settles(world(), { live: 2, reserved: 0, counted: 2 }, 3);
});

it('a session of that name that was there before does not end it', async () => {
  const pane = await world().startInteractive({ args: ['--name', 'nightly'], prompt: 'hi' });
  await world().row(pane, { status: 'idle' });
  await admit('--for', 'nightly');
  expect(await statusOf(world())).toMatchObject({ live: 1, reserved: 1 });
});

it('a session with FLEET_RESERVATION ends its own reservation and no other of the same name', async () => {
  const first = await admit('--for', 'twin');
  const second = await admit('--for', 'twin');
  const pane = await world().startInteractive({
    args: ['--name', 'twin'],
    env: { FLEET_RESERVATION: second },
    prompt: 'hi',
  });
  await world().row(pane, { status: 'idle' });
  await settles(world(), { live: 1, reserved: 1 }, 3);
  expect(await statusOf(world())).toMatchObject({ reservations: [{ token: first, for: 'twin' }] });
});

it('a session that `run` started, however deep and without the variable, ends it', async () => {
  const cwd = await world().folder();
  const command = 'env -u FLEET_RESERVATION claude hi; true';
  const argv = [process.execPath, BIN, 'run', '--', 'bash', '-c', command];
  const pane = await world().tmux.start(argv, { name: 'run', cwd });
  await world().row((row) => row.cwd === cwd, { status: 'idle' });
  await settles(world(), { live: 1, reserved: 0, counted: 1 }, 1);
  expect(await world().tmux.value(pane, 'pane_dead')).toBe('0');
});

it('a session on the trust dialog counts as one, by its reservation and then by itself', async () => {
  const token = await admit('--for', 'new');
  const cwd = await world().folder(undefined, { trusted: false });
  const pane = await world().startInteractive({ cwd, env: { FLEET_RESERVATION: token } });
  await world().shows(pane, /No, exit/);
  await settles(world(), { live: 0, unlisted: 1, reserved: 0, counted: 1 }, 2);
});

it('daemon, pty hosts and spares do not count, and their memory is shown', async () => {
  const { id } = await world().startBackground({ prompt: 'hi' });
  await world().row((row) => row.id === id, { status: 'idle' });
  await settles(world(), { live: 1, unlisted: 0, counted: 1 }, 2);
  const { helpers } = await statusOf(world());
  expect(helpers).toMatchObject({ roles: { daemon: 1, 'pty-host': 2, spare: 1 } });
  expect((helpers as { rssBytes: number }).rssBytes).toBeGreaterThan(50e6);
});

it('of 96 rows, of which 28 have a live process, 28 are live', async () => {
  const live = sleepers(world(), 28);
  const dead = [2 ** 22 + 7, 2 ** 22 + 9];
  const rows = Array.from({ length: 96 }, (_, at) => ({
    id: at.toString(16).padStart(8, '0'),
    kind: 'background',
    sessionId: `${at.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`,
    startedAt: 1,
    cwd: '/',
    state: at % 2 ? 'working' : 'stopped',
    ...(at < 28 ? { pid: live[at], status: 'idle' } : at < 30 ? { pid: dead[at - 28] } : {}),
  }));
  rosterOf(world(), rows);
  expect(await statusOf(world(), '--max', '28')).toMatchObject({ live: 28, deadRows: 68, counted: 28, admits: false });
  expect(await statusOf(world(), '--max', '29')).toMatchObject({ admits: true });
});
