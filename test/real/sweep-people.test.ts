import { expect, it } from 'vitest';
import { documentOf, fleet } from '../support/fleet-commands.ts';
import { isAlive } from '../support/processes.ts';
import { eachTestAWorld } from '../support/stand-in.ts';
import {
  editTask,
  eventsOf,
  liveRows,
  setPolicy,
  startDriver,
  sweep,
  sweepOf,
  sweepUntil,
  taskOf,
} from '../support/supervised.ts';

const world = eachTestAWorld();

async function openDecision(task: string) {
  const { decisions } = documentOf(await fleet(world(), 'decision-ledger', ['list', '--json'])) as {
    decisions: { id: string; kind: string; task: string | null }[];
  };
  const found = decisions.find((one) => one.task === task);
  if (found === undefined) throw new Error(`no decision about ${task}`);
  return found;
}

/** Messages of a session that hold a text. */
async function told(sessionId: string, text: string): Promise<number> {
  const lines = await world().transcript(sessionId);
  return lines.filter((line) => line.type === 'user' && JSON.stringify(line).includes(text)).length;
}

it('a session that will not leave is requested three times, given up once, and asked again when a person says so', async () => {
  setPolicy(world(), { exit: { settle: '0s', quiet: '1s', askWait: '1s', requestGap: '0s', wait: '5s' } });
  await sweep(world());
  const { sessionId, pid } = await startDriver(world(), 'stays', 'interactive');
  await fleet(world(), 'task-file', ['finish', 'stays', '--without-board']);
  await sweepUntil(world(), 'stays', 'exit-ladder ask done');
  const panes = (await world().run('tmux', ['list-panes', '-a', '-F', '#{pane_id} #{pane_pid}'])).stdout.split('\n');
  const pane = panes.find((line) => line.endsWith(` ${pid}`))?.split(' ')[0] ?? '';
  await world().run('tmux', ['send-keys', '-t', pane, '-l', 'my draft']);
  for (let at = 0; at < 3; at++) await sweepUntil(world(), 'stays', 'exit-ladder request refused');
  await sweepUntil(world(), 'stays', 'exit-ladder give-up done');
  expect(taskOf(world(), 'stays')).toMatchObject({ exitRequests: 3, exitGaveUpAt: expect.any(String) });
  expect(taskOf(world(), 'stays')).not.toHaveProperty('exitedAt');
  expect(isAlive(pid)).toBe(true);
  expect((await world().run('tmux', ['capture-pane', '-p', '-t', pane])).stdout).toContain('my draft');
  const asked = await openDecision('stays');
  expect(asked.kind).toBe('session-will-not-exit');
  for (let at = 0; at < 2; at++)
    expect((await sweepOf(world(), 'stays')).verdicts['exit-ladder']).toMatchObject({ kind: 'gave-up' });
  await world().run('tmux', ['send-keys', '-t', pane, 'C-u']);
  await fleet(world(), 'decision-ledger', ['answer', asked.id, 'ask-again']);
  await sweepUntil(world(), 'stays', 'exit-ladder request done');
  expect(await liveRows(world(), sessionId)).toEqual([]);
  expect(taskOf(world(), 'stays')).toMatchObject({ exitRequests: 1, exitedAt: expect.any(String) });
  expect(eventsOf(world(), 'stays').filter((event) => event.endsWith(' exit-gave-up'))).toHaveLength(1);
});

it('a session that left by itself gets exitedAt; the question about it is withdrawn', async () => {
  setPolicy(world());
  await sweep(world());
  const { sessionId } = await startDriver(world(), 'left', 'background');
  await fleet(world(), 'task-file', ['finish', 'left', '--without-board']);
  await sweepOf(world(), 'left');
  editTask(world(), 'left', {
    exitAskedAt: new Date().toISOString(),
    exitRequests: 3,
    exitRequestedAt: '2026-01-01T00:00:00Z',
  });
  await sweepUntil(world(), 'left', 'exit-ladder give-up done');
  expect(await fleet(world(), 'session-exit', [sessionId])).toMatchObject({ code: 0 });
  await sweepUntil(world(), 'left', 'exit-ladder mark-exited done');
  expect(taskOf(world(), 'left')).toMatchObject({ exitedAt: expect.any(String), exitGaveUpAt: expect.any(String) });
  await expect(openDecision('left')).rejects.toThrow('no decision');
});

it('an open task that names the session too protects it', async () => {
  setPolicy(world());
  await sweep(world());
  const { sessionId } = await startDriver(world(), 'one', 'background');
  await fleet(world(), 'task-file', ['new', 'two', '--cwd', world().root]);
  editTask(world(), 'two', { workerSid: sessionId });
  await fleet(world(), 'task-file', ['finish', 'one', '--without-board']);
  await sweepOf(world(), 'one');
  expect((await sweepOf(world(), 'one')).verdicts['exit-ladder']).toMatchObject({ kind: 'protected', fires: false });
});

it('the Architect is told what a person is asked, and the ledger says whom it reached', async () => {
  setPolicy(world(), { architect: { name: 'architect' }, wake: { quiet: '1s', steps: ['1h'] } });
  await sweep(world());
  const { id } = await world().startBackground({ prompt: 'hi', name: 'architect' });
  const architect = await world().answered((row) => row.id === id);
  await startDriver(world(), 'closed', 'background');
  await fleet(world(), 'task-watcher', ['stop', 'closed']);
  expect((await sweepOf(world(), 'closed')).outcomes).toContain('alarm watcher-closed-while-open done');
  const asked = await openDecision('closed');
  await world().until(async () => (await told(architect.sessionId ?? '', asked.id)) === 1, { what: 'the message' });
  expect((await fleet(world(), 'decision-ledger', ['show', asked.id])).stdout).toContain(architect.sessionId);
});

it('an answer to a question that a Driver raised is told to it, once', async () => {
  setPolicy(world(), { wake: { quiet: '1h' } });
  await sweep(world());
  const { sessionId } = await startDriver(world(), 'asks', 'background');
  const words = ['raise', '--title', 'Which colour?', '--task', 'asks', '--option', 'red=Red', '--option', 'blue=Blue'];
  expect(await fleet(world(), 'decision-ledger', words)).toMatchObject({ code: 0 });
  const { id } = await openDecision('asks');
  await fleet(world(), 'decision-ledger', ['answer', id, 'blue', '--note', 'like the sky']);
  expect((await sweepOf(world(), 'asks')).outcomes).toContain('answer tell-driver done');
  await sweepOf(world(), 'asks');
  expect(await told(sessionId, 'was answered by')).toBe(1);
  expect(await told(sessionId, 'like the sky')).toBe(1);
});
