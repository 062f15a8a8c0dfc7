import type { Context } from '../../context.ts';
import { type AnsweredDecision, type AnsweredTask, decideAnswer } from '../../decide/sweep/answer.ts';
import { LATCHES } from '../../decide/task-change.ts';
import { messageOf } from '../../errors.ts';
import { isRecord } from '../../record.ts';
import { beginExecution, type Decision, endExecution, readDecisions, stateOf } from '../../store/decisions.ts';
import { type SweepMemory, writeSweepMemory } from '../../store/sweep-memory.ts';
import { readTask, writeTask } from '../../store/task-files.ts';
import { appendEvent, taskFolder } from '../../store/task-folder.ts';
import { type Task, TERMINAL_STATES } from '../../store/task-schema.ts';
import { sendMessage } from '../send-message.ts';
import { restartWatcher } from '../watcher/restart.ts';
import { BY, isoNow, type Outcome } from './deed.ts';

const WAIT_MS = 20_000;

/**
 * Executes what people have answered since the last sweep: each once. That it begins is written before, that it ended after;
 * what it does to a task carries the decision's id in the same write, so a sweep that was ended in between is found out.
 */
export async function executeAnswers(context: Context, memory: SweepMemory): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const decision of readDecisions(context.places).decisions) {
    const state = stateOf(decision);
    if (state !== 'answered' && state !== 'executing') continue;
    try {
      outcomes.push(await execute(context, memory, decision));
    } catch (error) {
      const words = messageOf(error);
      outcomes.push({ task: decision.task, rule: 'answer', kind: decision.kind, result: 'failed', words });
    }
  }
  return outcomes;
}

async function execute(context: Context, memory: SweepMemory, decision: Decision): Promise<Outcome> {
  const { places } = context;
  const { id, answer } = decision;
  const option = decision.options.find((one) => one.id === answer?.option);
  await beginExecution(places, id);
  const asked: AnsweredDecision = {
    id,
    kind: decision.kind,
    action: option?.action ?? '',
    task: decision.task,
    subject: decision.subject ?? {},
  };
  const end = async (verdict: 'done' | 'moved-on' | 'failed', words: string): Promise<Outcome> => {
    await endExecution(places, id, { verdict, words });
    return { task: decision.task, rule: 'answer', kind: asked.action, result: verdict, words: `${id}: ${words}` };
  };
  const read = decision.task === undefined ? undefined : readTask(places.tasksDir, decision.task);
  if (read !== undefined && !('task' in read)) throw new Error(`task ${read.name} can’t be read: ${read.problem}`);
  const verdict = decideAnswer(asked, read === undefined ? undefined : answeredTask(read.task));
  if (verdict.kind === 'nothing') return end('done', `${option?.label ?? 'answered'}: nothing is to be done`);
  if (verdict.kind === 'done-before') return end('done', option?.does ?? '');
  if (verdict.kind === 'moved-on') return end('moved-on', `not done: the task has moved on: ${verdict.why}`);
  if (verdict.kind === 'unknown-action') return end('failed', `not done: this version knows no ${asked.action}`);
  const failed = await act(context, memory, decision, asked);
  return failed === undefined ? end('done', option?.does ?? '') : end(failed.verdict, failed.words);
}

/** Does it; returns why it could not be done. */
async function act(
  context: Context,
  memory: SweepMemory,
  decision: Decision,
  { action, task, subject, id }: AnsweredDecision,
): Promise<NotDone | undefined> {
  if (action === 'tell-driver') return tellDriver(context, decision);
  if (task === undefined) {
    // Both forget that it was asked; a person who says that a mass reading is right also lifts it for these tasks.
    memory.alarm = undefined;
    if (action === 'clear-breaker' && Array.isArray(subject.tasks)) {
      memory.cleared = [...new Set([...memory.cleared, ...subject.tasks.filter((name) => typeof name === 'string')])];
    }
    writeSweepMemory(context.places, memory);
    return undefined;
  }
  // Starting it twice is starting it once, so it is done before it is written down.
  if (action === 'restart-watcher') await restartWatcher(context, task);
  let moved: NotDone | undefined;
  await writeTask(context.places.tasksDir, task, (document, now) => {
    const again =
      now === undefined
        ? undefined
        : decideAnswer({ id, kind: decision.kind, action, task, subject }, answeredTask(now));
    if (now === undefined || again?.kind !== 'execute') {
      moved = { verdict: 'moved-on', words: 'not done: the task has moved on' };
      return;
    }
    CHANGES[action]?.(document, now, subject);
    document.answered = { id, at: isoNow() };
  });
  if (moved !== undefined) return moved;
  appendEvent(taskFolder(context.places, task), BY, 'answered', {
    decision: id,
    action,
    answeredBy: decision.answer?.by ?? null,
  });
  return undefined;
}

interface NotDone {
  verdict: 'moved-on' | 'failed';
  words: string;
}

type Change = (document: Record<string, unknown>, task: Task, subject: AnsweredDecision['subject']) => void;

const CHANGES: Readonly<Record<string, Change>> = {
  'revive-once-more': (document) => {
    document.state = 'working';
    document.stateChangedAt = isoNow();
    for (const latch of LATCHES) delete document[latch];
    document.driverRespawnTimes = [];
  },
  'ask-again': (document) => {
    for (const field of ['exitAskedAt', 'exitAsk', 'exitRequestedAt', 'exitRequests', 'exitGaveUpAt'])
      delete document[field];
  },
  'look-again': (document, { alarms }, { alarm }) => {
    if (alarm === 'driver-start-stuck') forgetMeetings(document);
    const { [String(alarm)]: _seen, ...rest } = (alarms ?? {}) as Record<string, unknown>;
    document.alarms = rest;
  },
  'lift-hold': (document) => {
    document.holdLiftedAt = isoNow();
  },
  park: (document) => {
    document.state = 'parked';
    document.stateChangedAt = isoNow();
  },
};

/** A stuck start is met again, as if for the first time. */
function forgetMeetings({ spawnIntent }: Record<string, unknown>): void {
  if (isRecord(spawnIntent)) delete spawnIntent.met;
}

/** Sends an answer to the Driver of the task that it was asked for. Its id makes a second attempt send nothing twice. */
async function tellDriver(context: Context, decision: Decision): Promise<NotDone | undefined> {
  const read = readTask(context.places.tasksDir, decision.task ?? '');
  const sid = read !== undefined && 'task' in read ? read.task.driverSid : undefined;
  if (sid === undefined) return { verdict: 'failed', words: 'not sent: the task has no Driver' };
  const { answer, options, id, title } = decision;
  const option = options.find((one) => one.id === answer?.option);
  const note = answer?.note === undefined ? '' : `\nNote: ${answer.note}`;
  const body = `Your question “${title}” (${id}) was answered by ${answer?.by ?? 'a person'}: ${option?.id} – ${option?.label}${note}`;
  const sent = await sendMessage(
    context,
    sid,
    { id: `answer-${id}`, body, from: BY },
    { waitMs: WAIT_MS, socketOnly: false, dryRun: false },
  );
  // Not now is not never: the next sweep tries again.
  if (sent.verdict === 'delivered' || sent.verdict === 'queued') return undefined;
  throw new Error(`not sent yet: ${sent.words}`);
}

function answeredTask(task: Task): AnsweredTask {
  const alarms = Object.entries(task.alarms ?? {}).map(([kind, alarm]) => {
    const { about } = (alarm ?? {}) as { about?: unknown };
    return [kind, typeof about === 'string' ? about : undefined] as const;
  });
  return {
    state: task.state,
    terminal: TERMINAL_STATES.has(task.state),
    driverSid: task.driverSid,
    gaveUp: task.exitGaveUpAt !== undefined,
    lastAnswered: task.answered?.id,
    alarms: Object.fromEntries(alarms),
  };
}
