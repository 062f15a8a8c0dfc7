import { no, type Reading, unknown, yes } from '../reading.ts';
import type { Environment } from '../store/places.ts';
import { type Fleet, paneOf } from './fleet.ts';
import { showsAgentsList } from './screen/agents-view.ts';
import type { Session } from './sessions.ts';
import { captureScreen } from './tmux-screen.ts';

/**
 * Whether somebody looks at a background session. `claude attach` names it by short id, full id or name. In the agents view
 * (`claude agents`) any session can be open without a process to show for it, so each such view must be seen to show its
 * list, or to be watched by no tmux client; else it is unknown.
 */
export async function viewersOf(session: Session, fleet: Fleet, env: Environment): Promise<Reading> {
  if (fleet.joined === undefined) return unknown('processes', 'the processes could not be read');
  const names = [session.shortId, session.sessionId, session.name];
  const { helpers } = fleet.joined;
  const attached = helpers.filter(
    ({ role, attachedTo }) => role === 'attach' && attachedTo !== undefined && names.includes(attachedTo),
  );
  if (attached.length > 0) return yes('processes', `${attached.length} claude attach on it`);
  for (const { pid } of helpers.filter(({ role, hasTty }) => role === 'agents-view' && hasTty)) {
    const doubt = await doubtAbout(pid, fleet, env);
    if (doubt !== undefined) return unknown('processes', `the agents view of process ${pid} may show it: ${doubt}`);
  }
  return no('processes', 'no claude attach on it, and no agents view that could show it');
}

async function doubtAbout(pid: number, fleet: Fleet, env: Environment): Promise<string | undefined> {
  const found = paneOf(pid, fleet);
  if (found.answer !== 'yes') return found.why;
  if (found.pane.attached === 0) return undefined;
  const screen = await captureScreen(env, found.pane.socket, found.pane.paneId);
  if (!screen.ok) return screen.why;
  return showsAgentsList(screen.value.ansi) ? undefined : 'it does not show its list';
}
