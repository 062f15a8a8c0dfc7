import { EXIT } from '../../errors.ts';
import { readTask } from '../../store/task-files.ts';
import { uniqueWord } from '../../words/unique-word.ts';
import { tell } from '../tell.ts';
import { checkinOf } from './checkin.ts';
import { BY, changeTask, type Deed, event, isoNow, type Outcome, stillOpenWith } from './deed.ts';

/** Why the next wake comes, as its text says it. */
const QUIET = 'You have been quiet, and so have your sub-agents.';
const CLEARED = 'Your context was cleared, so here is what you drive.';

/**
 * Wakes a Driver: the wake is written down with its message's id, then sent, then what came of it is written. Ended in
 * between, the next sweep sends it again under that id, and what was delivered already is not sent twice.
 */
export async function wake(deed: Deed): Promise<Outcome> {
  const { plan, task } = deed;
  const { kind, step = 1 } = plan.wake;
  const { driverSid } = task.record.task;
  const authored = plan.facts.authored;
  const record = await changeTask(
    deed,
    (now) => {
      const other = stillOpenWith(driverSid)(now);
      if (other !== undefined) return other;
      return now.state === 'awaiting-human' ? 'a person owes the next move' : undefined;
    },
    (document, { wake: last }) => {
      if (kind === 'resend') return;
      const fingerprint = authored ?? last?.fingerprint;
      document.wake = {
        at: isoNow(),
        step,
        messageId: `wake-${uniqueWord()}`,
        pending: true,
        ...(fingerprint === undefined ? {} : { fingerprint }),
      };
    },
  );
  return sendWake(deed, record.task.wake?.messageId ?? `wake-${uniqueWord()}`, step);
}

/** Sends the wake that the task has written down. */
export async function sendWake({ context, task, plan }: Deed, id: string, step: number): Promise<Outcome> {
  const { name } = task.record;
  const fresh = readTask(context.places.tasksDir, name);
  const record = fresh !== undefined && 'task' in fresh ? fresh : task.record;
  const sid = record.task.driverSid ?? '';
  const because = record.task.wake?.cause === 'cleared' ? CLEARED : QUIET;
  const body = checkinOf(context, record, because);
  const sent = await tell(context, sid, { id, body, from: BY });
  const words = `wake ${step}: ${sent.verdict}: ${sent.words}`;
  await changeTask(
    { context, task },
    () => undefined,
    (document, { wake: last }) => {
      if (last?.messageId !== id) return;
      document.wake = { ...last, pending: false, verdict: sent.verdict };
    },
  );
  event({ context, task }, 'woken', { step, messageId: id, verdict: sent.verdict, words: sent.words });
  const result = sent.exitCode === EXIT.done ? 'done' : 'refused';
  return { task: name, rule: 'wake', kind: plan.wake.kind, result, words };
}
