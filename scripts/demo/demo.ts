// The main job, on a private fleet: see it, cap it, and let a session leave. Nothing of the caller's is touched.
import { claudeOnPath } from '../../test/support/backend-path.ts';
import { endsTurn } from '../../test/support/claude-files.ts';
import { fleet } from '../../test/support/fleet-commands.ts';
import { type Pane, World } from '../../test/support/world.ts';

const say = (text: string) => process.stdout.write(`${text}\n`);
const heading = (text: string) => say(`\n\x1b[1m${text}\x1b[0m`);

const found = claudeOnPath();
const world = await World.create({ kind: found === undefined ? 'sim' : 'path' });
// The demo's numbers are small, whatever machine it runs on.
const CAP = ['--max', '4', '--memory-floor', '0%'];

const cwd = await world.folder('project');

try {
  const version = (await world.claude(['--version'])).stdout.trim();
  heading(
    found === undefined
      ? 'No claude on PATH: this is its stand-in.'
      : `The claude on PATH (${version}), with a stub for the service.`,
  );
  heading('Three sessions: two in tmux panes, one in the background.');
  const writer = await world.startInteractive({ name: 'writer', prompt: 'write the report', cwd });
  const asker = await world.startInteractive({
    name: 'asker',
    prompt: 'CALL:Bash:{"command":"touch approved","description":"d"}END',
    args: ['--permission-mode', 'manual'],
    cwd,
  });
  await show(
    'session-cap',
    'run',
    ...CAP,
    '--for',
    'nightly',
    '--',
    'claude',
    '--bg',
    '--name',
    'nightly',
    'check the nightly build',
  );
  const writerId = await idleId(writer);
  const nightly = await world.row(({ name, pid }) => name === 'nightly' && pid !== undefined, { status: 'idle' });
  const asking = await world.row(asker, { status: 'waiting' });

  heading('See it.');
  await show('session-cap', 'status', ...CAP);

  heading('Cap it: one slot is left, so of two starts one is refused, and nobody who runs is touched.');
  await show('session-cap', 'admit', ...CAP, '--for', 'first');
  await show('session-cap', 'admit', ...CAP, '--for', 'second');
  await show('session-cap', 'log');

  heading('Let one leave: its transcript is flushed, it can be resumed.');
  await show('session-exit', writerId);
  await show('session-exit', nightly.id ?? '');

  heading('One that waits for a person is left alone: /exit and Enter would approve its command.');
  await show('session-exit', asking.sessionId ?? '');

  heading('Its person says no to the command (Esc). What is left:');
  await world.keys(asker, 'Escape');
  await world.row(asker, { status: 'idle' });
  await show('session-cap', 'status', ...CAP);
} finally {
  heading('Cleaning up the private fleet.');
  await world.destroy();
}

async function show(command: 'session-cap' | 'session-exit', ...args: string[]): Promise<void> {
  say(`\n$ ${[command, ...args].map((word) => (/\s/.test(word) ? `"${word}"` : word)).join(' ')}`);
  const done = await fleet(world, command, args, {}, cwd);
  process.stdout.write(done.stdout + done.stderr);
  if (done.code !== 0) say(`(exit ${done.code})`);
}

/** The id of a session whose first turn is over. */
async function idleId(pane: Pane): Promise<string> {
  const { sessionId = '' } = await world.row(pane);
  await world.until(async () => (await world.transcript(sessionId)).some(endsTurn), { what: 'the first answer' });
  await world.row(pane, { status: 'idle' });
  return sessionId;
}
