import { EXIT } from '../../errors.ts';
import { readTranscript } from '../../observe/transcript.ts';
import { isOver, readTasks } from '../../store/task-files.ts';
import type { Task } from '../../store/task-schema.ts';
import { uniqueWord } from '../../words/unique-word.ts';
import { leave } from '../leave.ts';
import { tell } from '../tell.ts';
import { BY, changeTask, type Deed, event, isoNow, type Outcome, stillTerminal } from './deed.ts';
import { raiseAlarm, withdrawAlarm } from './raise.ts';

/** Does the rung of the exit ladder that fires (ADR 0010). Each latch is written before the act it stands for. */
export function climb(deed: Deed): Promise<Outcome> {
  const { kind } = deed.plan.exit;
  if (kind === 'mark-exited') return markExited(deed, 'its session has left');
  if (kind === 'ask') return ask(deed);
  if (kind === 'request') return request(deed);
  return giveUp(deed);
}

function outcome({ plan }: Deed, result: Outcome['result'], words: string): Outcome {
  return { task: plan.name, rule: 'exit-ladder', kind: plan.exit.kind, result, words };
}

/** Why the ladder must not go on for this task; read under its lock. */
function stillLeaving(deed: Deed): (task: Task) => string | undefined {
  const { driverSid } = deed.task.record.task;
  return (task) => {
    if (task.driverSid !== driverSid) return 'it has another Driver';
    if (task.releasedAt === undefined) return 'it is not released';
    return stillTerminal(task) ?? (task.exitedAt === undefined ? undefined : 'its session has left');
  };
}

async function markExited(deed: Deed, words: string): Promise<Outcome> {
  await changeTask(deed, stillLeaving(deed), (document) => {
    document.exitedAt = isoNow();
    delete document.deadSince;
  });
  event(deed, 'exited', { words });
  await withdrawAlarm(deed.context, `session-will-not-exit:${deed.plan.name}`, 'its session has left');
  return outcome(deed, 'done', words);
}

async function ask(deed: Deed): Promise<Outcome> {
  const { context, plan, task } = deed;
  const record = await changeTask(deed, stillLeaving(deed), (document, now) => {
    if (now.exitAsk?.pending) return;
    document.exitAskedAt = isoNow();
    document.exitAsk = { messageId: `leave-${uniqueWord()}`, pending: true };
  });
  const { driverSid = '', exitAsk } = record.task;
  const id = exitAsk?.messageId ?? `leave-${uniqueWord()}`;
  const body = [
    `Task ${plan.name} is ${plan.facts.state} and released, and you have been silent since. Your session is asked to leave soon;`,
    'the conversation stays resumable. If something is not written down yet, write it now. If you still need the session, say',
    `so to the person who runs this fleet, or take the task up again: task-file set or task-file unpark ${plan.name}.`,
    'Else there is nothing to do, and no answer is needed.',
  ].join('\n');
  const sent = await tell(context, driverSid, { id, body, from: BY });
  await changeTask(
    deed,
    () => undefined,
    (document, now) => {
      if (now.exitAsk?.messageId === id) document.exitAsk = { ...now.exitAsk, pending: false, verdict: sent.verdict };
    },
  );
  event(deed, 'exit-asked', { messageId: id, verdict: sent.verdict, words: sent.words });
  const delivered = sent.exitCode === EXIT.done;
  return outcome({ ...deed, task }, delivered ? 'done' : 'refused', `asked: ${sent.verdict}: ${sent.words}`);
}

async function request(deed: Deed): Promise<Outcome> {
  const { context, plan } = deed;
  const late = lateDoubt(deed);
  if (late !== undefined) return outcome(deed, 'moved-on', late);
  const record = await changeTask(deed, stillLeaving(deed), (document, now) => {
    document.exitRequests = (now.exitRequests ?? 0) + 1;
    document.exitRequestedAt = isoNow();
  });
  const { driverSid = '', exitRequests } = record.task;
  event(deed, 'exit-requested', { request: exitRequests });
  const left = await leave(context, driverSid, { waitMs: context.policy.exit.wait, dryRun: false });
  event(deed, 'exit-answered', {
    request: exitRequests,
    verdict: left.verdict,
    words: left.words,
    resume: left.resume,
  });
  if (left.verdict === 'left' || left.verdict === 'no-such-session') {
    return markExited(
      { ...deed, plan: { ...plan, exit: { ...plan.exit, kind: 'request' } } },
      `${left.words}; ${left.resume}`,
    );
  }
  const result = left.verdict === 'still-running' ? 'failed' : 'refused';
  return outcome(deed, result, `request ${exitRequests}: ${left.words}`);
}

/** What the ladder decided on and session-exit does not read: silence, the queue, and other tasks; read again now. */
function lateDoubt({ context, task, plan }: Deed): string | undefined {
  const { places } = context;
  const { driverSid, cwd } = task.record.task;
  if (driverSid === undefined) return 'it has no Driver';
  const before = task.facts.session?.silence;
  const now = readTranscript(places.claudeDir, driverSid, task.session?.cwd ?? cwd);
  if (now.kind !== 'found') return 'its transcript can’t be read any more';
  if (before?.ok !== true || Date.now() - now.lastWriteMs < before.idleMs) return 'its transcript has been written to';
  if (now.queued !== 0) return 'its inbox is not drained';
  const open = readTasks(places.tasksDir, isOver);
  const names = ({ text }: { text: string | undefined }) => text === undefined || text.includes(driverSid);
  const bad = open.bad.find(names);
  if (bad !== undefined) return `task ${bad.name} can’t be read, and may name this session`;
  const other = open.tasks.find(
    ({ name, task: one }) =>
      name !== plan.name && [one.driverSid, one.workerSid, one.spawnIntent?.sid].includes(driverSid),
  );
  return other === undefined ? undefined : `task ${other.name} is open and names this session`;
}

async function giveUp(deed: Deed): Promise<Outcome> {
  const { plan, task } = deed;
  const { driverSid = '' } = task.record.task;
  await raiseAlarm(deed.context, deed.look.fleet, {
    kind: 'session-will-not-exit',
    key: `session-will-not-exit:${plan.name}`,
    task: plan.name,
    title: `${plan.name}: its session will not leave`,
    evidence: [plan.exit.words, `session ${driverSid} still runs, and is no longer asked`],
    options: [
      { id: 'ask-again', label: 'Ask again', does: 'asks it again, up to three times', action: 'ask-again' },
      { id: 'leave-running', label: 'Leave it running', does: 'leaves it alone for good', action: 'none' },
    ],
    subject: { state: plan.facts.state, driverSid },
  });
  await changeTask(deed, stillLeaving(deed), (document) => {
    document.exitGaveUpAt = isoNow();
  });
  event(deed, 'exit-gave-up', { requests: plan.facts.latches.requests });
  return outcome(deed, 'done', plan.exit.words);
}
