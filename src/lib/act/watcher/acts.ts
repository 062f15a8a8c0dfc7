import type { Context } from '../../context.ts';
import { EXIT, FleetError, isFleetError, messageOf } from '../../errors.ts';
import { observeAfresh } from '../../observe/fleet.ts';
import { FleetIndex } from '../../observe/sweep/fleet-index.ts';
import { lookForTick } from '../../observe/watcher-look.ts';
import { readTail } from '../../store/json-lines.ts';
import { readTask, type TaskRecord } from '../../store/task-files.ts';
import { appendEvent, taskFolder } from '../../store/task-folder.ts';
import { type KickoffRequest, kickOff, recoverDriver } from '../driver-kickoff.ts';
import { isCalm, revivalBrief, startWords } from '../revival.ts';
import { sendMessage } from '../send-message.ts';
import type { DriverOutcome } from '../start-driver.ts';
import { checkinOf } from '../sweep/checkin.ts';

/** As whom a watcher signs. */
export const WATCHER = 'task-watcher';

/** What came of an act of a watcher. `sid`: whose Driver it is now; older versions of Claude Code mint a new one. */
export interface ActOutcome {
  result: 'done' | 'failed' | 'refused' | 'moved-on';
  words: string;
  sid?: string | undefined;
}

const NUDGE_WAIT_MS = 20_000;

/**
 * Revives a dead Driver by resuming its conversation. All that was read of the death is read again right before the spawn, so
 * one that the Supervisor or Claude's own daemon has brought back meanwhile is left alone.
 */
export async function reviveDriver(context: Context, task: string): Promise<ActOutcome> {
  const record = recordOf(context, task);
  if (record === undefined) return { result: 'moved-on', words: 'the task is gone, or can’t be read' };
  return outcomeFrom(() => kickOff(context, requestFor(context, record)));
}

/** Finds what an interrupted start has left; a first start is carried out, since somebody asked for it. */
export async function recoverStartOf(context: Context, task: string): Promise<ActOutcome> {
  const record = recordOf(context, task);
  if (record === undefined) return { result: 'moved-on', words: 'the task is gone, or can’t be read' };
  const request = requestFor(context, record);
  return outcomeFrom(async () => {
    if (record.task.driverSid === undefined) return kickOff(context, { ...request, mode: 'fresh', brief: undefined });
    return recoverDriver(context, { ...request, keep: true });
  });
}

async function outcomeFrom(work: () => Promise<DriverOutcome | undefined>): Promise<ActOutcome> {
  try {
    const made = await work();
    const sid = made?.kind === 'started' ? made.started.sessionId : undefined;
    return { ...startWords(made), ...(sid === undefined ? {} : { sid }) };
  } catch (error) {
    if (!isFleetError(error)) return { result: 'failed', words: messageOf(error) };
    // Nothing was started, since nobody could tell what is so: the next tick may.
    if (error.exitCode === EXIT.unreadable) return { result: 'refused', words: error.message };
    return { result: isCalm(error) ? 'moved-on' : 'failed', words: error.message };
  }
}

function requestFor(context: Context, record: TaskRecord): KickoffRequest {
  return {
    task: record.name,
    by: WATCHER,
    mode: 'auto',
    brief: revivalBrief(context, record, 'Your process had ended; this revives it.'),
    kind: undefined,
    waitMs: context.policy.revive.wait,
    confirm: async () => {
      const index = new FleetIndex(await observeAfresh(context, { withPanes: true }));
      const { facts } = await lookForTick(context, index, record.name);
      if (facts.terminal || facts.gone) throw new FleetError(EXIT.guard, 'the task is over by now');
      if (record.task.driverSid !== undefined && (facts.liveness.kind !== 'absent' || facts.byName)) {
        throw new FleetError(EXIT.guard, `not dead: ${facts.liveness.words}`);
      }
    },
  };
}

/** The one wake of a wedged turn: it is queued behind the turn, and shows its session that somebody waits. */
export async function nudge(context: Context, task: string, sid: string, id: string): Promise<ActOutcome> {
  const record = recordOf(context, task);
  if (record === undefined) return { result: 'moved-on', words: 'the task is gone, or can’t be read' };
  const body = checkinOf(
    context,
    record,
    'Your turn has run for long, and nothing was written meanwhile: it may be stuck.',
  );
  const sent = await sendMessage(
    context,
    sid,
    { id, body, from: WATCHER },
    {
      waitMs: NUDGE_WAIT_MS,
      socketOnly: true,
      dryRun: false,
      refuse: ({ status }) => (status === 'busy' ? undefined : `its status is ${status ?? 'not known'} by now`),
    },
  );
  appendEvent(taskFolder(context.places, task), WATCHER, 'nudged', { messageId: id, verdict: sent.verdict });
  return { result: sent.exitCode === EXIT.done ? 'done' : 'refused', words: `${sent.verdict}: ${sent.words}` };
}

/** Writes a watcher's end into the task's events, once: `id` tells one end from the next. */
export function appendClosed(
  { places }: Context,
  task: string,
  { id, status, reason }: { id: string; status: string; reason: string },
): void {
  const folder = taskFolder(places, task);
  const there = readTail(folder.events, 256 << 10).records;
  if (there.some((record) => record.kind === 'closed' && record.closeId === id)) return;
  appendEvent(folder, WATCHER, 'closed', { status, reason, closeId: id });
}

function recordOf({ places }: Context, task: string): TaskRecord | undefined {
  const read = readTask(places.tasksDir, task);
  return read !== undefined && 'task' in read ? read : undefined;
}
