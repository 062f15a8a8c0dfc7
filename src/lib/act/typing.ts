import type { Context } from '../context.ts';
import { squeezed } from '../decide/typed-text.ts';
import { monotonicMs } from '../monotonic.ts';
import { mayUseVim } from '../observe/editor-mode.ts';
import { boxShowsExactly, boxShowsText, readScreen, type ScreenReading } from '../observe/screen.ts';
import type { Session } from '../observe/sessions.ts';
import type { Pane } from '../observe/tmux.ts';
import { captureScreen } from '../observe/tmux-screen.ts';
import { sendKeys } from './keys.ts';
import type { ActReport } from './leave.ts';

/** How long the box may take to show what was typed, or that it was taken back. */
const ECHO_MS = 3000;
const POLL_MS = 60;
/** So many BSpaces at once are taken one by one. */
const ERASE_AT_ONCE = 80;

/** A pane that one text is typed into on behalf of one session. */
export class Typing {
  readonly #context: Context;
  readonly #pane: Pane;
  readonly #vim: boolean;
  readonly #text: string;

  constructor(context: Context, pane: Pane, session: Session, text: string) {
    this.#context = context;
    this.#pane = pane;
    this.#text = text;
    this.#vim = mayUseVim(context.places.claudeDir, session.cwd);
  }

  /** What the pane shows now. */
  async screen(): Promise<ScreenReading> {
    const captured = await captureScreen(this.#context.env, this.#pane.socket, this.#pane.paneId);
    if (captured.ok) return readScreen(captured.value, { vim: this.#vim });
    return { kind: 'unknown', why: captured.why, source: 'screen', evidence: captured.why };
  }

  /** Sends keys under tmux's own condition, see sendKeys. */
  keys(keys: readonly string[], shown?: string): Promise<string> {
    return sendKeys({ env: this.#context.env, pane: this.#pane }, keys, shown);
  }

  /**
   * Polls until the box shows exactly our text, or that beginning of it; why not, as soon as it shows clearly something
   * else or time is up.
   */
  async echoed(typed = this.#text): Promise<string | undefined> {
    const until = monotonicMs() + ECHO_MS;
    for (;;) {
      const screen = await this.screen();
      if (isText(this.#text) ? boxShowsText(screen, typed) : boxShowsExactly(screen, typed)) return undefined;
      const settled = screen.kind === 'dialog' || screen.kind === 'background-work' || screen.kind === 'not-claude';
      if (settled || monotonicMs() >= until) return `the box does not show just ${quoted(typed)}: ${screen.evidence}`;
      await new Promise((done) => setTimeout(done, POLL_MS));
    }
  }

  /**
   * Takes back what was typed, one BSpace a character, and only while the box ends with it: a person's draft before it
   * stays, and a dialog gets no key. (A line break behind it is ours too: Enter right behind a burst becomes one.)
   */
  async takeBack(why: string): Promise<ActReport> {
    let now = await this.screen();
    const kept = this.#keptOf(now);
    if (kept === undefined) {
      const cleared = now.kind === 'empty-prompt' || now.kind === 'not-claude';
      return { verdict: 'refused', words: `refused after typing: ${why}`, cleared };
    }
    let last: string | undefined;
    let until = monotonicMs() + ECHO_MS;
    for (;;) {
      const text = now.kind === 'empty-prompt' ? '' : now.kind === 'draft' ? now.text : undefined;
      if (text === kept)
        return { verdict: 'refused', words: `took back what was typed, nothing else done: ${why}`, cleared: true };
      // A second round only where nobody's draft stands before ours: a late echo would make it too many.
      if (text !== last && this.#keptOf(now) === kept && (last === undefined || kept === '')) {
        const ours = Array.from(text?.slice(kept.length) ?? '').slice(0, ERASE_AT_ONCE);
        await this.keys(ours.map(() => 'BSpace'));
        last = text;
        until = monotonicMs() + ECHO_MS;
      }
      if (monotonicMs() >= until)
        return { verdict: 'refused', words: `what was typed may still stand in the box: ${why}`, cleared: false };
      await new Promise((done) => setTimeout(done, POLL_MS));
      now = await this.screen();
    }
  }

  /** What stood in the box before our text; undefined when the box does not end with ours. */
  #keptOf(screen: ScreenReading): string | undefined {
    if (screen.kind !== 'draft' || !screen.caretAtEnd) return undefined;
    if (screen.text.trimEnd().endsWith(this.#text)) return screen.text.slice(0, screen.text.lastIndexOf(this.#text));
    // A longer text is broken over rows and may be typed in part: then it is ours only if nothing else is there.
    return isText(this.#text) && squeezed(this.#text).startsWith(squeezed(screen.text)) ? '' : undefined;
  }
}

/** More than the one word that lets a session leave. */
const isText = (text: string) => /\s/.test(text);

const quoted = (text: string) => (isText(text) ? 'the text' : text);
