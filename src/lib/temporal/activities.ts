import { existsSync } from 'node:fs';
import type { Context as ActivityContext } from '@temporalio/activity';
import { type ActOutcome, appendClosed, nudge, recoverStartOf, reviveDriver } from '../act/watcher/acts.ts';
import { probe } from '../act/watcher/probe.ts';
import type { Context } from '../context.ts';
import { observeAfresh } from '../observe/fleet.ts';
import { FleetIndex } from '../observe/sweep/fleet-index.ts';
import { taskFolder } from '../store/task-folder.ts';
import type { ActAnswer, WatcherActivities } from './protocol.ts';
import type { Say } from './say.ts';
import { SharedLook } from './shared-look.ts';

/** Watchers that tick within this share one look at the fleet. */
const LOOK_MAX_AGE_MS = 5000;
const BEAT_MS = 5000;
/** Drivers that are started at once: a session takes a core and hundreds of MB while it starts. */
const STARTS_AT_ONCE = 2;

/** What a worker does for its watchers, and says. `current` is the activity that is being done. */
export function watcherActivities(context: Context, current: () => ActivityContext, say: Say): WatcherActivities {
  const looks = new SharedLook(
    async () => new FleetIndex(await observeAfresh(context, { withPanes: true })),
    LOOK_MAX_AGE_MS,
  );
  let starts = 0;

  const own = <T>(tasksDir: string, work: () => Promise<T>): Promise<T> => {
    const { tasksDir: ours } = context.places;
    if (tasksDir === ours) return beating(current(), work);
    throw new Error(`this worker serves ${ours}, not ${tasksDir}: fleets on one host need a namespace each`);
  };
  const acting = async (task: string, act: string, work: () => Promise<ActOutcome>): Promise<ActAnswer> => {
    try {
      const { result, words } = await work();
      say(`${task}: ${act}: ${result}: ${words}`, result === 'failed' ? 'trouble' : 'well');
      return { result, words };
    } finally {
      looks.forget();
    }
  };
  const starting = async (task: string, act: string, work: () => Promise<ActOutcome>): Promise<ActAnswer> => {
    if (starts >= STARTS_AT_ONCE) return { result: 'refused', words: `${starts} other starts are under way` };
    starts += 1;
    try {
      return await acting(task, act, work);
    } finally {
      starts -= 1;
    }
  };

  return {
    probe: ({ task, tasksDir }) =>
      own(tasksDir, async () => {
        const { workflowExecution } = current().info;
        const who = { workflowId: workflowExecution?.workflowId ?? '', runId: workflowExecution?.runId ?? '' };
        const index = await looks.get();
        const { facts, sid } = await probe(context, index, task, who);
        return { at: index.fleet.at, facts, sid };
      }),
    revive: ({ task, tasksDir }) => own(tasksDir, () => starting(task, 'revive', () => reviveDriver(context, task))),
    recover: ({ task, tasksDir }) =>
      own(tasksDir, () => starting(task, 'recover', () => recoverStartOf(context, task))),
    nudge: ({ task, tasksDir, sid, id }) =>
      own(tasksDir, () => acting(task, 'nudge', () => nudge(context, task, sid, id))),
    close: ({ task, tasksDir, id, status, reason }) =>
      own(tasksDir, async () => {
        if (existsSync(taskFolder(context.places, task).dir)) appendClosed(context, task, { id, status, reason });
        say(`${task}: closed ${status}: ${reason}`, status === 'FAILED' ? 'trouble' : 'well');
      }),
  };
}

/** Says to the server that the activity is at work, so that it is noticed soon when this worker died. */
async function beating<T>(activity: ActivityContext, work: () => Promise<T>): Promise<T> {
  const timer = setInterval(() => activity.heartbeat(), BEAT_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
