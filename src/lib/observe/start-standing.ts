import { isStuck, meetingsIn, type Standing } from '../decide/stuck-start.ts';
import { processesNaming } from './driver.ts';
import type { Fleet } from './fleet.ts';

/** Under which identity a start was written down; what a task file does not say is not looked for. */
export interface SoughtIdentity {
  sid?: string | undefined;
  name?: unknown;
  tmuxSession?: unknown;
}

/** How an unfinished start stands, by one look at the fleet, with panes. Undefined when that can't be told. */
export function standingOf({ sid, name, tmuxSession }: SoughtIdentity, fleet: Fleet): Standing | undefined {
  if (fleet.joined === undefined || [...fleet.panes.values()].some((panes) => !panes.ok)) return undefined;
  const own = fleet.joined.sessions.filter(
    (session) => (sid !== undefined && session.sessionId === sid) || (name !== undefined && session.name === name),
  );
  if (own.some(({ listed }) => listed)) return 'listed';
  const paned = [...fleet.panes.values()].some(
    (panes) => panes.ok && panes.value.some((pane) => !pane.dead && pane.session === tmuxSession),
  );
  const words = [sid, name].filter((word) => typeof word === 'string');
  return own.length > 0 || paned || processesNaming(words, fleet).length > 0 ? 'process' : 'none';
}

/** Whether an unfinished start is left alone, see isStuck. What can't be told is none of that: whoever meets it reads again. */
export function stuckStart(intent: (SoughtIdentity & Record<string, unknown>) | undefined, fleet: Fleet): boolean {
  const met = meetingsIn(intent);
  const now = intent === undefined || met === undefined ? undefined : standingOf(intent, fleet);
  return now !== undefined && isStuck(met, now);
}
