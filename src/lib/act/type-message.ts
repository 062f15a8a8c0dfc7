import type { Context } from '../context.ts';
import { typedPieces } from '../decide/typed-text.ts';
import type { ExitLook } from '../observe/exit-look.ts';
import { boxShowsText } from '../observe/screen.ts';
import { noLongerIdle } from './leave-typed.ts';
import { Typing } from './typing.ts';

/** What came of typing a message. `cleared`: nothing of it stands in the box. */
export interface TypedReport {
  kind: 'entered' | 'refused';
  words: string;
  cleared: boolean;
}

export interface TypedMessage {
  id: string;
  text: string;
  /** What an interrupted sender left in the box, to be taken back first. */
  left: string | undefined;
}

/**
 * Types a message into the session's own pane, piece by piece, each seen in the box before the next, and Enter only while
 * the box shows all of it and nothing else. Every key goes out under tmux's own condition (see sendKeys). Whatever comes
 * between takes back what was typed and refuses.
 */
export async function typeMessage(context: Context, look: ExitLook, message: TypedMessage): Promise<TypedReport> {
  const { pane, session } = look;
  const { id, text, left } = message;
  const refused = (words: string, cleared = true): TypedReport => ({ kind: 'refused', words, cleared });
  if (pane === undefined) return refused('nothing done: no pane');
  if (left !== undefined) {
    const back = await new Typing(context, pane, session, left).takeBack('it is of an interrupted run');
    if (!back.cleared) return refused(back.words, false);
  }
  const typing = new Typing(context, pane, session, text);
  const takeBack = async (why: string) => {
    const { words, cleared } = await typing.takeBack(why);
    return refused(words, cleared);
  };
  let typed = '';
  for (const piece of typedPieces(text)) {
    const sent = await typing.keys(['-H', ...bytesOf(piece)]);
    if (sent !== 'sent') return typed === '' ? refused(`nothing typed: ${sent}`) : takeBack(sent);
    typed += piece;
    const why = await typing.echoed(typed.trimEnd());
    if (why !== undefined) return takeBack(why);
  }
  const busy = await noLongerIdle(context, session);
  if (busy !== undefined) return takeBack(busy);
  // The box is read last: nothing that takes time stands between it and Enter.
  const last = await typing.screen();
  if (!boxShowsText(last, text)) return takeBack(`the box changed: ${last.evidence}`);
  const entered = await typing.keys(['Enter'], `^ +.message ${id}`);
  if (entered !== 'sent') return takeBack(entered);
  return { kind: 'entered', words: 'typed into its pane', cleared: true };
}

/** As hexadecimal bytes no character means anything to tmux. */
function bytesOf(piece: string): string[] {
  return Array.from(Buffer.from(piece), (byte) => byte.toString(16).padStart(2, '0'));
}
