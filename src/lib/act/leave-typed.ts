import type { Context } from '../context.ts';
import type { ExitLook } from '../observe/exit-look.ts';
import { readScreen, type ScreenReading } from '../observe/screen.ts';
import { sharedRoster } from '../observe/shared-roster.ts';
import type { Pane } from '../observe/tmux.ts';
import { captureScreen } from '../observe/tmux-screen.ts';
import { isRunning } from '../store/process-identity.ts';
import { type KeyGuard, sendKeys } from './keys.ts';
import type { ActReport } from './leave.ts';
import { cameBack, waitGone } from './leave-watch.ts';

const WORD = '/exit';
/** A line that is a box with just our word in it, for tmux to look for as it sends Enter: a sign (`❯` and a no-break space), the word. */
const BOX_LINE = '^[^ a-z/]+ ?/exit *$';
/** How long the box may take to show what was typed. */
const ECHO_MS = 3000;
/** A session that moved itself to the background is in the roster again within this time. */
const SETTLE_MS = 2500;
const POLL_MS = 60;

/**
 * Types `/exit` into the session's own pane and, only once the box shows exactly that, Enter. Every key goes out under a
 * condition that tmux itself checks in the same step (that pane, that process, no mode, no client). Whatever comes
 * between takes back what was typed, as long as it still stands in the box, and refuses; where a dialog stands, not one
 * more key is sent, since keys answer dialogs.
 */
export async function typeExit(context: Context, look: ExitLook, waitMs: number): Promise<ActReport> {
  const { pane, session } = look;
  if (pane === undefined || session.sessionId === undefined) {
    return { verdict: 'refused', words: 'nothing done: no pane', cleared: true };
  }
  const deadline = performance.now() + waitMs;
  const guard: KeyGuard = { env: context.env, pane };

  const standing = look.facts.screen?.oursTyped === true;
  if (!standing) {
    const typed = await sendKeys(guard, ['-l', WORD]);
    if (typed !== 'sent') return { verdict: 'refused', words: `nothing typed: ${typed}`, cleared: true };
  }
  const echoed = await boxShows(context, pane);
  if (echoed.shows !== true) return takeBack(guard, context, pane, echoed.why);

  const busy = await noLongerIdle(context, look);
  if (busy !== undefined) return takeBack(guard, context, pane, busy);
  const last = await glance(context, pane);
  if (last.kind !== 'draft' || last.text !== WORD)
    return takeBack(guard, context, pane, `the box changed: ${last.evidence}`);
  const entered = await sendKeys(guard, ['Enter'], BOX_LINE);
  if (entered !== 'sent') return takeBack(guard, context, pane, entered);
  return watchLeaving(context, look, guard, deadline);
}

async function watchLeaving(context: Context, look: ExitLook, guard: KeyGuard, deadline: number): Promise<ActReport> {
  const { session, pane } = look;
  if (pane === undefined || session.sessionId === undefined) throw new Error('no pane');
  const waited = await waitGone(session, deadline, async () => {
    const screen = await glance(context, pane);
    if (screen.kind !== 'background-work') return undefined;
    // Esc keeps the session and its work; the other choices end or move them, which nobody asked for.
    await sendKeys(guard, ['Escape']);
    return 'background work is running; its dialog was closed and it stays';
  });
  if (!waited.gone) {
    const screen = await glance(context, pane);
    const words = waited.word ?? `asked, and still running as process ${session.pid}`;
    return { verdict: 'still-running', words, cleared: !(screen.kind === 'draft' && screen.text === WORD) };
  }
  const back = await cameBack(context, session.sessionId, session, SETTLE_MS);
  if (back === 'no') return { verdict: 'left', words: 'left', cleared: true };
  const words =
    back === 'yes'
      ? 'it moved to the background and goes on there'
      : 'its process is gone, but the roster can’t tell whether it went to the background';
  return { verdict: 'still-running', words, cleared: true };
}

/** Polls until the box shows exactly our word, or shows clearly something else. */
async function boxShows(context: Context, pane: Pane): Promise<{ shows: true } | { shows: false; why: string }> {
  const until = performance.now() + ECHO_MS;
  for (;;) {
    const screen = await glance(context, pane);
    if (screen.kind === 'draft' && screen.text === WORD) return { shows: true };
    const settled = screen.kind === 'dialog' || screen.kind === 'background-work' || screen.kind === 'not-claude';
    if (settled || performance.now() >= until) {
      return { shows: false, why: `the box does not show just ${WORD}: ${screen.evidence}` };
    }
    await new Promise((done) => setTimeout(done, POLL_MS));
  }
}

/** Why the session is no longer idle, by a fresh roster; undefined while it is. */
async function noLongerIdle(context: Context, { session }: ExitLook): Promise<string | undefined> {
  if (!isRunning(session)) return 'its process is gone';
  const { rows } = await sharedRoster({
    env: context.env,
    places: context.places,
    timeoutMs: context.policy.roster.timeout,
    maxAgeMs: 0,
    generation: () => 0,
  });
  if (!rows.ok) return `the roster can’t be read any more: ${rows.why}`;
  const own = rows.value.filter((row) => row.sessionId === session.sessionId && row.pid !== undefined);
  if (own.length !== 1 || own[0]?.pid !== session.pid)
    return 'the roster no longer lists just this process under its id';
  return own[0].status === 'idle' ? undefined : `its status became ${own[0].status}`;
}

/**
 * Takes back what was typed, one BSpace a character, and only while the box ends with it: a person's draft before it
 * stays, and a dialog gets no key.
 */
async function takeBack(guard: KeyGuard, context: Context, pane: Pane, why: string): Promise<ActReport> {
  const screen = await glance(context, pane);
  if (screen.kind !== 'draft' || !screen.text.endsWith(WORD)) {
    const cleared = screen.kind === 'empty-prompt' || screen.kind === 'not-claude';
    return { verdict: 'refused', words: `refused after typing: ${why}`, cleared };
  }
  await sendKeys(
    guard,
    Array.from(WORD, () => 'BSpace'),
  );
  const until = performance.now() + ECHO_MS;
  for (;;) {
    const now = await glance(context, pane);
    if (now.kind === 'empty-prompt' || (now.kind === 'draft' && now.text === screen.text.slice(0, -WORD.length))) {
      return { verdict: 'refused', words: `taken back what was typed, nothing else done: ${why}`, cleared: true };
    }
    if (performance.now() >= until) {
      return { verdict: 'refused', words: `what was typed may still stand in the box: ${why}`, cleared: false };
    }
    await new Promise((done) => setTimeout(done, POLL_MS));
  }
}

async function glance(context: Context, pane: Pane): Promise<ScreenReading> {
  const captured = await captureScreen(context.env, pane.socket, pane.paneId);
  if (captured.ok) return readScreen(captured.value);
  return { kind: 'unknown', why: captured.why, source: 'screen', evidence: captured.why };
}
