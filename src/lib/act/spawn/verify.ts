import type { Context } from '../../context.ts';
import type { SpawnKind } from '../../decide/spawn-plan.ts';
import { monotonicMs } from '../../monotonic.ts';
import { userMessages } from '../../observe/first-message.ts';
import { observeAfresh, paneOf } from '../../observe/fleet.ts';
import { readScreen, screenExcerpt } from '../../observe/screen.ts';
import type { Session } from '../../observe/sessions.ts';
import type { Pane } from '../../observe/tmux.ts';
import { captureScreen } from '../../observe/tmux-screen.ts';
import { readTranscript } from '../../observe/transcript.ts';

/** Under which identity a started session must appear, and what it must have been told. */
export interface Expected {
  kind: SpawnKind;
  /** Interactive, or resumed: its session id. */
  sessionId: string | undefined;
  /** Background: the short id it printed, if it was read, and its unique name. */
  shortId: string | undefined;
  name: string;
  tmuxSession: string;
  prompt: string;
  /** Bytes of its transcript before, when it is resumed. */
  fromByte: number;
  /** It is resumed under a new id, in a transcript that begins with the old conversation. */
  anywhere?: boolean;
}

export type Verified =
  | { ok: true; session: Session; sessionId: string; pane: Pane | undefined }
  | { ok: false; why: string; excerpt: string; session: Session | undefined; pane: Pane | undefined };

const POLL_MS = 400;

/**
 * Watches until the session is live in the roster under its identity *and* its transcript's first user message (of this
 * start) is the prompt, byte for byte. A dialog that stays, a dead pane, another first message or silence is a failed start.
 */
export async function verifyStart(context: Context, expected: Expected, waitMs: number): Promise<Verified> {
  const deadline = monotonicMs() + waitMs;
  let dialogSince: number | undefined;
  for (;;) {
    const look = await lookForStart(context, expected);
    if (look.verified !== undefined) return look.verified;
    // Read twice before it counts: a screen is caught in the middle of being drawn.
    if (look.dialog === undefined) dialogSince = undefined;
    else dialogSince ??= monotonicMs();
    const { session, pane, excerpt } = look;
    const failed = (why: string): Verified => ({ ok: false, why, excerpt, session, pane });
    if (look.dead) return failed('its process ended at once');
    if (look.dialog !== undefined && dialogSince !== undefined && monotonicMs() - dialogSince > 1500) {
      return failed(`it stands on a dialog: ${look.dialog}`);
    }
    if (look.otherMessage !== undefined) return failed('its first message is not the brief');
    if (monotonicMs() >= deadline)
      return failed(
        session === undefined ? 'it did not appear in the roster' : 'its transcript does not show the brief',
      );
    await new Promise((done) => setTimeout(done, POLL_MS));
  }
}

/** What one look at a started session shows. */
export interface StartLook {
  verified?: Verified;
  session: Session | undefined;
  pane: Pane | undefined;
  excerpt: string;
  dead: boolean;
  dialog?: string;
  otherMessage?: string;
}

/** Looks once whether a started session is there and was told its prompt. */
export async function lookForStart(context: Context, expected: Expected): Promise<StartLook> {
  const fleet = await observeAfresh(context, { withPanes: expected.kind === 'interactive' });
  const session = fleet.joined?.sessions.find((one) => isExpected(one, expected));
  const pane = startedPane(expected, fleet, session);
  const look: StartLook = { session, pane, excerpt: '', dead: pane?.dead === true };
  if (session?.listed && session.sessionId !== undefined) {
    const told = toldIn(context, session.sessionId, session.cwd, expected);
    if (told === true) return { ...look, verified: { ok: true, session, sessionId: session.sessionId, pane } };
    if (typeof told === 'string') look.otherMessage = told;
  }
  if (pane !== undefined) {
    const screen = await captureScreen(context.env, pane.socket, pane.paneId);
    if (screen.ok) {
      look.excerpt = screenExcerpt(screen.value.ansi);
      const reading = readScreen(screen.value);
      if (reading.kind === 'dialog') look.dialog = reading.title;
    }
  }
  return look;
}

function isExpected(session: Session, { kind, sessionId, shortId, name }: Expected): boolean {
  if (sessionId !== undefined && session.sessionId === sessionId) return true;
  if (kind !== 'background') return false;
  return shortId !== undefined ? session.shortId === shortId : session.name === name;
}

/** The pane it was started in, dead or alive. */
function startedPane(
  { kind, tmuxSession }: Expected,
  fleet: Parameters<typeof paneOf>[1],
  session: Session | undefined,
): Pane | undefined {
  if (kind !== 'interactive') return undefined;
  const found = session === undefined ? undefined : paneOf(session.pid, fleet);
  if (found?.answer === 'yes') return found.pane;
  for (const panes of fleet.panes.values()) {
    const own = panes.ok ? panes.value.find((pane) => pane.session === tmuxSession) : undefined;
    if (own !== undefined) return own;
  }
  return undefined;
}

/** True when it was told the prompt, the other text when it was told that first, undefined when nothing yet. */
function toldIn(
  { places }: Context,
  sessionId: string,
  cwd: string | undefined,
  { prompt, fromByte, anywhere }: Expected,
): true | string | undefined {
  const transcript = readTranscript(places.claudeDir, sessionId, cwd, { glance: true });
  if (transcript.kind !== 'found') return undefined;
  try {
    const messages = userMessages(transcript.file, fromByte);
    // A resumed conversation may get a line of its own before the prompt; a new one begins with it.
    if (fromByte > 0 || anywhere) return messages.includes(prompt) ? true : undefined;
    return messages[0] === undefined ? undefined : messages[0] === prompt ? true : messages[0];
  } catch {
    // Gone or being written: the next look reads it again, until time is up.
    return undefined;
  }
}
