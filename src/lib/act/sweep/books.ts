import { alarmsOf } from '../../decide/sweep/alarms.ts';
import type { Task } from '../../store/task-schema.ts';
import { uniqueWord } from '../../words/unique-word.ts';
import { changeTask, type Deed, event, isoNow, type Outcome, stillOpenWith } from './deed.ts';
import { raiseAlarm, withdrawAlarm } from './raise.ts';
import { sendWake } from './wake.ts';

/** Writes down what was read of a Driver: the process it is, since when it is dead. Nothing when the task says so already. */
export async function keepBooks(deed: Deed): Promise<void> {
  const { liveness } = deed.plan.facts;
  const { task } = deed.task.record;
  const seen = liveness.kind === 'alive' ? liveness.session : undefined;
  const startedAt = seen?.startedAt === undefined ? {} : { startedAt: seen.startedAt };
  const driverSeen = seen === undefined ? undefined : { pid: seen.pid, procStart: seen.procStart, ...startedAt };
  const newSeen = driverSeen !== undefined && !sameProcess(task.driverSeen, driverSeen);
  const revived = liveness.kind === 'alive' && task.deadSince !== undefined;
  const since = deed.plan.facts.deadSince;
  const died = liveness.kind === 'absent' && since !== undefined && task.deadSince !== new Date(since).toISOString();
  if (!newSeen && !revived && !died) return;
  await changeTask(
    deed,
    (now) => (now.driverSid === task.driverSid ? undefined : 'it has another Driver'),
    (document) => {
      if (newSeen) document.driverSeen = driverSeen;
      if (revived) delete document.deadSince;
      if (died) document.deadSince = new Date(since).toISOString();
    },
  );
  if (died && task.deadSince === undefined) event(deed, 'driver-dead', { words: liveness.words });
}

function sameProcess(one: Task['driverSeen'], other: { pid: number; procStart: string }): boolean {
  return one?.pid === other.pid && one.procStart === other.procStart;
}

/**
 * Adopts a Driver that lives under an id the task does not know: after /clear (then the check-in is sent, since its board left
 * its context), or revived by the watcher. The id and the message's are written in one step.
 */
export async function adopt(deed: Deed): Promise<Outcome> {
  const { liveness, terminal } = deed.plan.facts;
  if (liveness.kind !== 'adopt') throw new Error('nothing to adopt');
  const { sessionId, session, by, words } = liveness;
  const before = deed.task.record.task.driverSid;
  const tell = by === 'cleared' && !terminal;
  const record = await changeTask(
    deed,
    (now) => (now.driverSid === before ? undefined : 'it has another Driver'),
    (document, now) => {
      document.driverSid = sessionId;
      if (now.workerSid === before && before !== undefined) document.workerSid = sessionId;
      document.driverSeen = { pid: session.pid, procStart: session.procStart };
      delete document.deadSince;
      if (tell) {
        const { step = 0, fingerprint } = now.wake ?? {};
        document.wake = {
          at: isoNow(),
          step,
          messageId: `wake-${uniqueWord()}`,
          pending: true,
          cause: 'cleared',
          ...(fingerprint === undefined ? {} : { fingerprint }),
        };
      }
    },
  );
  event(deed, 'adopted', { sid: sessionId, before: before ?? null, how: by, words });
  const done: Outcome = { task: deed.plan.name, rule: 'liveness', kind: 'adopt', result: 'done', words };
  const { messageId, step = 0 } = record.task.wake ?? {};
  if (!tell || messageId === undefined) return done;
  const sent = await sendWake(deed, messageId, step);
  return { ...done, words: `${words}; ${sent.words}` };
}

/** Raises what the task gives cause for, once while the cause lasts, and withdraws what is over. */
export async function keepAlarms(deed: Deed): Promise<Outcome[]> {
  const { context, plan, task, look } = deed;
  const latched = (task.record.task.alarms ?? {}) as Record<string, { about?: unknown } | undefined>;
  const wanted = alarmsOf(plan, context.policy.wake.quiet);
  const outcomes: Outcome[] = [];
  for (const { kind, about, ...alarm } of wanted) {
    if (latched[kind]?.about === about) continue;
    const { driverSid } = task.record.task;
    const { id } = await raiseAlarm(context, look.fleet, {
      ...alarm,
      kind,
      key: `${kind}:${plan.name}:${about}`,
      task: plan.name,
      subject: { alarm: kind, about, driverSid },
    });
    await changeTask(deed, stillOpenOrOver(deed), (document, now) => {
      document.alarms = { ...now.alarms, [kind]: { about, decision: id, at: isoNow() } };
    });
    outcomes.push({
      task: plan.name,
      rule: 'alarm',
      kind,
      result: 'done',
      words: `asked a person: ${id}: ${alarm.title}`,
    });
  }
  const over = Object.keys(latched).filter(
    (kind) => isOver(deed, kind) && !wanted.some((alarm) => alarm.kind === kind),
  );
  for (const kind of over) {
    await withdrawAlarm(context, `${kind}:${plan.name}:${latched[kind]?.about}`, 'it is over');
    await changeTask(
      deed,
      () => undefined,
      (document, now) => {
        const { [kind]: _over, ...rest } = (now.alarms ?? {}) as Record<string, unknown>;
        document.alarms = rest;
      },
    );
  }
  return outcomes;
}

const stillOpenOrOver = (deed: Deed) => (now: Task) =>
  now.driverSid === deed.task.record.task.driverSid ? undefined : stillOpenWith(deed.task.record.task.driverSid)(now);

/** Whether the readings say that the cause of an alarm is over; what can't be read ends nothing. */
function isOver({ plan }: Deed, kind: string): boolean {
  const { kind: reading } = plan.facts.liveness;
  if (kind === 'watcher-closed-while-open') return plan.mirror.failure === undefined;
  if (kind === 'driver-start-stuck') return reading !== 'unknown';
  if (kind === 'twins' || kind === 'driver-blocked') return reading === 'alive' || reading === 'absent';
  if (kind === 'driver-waits') return plan.facts.session !== undefined && plan.facts.session.status !== 'waiting';
  if (kind === 'driver-hold') return plan.wake.kind === 'wake' || plan.revival.kind === 'revive' || plan.facts.terminal;
  return false;
}
