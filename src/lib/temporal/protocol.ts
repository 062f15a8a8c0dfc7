import type { TickFacts, WatcherMemory, WatcherPolicy } from '../decide/watcher/tick.ts';

/** Name of the workflow, as `temporal workflow list` shows it. A rename orphans every watcher that runs. */
export const WORKFLOW = 'watchTask';
/** Name of the signal that ends a watcher; its argument says who asked. */
export const STOP = 'stop';

/**
 * What a watcher is started with. All that it decides by is in here or in what its activities answer, never read by the workflow:
 * so a run is replayed to the same decisions whatever the config says by then.
 */
export interface WatchStart {
  task: string;
  /** Whose task it is: a worker of another fleet on this host must not touch it. */
  tasksDir: string;
  policy: WatcherPolicy;
  /** From the end of one tick to the next, ms. */
  interval: number;
  /** How long the activities may take, ms. */
  limits: { probe: number; start: number };
  /** Its revivals before this watcher, ms since 1970: they count in the rolling window. */
  revivals: readonly number[];
  /** From the run before, when this one continues it. */
  memory?: WatcherMemory;
}

/** How a watcher ended; what the workflow returns, or fails with (FAILED). */
export interface WatchEnd {
  status: 'COMPLETED' | 'IDLE' | 'FAILED' | 'STOPPED';
  reason: string;
}

/** What one probe answers. */
export interface ProbeAnswer {
  /** When the fleet was looked at, ms since 1970: the `now` of the decision. */
  at: number;
  facts: TickFacts;
  sid: string | undefined;
}

/** What came of an act, see ActOutcome. */
export interface ActAnswer {
  result: 'done' | 'failed' | 'refused' | 'moved-on';
  words: string;
}

interface ForTask {
  task: string;
  tasksDir: string;
}

/** What a watcher has done for it on its host. Each takes and returns JSON. */
export interface WatcherActivities {
  /** Reads the task and writes the heartbeat, when it could read nothing too. */
  probe(of: ForTask): Promise<ProbeAnswer>;
  revive(of: ForTask): Promise<ActAnswer>;
  recover(of: ForTask): Promise<ActAnswer>;
  /** Sends the one wake of a wedged turn; `id` makes a second sending of it none. */
  nudge(of: ForTask & { sid: string; id: string }): Promise<ActAnswer>;
  /** Writes the watcher's end into the task's events; `id` makes a second writing of it none. */
  close(of: ForTask & WatchEnd & { id: string }): Promise<void>;
}
