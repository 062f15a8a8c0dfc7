import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Draft } from './draft.mjs';
import { runHooks } from './hooks.mjs';
import { framed, Inbox } from './inbox.mjs';
import { presses } from './keys.mjs';
import { version } from './places.cjs';
import { keptPrompt, promptCommand } from './prompt.mjs';
import { frame } from './screen.mjs';
import { SessionFile } from './session-file.mjs';
import { endShell, startShell } from './shells.mjs';
import { noteSignal } from './signals.mjs';
import { commandOf } from './slash.mjs';
import { Transcript } from './transcript.mjs';
import { runTurn } from './turn.mjs';

const startMs = Number(process.env.CLAUDE_SIM_START_MS ?? 100);

/** A live session: its draft, its queue of messages, its one turn at a time, and what the world sees of it. */
export class Session {
  draft = new Draft();
  said = [];
  queue = [];
  shells = new Set();
  ghost = process.env.CLAUDE_SIM_GHOST;
  // A session started from inside another one saves nothing and stays out of the roster, unless it is forced to.
  hidden = Boolean(process.env.CLAUDE_CODE_CHILD_SESSION) && !process.env.CLAUDE_CODE_FORCE_SESSION_PERSISTENCE;

  /** `options`: kind, sid, cwd, name, nameSource, mode, settings, jobId, jobDir. */
  constructor(options) {
    Object.assign(this, options);
    this.vim = this.settings.editorMode === 'vim' ? 'insert' : undefined;
    this.transcript = new Transcript(this);
    this.said = ['', ` ▐▛███▛█   Claude Code v${version}`, '▝▜██████▀  stand-in', ` ▝▝   ▝▝   ${this.cwd}`];
  }

  /** Shows itself in the roster, opens its inbox, and takes its first message. */
  async open(view, prompt) {
    this.view = view;
    for (const [who, text] of this.transcript.spoken()) this.say('', `${who === 'user' ? '❯' : '●'} ${text}`);
    this.inbox = new Inbox((text) => this.receive(text));
    await this.inbox.open();
    if (!this.hidden) this.file = new SessionFile(this);
    for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT']) {
      process.on(signal, () => {
        if (!this.ending) noteSignal(this, signal);
        void this.end('other');
      });
    }
    this.refresh();
    if (!prompt) return;
    // Like the real one it is idle for a moment before it takes its first prompt up.
    await pause(startMs);
    const text = keptPrompt(prompt);
    const command = promptCommand(text);
    if (command !== undefined) {
      const { runCommand } = await import('./commands.mjs');
      return runCommand(this, commandOf(command) ?? { word: command.slice(1) });
    }
    if (text.trim() === '') return;
    this.deliver({ text, extra: { promptSource: 'typed', origin: { kind: 'human' } } });
  }

  get waitingTexts() {
    return this.queue.map(({ shown, text }) => shown ?? text);
  }

  say(...lines) {
    this.said.push(...lines.flatMap((line) => line.split('\n')));
  }

  /** Brings the roster and the screen up to date. */
  refresh() {
    if (this.ending) return;
    const waitingFor = this.dialog?.kind;
    const status = waitingFor ? 'waiting' : this.turn ? 'busy' : this.shells.size > 0 ? 'shell' : 'idle';
    if (status !== this.status) {
      this.status = status;
      this.file?.set({ status, waitingFor });
      this.onStatus?.(status);
    }
    this.redraw();
  }

  redraw() {
    if (!this.ending) this.view.draw(frame(this, ...this.view.size));
  }

  /** Takes what was typed at the terminal. */
  async input(chunk, source) {
    const { press } = await import('./press.mjs');
    for (const pressed of presses(chunk)) press(this, pressed, source);
    if (!this.ending) this.redraw();
  }

  /** Another session's message: held or refused as the settings say; else framed, and queued behind whatever runs. */
  async receive(text) {
    const wish = this.settings.crossSessionInbound ?? (this.mode === 'bypassPermissions' ? 'ask' : 'accept');
    if (wish === 'refuse') return;
    if (wish !== 'accept') {
      const { hold } = await import('./held.mjs');
      return hold(this, text, wish, () => this.hear(text));
    }
    this.hear(text);
  }

  hear(text) {
    this.transcript.queue('enqueue', text);
    const extra = {
      isMeta: true,
      origin: { kind: 'peer', from: 'unknown' },
      promptSource: 'system',
      turnOrigin: 'peer',
    };
    this.deliver({ text: framed(text), raw: text, shown: framed(text), extra, enqueued: true });
  }

  /** Queues a message; it is answered at once when nothing else runs. */
  deliver(message) {
    if (this.turn && !message.enqueued) this.transcript.queue('enqueue', message.text);
    this.queue.push({ ...message, enqueued: message.enqueued || Boolean(this.turn) });
    if (this.turn) this.redraw();
    else void this.work();
  }

  /** What is queued is taken into the running turn behind a tool call. */
  absorb() {
    for (const { text, raw = text, extra } of this.queue.splice(0)) {
      this.transcript.absorbed(raw, extra.origin);
    }
    this.redraw();
  }

  async work() {
    while (this.queue.length > 0 && !this.ending) {
      const message = this.queue.shift();
      if (message.enqueued) this.transcript.queue('dequeue');
      this.turn = new AbortController();
      this.refresh();
      await runTurn(this, message);
      this.turn = undefined;
    }
    this.refresh();
  }

  /** Starts a background shell; the turn goes on without it. */
  keepShell(command, description) {
    const shell = Object.assign(startShell(this, command), { id: randomUUID().slice(0, 8), description });
    this.shells.add(shell);
    void shell.done.then(({ code }) => {
      this.shells.delete(shell);
      if (this.ending) return;
      const note = `Background command "${description}" completed (exit code ${code})`;
      const text = `<task-notification>\n<task-id>${shell.id}</task-id>\n<summary>${note}</summary>\n</task-notification>`;
      this.deliver({ text, shown: note, extra: { isMeta: true, promptSource: 'system' } });
    });
    return `Command running in background with ID: ${shell.id}`;
  }

  /** Leaves: hooks run, the files go, and the process ends with code 0. */
  async end(reason, code = 0) {
    if (this.ending) return;
    this.ending = true;
    this.turn?.abort();
    for (const shell of this.shells) endShell(shell);
    this.transcript.flush();
    await runHooks(this, 'SessionEnd', { reason });
    this.inbox.close();
    this.file?.remove();
    const resumable = this.kind === 'interactive' && this.transcript.exists;
    this.view.close(resumable ? `\r\nResume this session with:\r\nclaude --resume ${this.sid}\r\n` : '');
    process.exit(code);
  }
}
