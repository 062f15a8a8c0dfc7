import type { Context } from '../context.ts';
import { mayUseVim } from '../observe/editor-mode.ts';
import { boxShowsExactly, readScreen, type ScreenReading } from '../observe/screen.ts';
import type { Session } from '../observe/sessions.ts';
import type { Pane } from '../observe/tmux.ts';
import { captureScreen } from '../observe/tmux-screen.ts';
import { sendKeys } from './keys.ts';
import type { ActReport } from './leave.ts';

/** The one thing that is ever typed to let a session leave. */
export const WORD = '/exit';

/** How long the box may take to show what was typed, or that it was taken back. */
const ECHO_MS = 3000;
const POLL_MS = 60;

/** A pane that is typed into on behalf of one session. */
export class Typing {
  readonly #context: Context;
  readonly #pane: Pane;
  readonly #vim: boolean;

  constructor(context: Context, pane: Pane, session: Session) {
    this.#context = context;
    this.#pane = pane;
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

  /** Polls until the box shows exactly our word; why not, as soon as it shows clearly something else or time is up. */
  async echoed(): Promise<string | undefined> {
    const until = performance.now() + ECHO_MS;
    for (;;) {
      const screen = await this.screen();
      if (boxShowsExactly(screen, WORD)) return undefined;
      const settled = screen.kind === 'dialog' || screen.kind === 'background-work' || screen.kind === 'not-claude';
      if (settled || performance.now() >= until) return `the box does not show just ${WORD}: ${screen.evidence}`;
      await new Promise((done) => setTimeout(done, POLL_MS));
    }
  }

  /**
   * Takes back what was typed, one BSpace a character, and only while the box ends with it: a person's draft before it
   * stays, and a dialog gets no key. (A line break behind it is ours too: Enter right behind a burst becomes one.)
   */
  async takeBack(why: string): Promise<ActReport> {
    const screen = await this.screen();
    if (screen.kind !== 'draft' || !screen.caretAtEnd || !screen.text.trimEnd().endsWith(WORD)) {
      const cleared = screen.kind === 'empty-prompt' || screen.kind === 'not-claude';
      return { verdict: 'refused', words: `refused after typing: ${why}`, cleared };
    }
    const kept = screen.text.slice(0, screen.text.lastIndexOf(WORD));
    await this.keys(Array.from(screen.text.slice(kept.length), () => 'BSpace'));
    const until = performance.now() + ECHO_MS;
    for (;;) {
      const now = await this.screen();
      const text = now.kind === 'empty-prompt' ? '' : now.kind === 'draft' ? now.text : undefined;
      if (text === kept)
        return { verdict: 'refused', words: `took back what was typed, nothing else done: ${why}`, cleared: true };
      if (performance.now() >= until)
        return { verdict: 'refused', words: `what was typed may still stand in the box: ${why}`, cleared: false };
      await new Promise((done) => setTimeout(done, POLL_MS));
    }
  }
}
