import type { Context } from '../../context.ts';
import type { WatcherPolicy } from '../../decide/watcher/tick.ts';

/** The watcher's thresholds in a policy. */
export function watcherPolicy({ policy }: Context): WatcherPolicy {
  const { lifetime, idleExit, wedged, nudges } = policy.watcher;
  const { max, window, daemonGrace } = policy.revive;
  return { lifetime, idleExit, wedged, nudges, max, window, daemonGrace };
}
