import { no, type Reading, unknown, yes } from '../reading.ts';
import type { Environment } from '../store/places.ts';
import { type Fleet, paneOf } from './fleet.ts';
import type { Session } from './sessions.ts';
import { viewersOf } from './viewers.ts';

/** Whether somebody looks at a session: a tmux client on its pane, a viewer of a background one. */
export async function attachmentOf(session: Session, fleet: Fleet, env: Environment): Promise<Reading> {
  if (session.kind === 'background') return viewersOf(session, fleet, env);
  const found = paneOf(session.pid, fleet);
  if (found.answer === 'yes') {
    const { attached } = found.pane;
    return attached > 0 ? yes('tmux', `${attached} tmux client(s) attached`) : no('tmux', 'no client');
  }
  // One that runs in no pane stands in somebody's own terminal, and could not be typed to anyway.
  if (found.answer === 'no') return yes('tmux', 'it runs in a terminal of its own, in no tmux pane');
  return unknown('tmux', found.why);
}
