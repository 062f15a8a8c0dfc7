import type { Context } from '../context.ts';
import type { ExitFacts, ScreenFact } from '../decide/exit-guards.ts';
import type { Sourced } from '../reading.ts';
import { mayUseVim } from './editor-mode.ts';
import { type Fleet, observeAfresh, paneOf } from './fleet.ts';
import { readScreen, type ScreenReading } from './screen.ts';
import type { Session } from './sessions.ts';
import type { Pane } from './tmux.ts';
import { captureScreen } from './tmux-screen.ts';
import { viewersOf } from './viewers.ts';

/** One look at a session that is asked to leave. */
export interface ExitLook {
  fleet: Fleet;
  /** Every live process under that id; one is as it should be. */
  sessions: Session[];
  session: Session;
  pane: Pane | undefined;
  screen: ScreenReading | undefined;
  facts: ExitFacts;
}

/**
 * Looks at one session, named by full or short id, afresh: roster, processes, tmux, screen, in this order, so that what
 * can change fastest is read last. `value: undefined` when no live session has that id.
 */
export async function lookForExit(context: Context, id: string): Promise<Sourced<ExitLook | undefined>> {
  const fleet = await observeAfresh(context, { withPanes: true });
  if (!fleet.roster.rows.ok) return { ok: false, why: fleet.roster.rows.why };
  if (!fleet.processes.ok) return { ok: false, why: fleet.processes.why };
  const sessions = (fleet.joined?.sessions ?? []).filter(
    (session) => session.sessionId === id || session.shortId === id,
  );
  const [session] = sessions;
  if (session === undefined) return { ok: true, value: undefined };
  return { ok: true, value: await lookAt(context, fleet, sessions, session) };
}

async function lookAt(context: Context, fleet: Fleet, sessions: Session[], session: Session): Promise<ExitLook> {
  const facts: ExitFacts = {
    processes: sessions.length,
    kind: session.kind,
    status: session.status,
    waitingFor: session.waitingFor,
    hasShortId: session.shortId !== undefined,
    viewed: session.kind === 'background' ? await viewersOf(session, fleet, context.env) : undefined,
    pane: { answer: 'no', evidence: 'not looked for' },
  };
  const look: ExitLook = { fleet, sessions, session, pane: undefined, screen: undefined, facts };
  if (session.kind !== 'interactive') return look;
  const found = paneOf(session.pid, fleet);
  if (found.answer !== 'yes') {
    facts.pane = { answer: found.answer, evidence: found.why };
    return look;
  }
  const { pane } = found;
  facts.pane = { answer: 'yes', evidence: `pane ${pane.paneId} of ${pane.socket} holds process ${session.pid}` };
  facts.attachedClients = pane.attached;
  look.pane = pane;
  const captured = await captureScreen(context.env, pane.socket, pane.paneId);
  if (!captured.ok) return look;
  facts.inMode = captured.value.inMode;
  facts.attachedClients = Math.max(pane.attached, captured.value.attached);
  look.screen = readScreen(captured.value, { vim: mayUseVim(context.places.claudeDir, session.cwd) });
  facts.screen = screenFact(look.screen);
  return look;
}

/** A screen reading as a fact to decide on. */
export function screenFact(reading: ScreenReading): ScreenFact {
  return { kind: reading.kind, evidence: reading.evidence };
}
