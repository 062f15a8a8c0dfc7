import type { Context } from '../context.ts';
import { monotonicMs } from '../monotonic.ts';
import type { ExitLook } from '../observe/exit-look.ts';
import { boxShowsExactly } from '../observe/screen.ts';
import type { Session } from '../observe/sessions.ts';
import { sharedRoster } from '../observe/shared-roster.ts';
import { isRunning } from '../store/process-identity.ts';
import type { ActReport } from './leave.ts';
import { cameBack, waitGone } from './leave-watch.ts';
import { Typing } from './typing.ts';

/** The one thing that is ever typed to let a session leave. */
const WORD = '/exit';
/** A line that is a box with just our word in it, for tmux to look for as it sends Enter: a sign, a no-break space, the word. */
const BOX_LINE = '^[^ a-z/]+ ?/exit *$';
/** A session that moved itself to the background is listed again within this time. */
const SETTLE_MS = 2500;

/**
 * Types `/exit` into the session's own pane and, only once the box shows exactly that, Enter. Every key goes out under a
 * condition that tmux itself checks in the same step (that pane, that process, no mode, no client). Whatever comes
 * between takes back what was typed, as long as it still stands in the box, and refuses; where a dialog stands, not one
 * more key is sent, since keys answer dialogs.
 */
export async function typeExit(context: Context, look: ExitLook, waitMs: number): Promise<ActReport> {
  const { pane, session } = look;
  if (pane === undefined) return { verdict: 'refused', words: 'nothing done: no pane', cleared: true };
  const deadline = monotonicMs() + waitMs;
  const began = Date.now();
  const typing = new Typing(context, pane, session, WORD);

  if (look.facts.screen?.oursTyped !== true) {
    const typed = await typing.keys(['-l', WORD]);
    if (typed !== 'sent') return { verdict: 'refused', words: `nothing typed: ${typed}`, cleared: true };
  }
  const why = (await typing.echoed()) ?? (await noLongerIdle(context, session));
  if (why !== undefined) return typing.takeBack(why);
  // The box is read last: nothing that takes time stands between it and Enter.
  const last = await typing.screen();
  if (!boxShowsExactly(last, WORD)) return typing.takeBack(`the box changed: ${last.evidence}`);
  const entered = await typing.keys(['Enter'], BOX_LINE);
  if (entered !== 'sent') return typing.takeBack(entered);
  return watchLeaving(context, session, typing, { began, deadline });
}

async function watchLeaving(
  context: Context,
  session: Session,
  typing: Typing,
  { began, deadline }: { began: number; deadline: number },
): Promise<ActReport> {
  let escaped = false;
  const waited = await waitGone(session, deadline, async () => {
    const { kind } = await typing.screen();
    // Esc keeps the session and its work; the other choices end or move them, which nobody asked for.
    if (kind === 'background-work' && !escaped) escaped = (await typing.keys(['Escape'])) === 'sent';
    // Only its box says that it stays: until then it may still go.
    const stays = escaped && (kind === 'empty-prompt' || kind === 'draft' || kind === 'busy');
    return stays ? 'background work is running; its dialog was closed and it stays' : undefined;
  });
  if (waited.gone) {
    const back = await cameBack(context, session, began, SETTLE_MS);
    if (back.answer === 'no') return { verdict: 'left', words: 'left', cleared: true };
    return { verdict: 'still-running', words: back.words, cleared: true };
  }
  const words = waited.word ?? `asked, and still running as process ${session.pid}`;
  const screen = await typing.screen();
  const cleared = screen.kind !== 'draft' || (await typing.takeBack(words)).cleared;
  return { verdict: 'still-running', words, cleared };
}

/** Why the session is no longer idle, by a fresh roster; undefined while it is. */
export async function noLongerIdle(context: Context, session: Session): Promise<string | undefined> {
  if (!isRunning(session)) return 'its process is gone';
  const { env, places, policy } = context;
  const { rows } = await sharedRoster({
    env,
    places,
    timeoutMs: policy.roster.timeout,
    maxAgeMs: 0,
    generation: () => 0,
  });
  if (!rows.ok) return `the roster can’t be read any more: ${rows.why}`;
  const own = rows.value.filter((row) => row.sessionId === session.sessionId && row.pid !== undefined);
  const [row] = own;
  if (row === undefined || own.length > 1 || row.pid !== session.pid) {
    return 'the roster no longer lists just this process under its id';
  }
  return row.status === 'idle' ? undefined : `its status became ${row.status}`;
}
