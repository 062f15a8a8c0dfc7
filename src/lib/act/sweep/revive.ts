import { EXIT, FleetError } from '../../errors.ts';
import { observeAfresh } from '../../observe/fleet.ts';
import { FleetIndex } from '../../observe/sweep/fleet-index.ts';
import { lookForDriver } from '../../observe/sweep/liveness-look.ts';
import { readHeartbeat } from '../../store/heartbeat.ts';
import { readTail } from '../../store/json-lines.ts';
import { readTask } from '../../store/task-files.ts';
import { taskFolder } from '../../store/task-folder.ts';
import { TERMINAL_STATES } from '../../store/task-schema.ts';
import { formatDuration } from '../../words/duration.ts';
import { safeText } from '../../words/safe-text.ts';
import { type KickoffRequest, kickOff, recoverDriver } from '../driver-kickoff.ts';
import { isCalm, revivalBrief, startWords } from '../revival.ts';
import type { DriverOutcome } from '../start-driver.ts';
import { BY, changeTask, type Deed, event, isoNow, type Outcome } from './deed.ts';
import { raiseAlarm } from './raise.ts';

const EVENTS_TAIL = 64 << 10;

/** Does what the revival rule says of a dead Driver: revives it, finds what an interrupted start left, or parks the task. */
export async function revive(deed: Deed): Promise<Outcome> {
  const { kind } = deed.plan.revival;
  if (kind === 'park') return park(deed);
  const request = requestOf(deed);
  try {
    // A first start that was interrupted is carried out: somebody asked for it.
    const { terminal, liveness } = deed.plan.facts;
    if (kind === 'recover' && (deed.task.record.task.driverSid !== undefined || terminal)) {
      return settled(deed, await recoverDriver(deed.context, { ...request, keep: liveness.kind === 'alive' }));
    }
    return settled(deed, await kickOff(deed.context, request));
  } catch (error) {
    if (!(error instanceof FleetError)) throw error;
    return outcome(deed, isCalm(error) ? 'moved-on' : 'failed', error.message);
  }
}

function outcome({ plan }: Deed, result: Outcome['result'], words: string): Outcome {
  return { task: plan.name, rule: 'revival', kind: plan.revival.kind, result, words };
}

function settled(deed: Deed, made: DriverOutcome | undefined): Outcome {
  if (made?.kind === 'started') {
    const { sessionId, pid } = made.started;
    const { counted = false, words: why } = deed.plan.revival;
    event(deed, 'revived', { sid: sessionId, pid, counted, why });
  }
  const { result, words } = startWords(made);
  return outcome(deed, result, words);
}

function requestOf(deed: Deed): KickoffRequest {
  const { context, plan, task } = deed;
  const { record, facts } = task;
  const first = record.task.driverSid === undefined;
  const dead = facts.deadSince === undefined ? '' : ` for ${formatDuration(deed.look.fleet.at - facts.deadSince)}`;
  const because = `Your process had ended${dead}; this revives it.`;
  return {
    task: plan.name,
    by: BY,
    mode: first ? 'fresh' : 'auto',
    brief: first ? undefined : revivalBrief(context, record, because),
    kind: undefined,
    waitMs: context.policy.revive.wait,
    countedRevival: plan.revival.counted ?? false,
    confirm: () => confirmDead(deed),
  };
}

/** All that was read of the death, read again right before the spawn: the watcher or Claude's own daemon may have been faster. */
async function confirmDead({ context, task, plan }: Deed): Promise<void> {
  const { name } = plan;
  const record = readTask(context.places.tasksDir, name);
  if (record === undefined || !('task' in record)) throw new FleetError(EXIT.guard, 'its task file is gone or bad');
  if (TERMINAL_STATES.has(record.task.state)) throw new FleetError(EXIT.guard, `it is ${record.task.state} by now`);
  const before = task.record.task.driverSid;
  if (record.task.driverSid !== before) throw new FleetError(EXIT.guard, 'it has another Driver by now');
  if (before === undefined) return;
  const index = new FleetIndex(await observeAfresh(context, { withPanes: true }));
  const heartbeat = readHeartbeat(taskFolder(context.places, name));
  const liveness = await lookForDriver(
    { task: record.task, heartbeat, claimedBy: () => undefined },
    index,
    context.env,
  );
  if (liveness.kind !== 'absent') throw new FleetError(EXIT.guard, `not dead: ${liveness.words}`);
}

/** Why its last start failed, where one did: some of what is counted are starts that never became a Driver. */
function lastFailure(events: string): string[] {
  const failed = readTail(events, EVENTS_TAIL).records.findLast(({ kind }) => kind === 'spawn-failed');
  return typeof failed?.why === 'string' ? [`its last start failed: ${safeText(failed.why, 200)}`] : [];
}

/** The sixth death in the window: parked for a person, with a question whose answers do something (ADR 0035 decision 11). */
async function park(deed: Deed): Promise<Outcome> {
  const { context, plan, task, look } = deed;
  const { driverSid = '', driverRespawnTimes = [] } = task.record.task;
  await raiseAlarm(context, look.fleet, {
    kind: 'driver-respawn-cap',
    key: `driver-respawn-cap:${plan.name}:${driverRespawnTimes.at(-1) ?? ''}`,
    task: plan.name,
    title: `${plan.name}: its Driver keeps dying`,
    evidence: [
      plan.revival.words,
      ...driverRespawnTimes.slice(-context.policy.revive.max).map((at) => `revived at ${at}`),
      `its last session: ${driverSid}`,
      ...lastFailure(taskFolder(context.places, plan.name).events),
    ],
    options: [
      {
        id: 'revive-once-more',
        label: 'Revive once more',
        does: 'un-parks the task, forgets the revivals counted so far and revives its Driver at the next sweep',
        action: 'revive-once-more',
      },
      { id: 'leave-parked', label: 'Leave it parked', does: 'leaves the task parked', action: 'none' },
    ],
    subject: { state: 'parked', driverSid },
  });
  await changeTask(
    deed,
    (now) => {
      if (TERMINAL_STATES.has(now.state)) return `it is ${now.state}`;
      return now.driverSid === task.record.task.driverSid ? undefined : 'it has another Driver';
    },
    (document) => {
      document.state = 'parked';
      document.stateChangedAt = isoNow();
    },
  );
  event(deed, 'state', { from: plan.facts.state, to: 'parked', reason: 'driver-respawn-cap' });
  return outcome(deed, 'done', `parked: ${plan.revival.words}`);
}
