import {
  ApplicationFailure,
  CancellationScope,
  condition,
  continueAsNew,
  defineSignal,
  isCancellation,
  log,
  proxyActivities,
  setHandler,
  uuid4,
  workflowInfo,
} from '@temporalio/workflow';
import { settled } from '../decide/watcher/settle.ts';
import { continued, decideTick, newMemory, type TickDecision, type WatcherMemory } from '../decide/watcher/tick.ts';
import {
  type ActAnswer,
  type ProbeAnswer,
  STOP,
  type WatchEnd,
  type WatcherActivities,
  type WatchStart,
} from './protocol.ts';

// A change here that makes a running watcher decide otherwise on replay breaks it: test/temporal/replay.test.ts replays
// recorded histories. What must differ goes behind patched().

const stopSignal = defineSignal<[string]>(STOP);

/** A worker that died is noticed by this, not by the limit of what it was at. */
const HEARTBEAT_MS = 20_000;
const DAY_MS = 86_400_000;

/**
 * A task's watcher: probe, decide, act, wait, until the task is over, nothing moved for long, waking it was in vain, or somebody
 * stops it. The decision is the embedded engine's own (decide/watcher/tick.ts).
 */
export async function watchTask(watch: WatchStart): Promise<WatchEnd> {
  let stoppedBy: string | undefined;
  setHandler(stopSignal, (by) => {
    stoppedBy ??= by;
  });
  try {
    const end = await watchUntilEnd(watch, () => stoppedBy);
    await close(watch, end);
    if (end.status !== 'FAILED') return end;
    // So that Temporal's own state of it is Failed.
    throw ApplicationFailure.create({ message: end.reason, type: end.status, nonRetryable: true });
  } catch (error) {
    if (!isCancellation(error)) throw error;
    const end: WatchEnd = { status: 'STOPPED', reason: 'its workflow was cancelled' };
    await CancellationScope.nonCancellable(() => close(watch, end));
    throw error;
  }
}

async function watchUntilEnd(watch: WatchStart, stoppedBy: () => string | undefined): Promise<WatchEnd> {
  let { memory } = watch;
  for (;;) {
    const by = stoppedBy();
    if (by !== undefined) return { status: 'STOPPED', reason: `stopped by ${by}` };
    const look = await probe(watch);
    let over = workflowInfo().continueAsNewSuggested;
    if (look !== undefined) {
      const before: WatcherMemory = memory ?? newMemory(look.at, watch.revivals);
      const decision = decideTick(look.facts, before, look.at, watch.policy);
      const { act } = decision;
      if (act.kind === 'close') return { status: act.status, reason: act.reason };
      memory = settled(decision.memory, act, (await perform(watch, look, decision))?.result);
      over ||= act.kind === 'continue-as-new';
      if (over && stoppedBy() === undefined) {
        await continueAsNew<(watch: WatchStart) => Promise<WatchEnd>>({ ...watch, memory: continued(memory, look.at) });
      }
    }
    await condition(() => stoppedBy() !== undefined, watch.interval);
  }
}

/** Undefined when this tick could not even be tried: then nothing is known, and nothing is done. */
async function probe({ task, tasksDir, limits }: WatchStart): Promise<ProbeAnswer | undefined> {
  const { probe: look } = proxyActivities<WatcherActivities>({
    startToCloseTimeout: limits.probe,
    heartbeatTimeout: HEARTBEAT_MS,
    retry: { initialInterval: '1s', maximumAttempts: 3 },
  });
  try {
    return await look({ task, tasksDir });
  } catch (error) {
    if (isCancellation(error)) throw error;
    log.warn('a tick that could not be tried', { task, error });
    return undefined;
  }
}

async function perform(
  watch: WatchStart,
  look: ProbeAnswer,
  { act, words }: TickDecision,
): Promise<ActAnswer | undefined> {
  if (act.kind !== 'revive' && act.kind !== 'recover' && act.kind !== 'nudge') return undefined;
  const { task, tasksDir, limits } = watch;
  // Never tried twice blindly: what a start that was cut short has left is seen by the next tick.
  const start = proxyActivities<WatcherActivities>({
    startToCloseTimeout: limits.start,
    heartbeatTimeout: HEARTBEAT_MS,
    retry: { maximumAttempts: 1 },
    cancellationType: 'WAIT_CANCELLATION_COMPLETED',
  });
  const message = proxyActivities<WatcherActivities>({
    startToCloseTimeout: '2m',
    heartbeatTimeout: HEARTBEAT_MS,
    retry: { initialInterval: '5s', maximumAttempts: 3 },
  });
  try {
    if (act.kind !== 'nudge') return await start[act.kind]({ task, tasksDir });
    return await message.nudge({ task, tasksDir, sid: look.sid ?? '', id: `nudge-${uuid4()}` });
  } catch (error) {
    if (isCancellation(error)) throw error;
    log.warn(`${act.kind} failed: ${words}`, { task, error });
    return { result: 'failed', words: 'the activity failed' };
  }
}

async function close({ task, tasksDir }: WatchStart, end: WatchEnd): Promise<void> {
  const { close: append } = proxyActivities<WatcherActivities>({
    startToCloseTimeout: '30s',
    scheduleToCloseTimeout: DAY_MS,
    retry: { initialInterval: '1s', maximumInterval: '1m' },
  });
  // The first run's id stands for the watcher through all its runs.
  await append({ task, tasksDir, ...end, id: workflowInfo().firstExecutionRunId });
}
