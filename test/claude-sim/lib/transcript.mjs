import { randomUUID } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { version } from './places.cjs';
import { transcriptPath } from './slug.mjs';

const model = 'claude-opus-5-5';

/** One session's transcript. It is made with the first message, and grows a little at the end. */
export class Transcript {
  #session;
  #parent = null;

  constructor(session) {
    this.#session = session;
    this.file = transcriptPath(session.cwd, session.sid);
  }

  get exists() {
    return existsSync(this.file);
  }

  /** A message to the session: typed, an argument, a peer's, or a command's note. */
  user(content, extra = {}) {
    if (!this.exists) this.#preamble();
    this.#chained({ promptId: this.#session.promptId, type: 'user', message: { role: 'user', content }, ...extra });
  }

  assistant(block) {
    const stop = block.type === 'tool_use' ? 'tool_use' : 'end_turn';
    const usage = { input_tokens: 10, output_tokens: 5, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
    const message = { id: `msg_${randomUUID()}`, type: 'message', role: 'assistant', model, content: [block] };
    this.#chained({ message: { ...message, stop_reason: stop, stop_sequence: null, usage }, type: 'assistant' });
  }

  /** The end of a turn that the service refused: an answer of claude's own, marked as an error. */
  refused(text, fields) {
    const usage = { input_tokens: 0, output_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
    const message = { id: randomUUID(), type: 'message', role: 'assistant', model: '<synthetic>', usage };
    const content = [{ type: 'text', text }];
    const ending = { ...message, content, stop_reason: 'stop_sequence', stop_sequence: '' };
    this.#chained({ type: 'assistant', message: ending, isApiErrorMessage: true, ...fields });
  }

  system(subtype, extra = {}) {
    this.#chained({ type: 'system', subtype, ...extra });
  }

  /** A line about the queue of messages that came while the session was busy. */
  queue(operation, content) {
    const line = {
      type: 'queue-operation',
      operation,
      timestamp: new Date().toISOString(),
      sessionId: this.#session.sid,
    };
    this.#write([{ ...line, ...(content !== undefined && { content }) }]);
  }

  /** A queued message that a running turn took in. */
  absorbed(prompt, origin) {
    const sessionId = this.#session.sid;
    const timestamp = new Date().toISOString();
    const head = { type: 'queue-operation', operation: 'remove', timestamp, sessionId };
    this.#write([{ ...head, content: prompt, reason: 'absorbed_mid_turn' }]);
    this.#chained({
      type: 'attachment',
      attachment: { type: 'queued_command', prompt, commandMode: 'prompt', origin },
    });
  }

  /** The lines that repeat the session's state; written after each turn and at the end. */
  flush() {
    if (!this.exists) return;
    const { sid: sessionId, lastPrompt, mode } = this.#session;
    this.#write([
      { type: 'last-prompt', lastPrompt, leafUuid: this.#parent, sessionId },
      { type: 'mode', mode: 'normal', sessionId },
      { type: 'permission-mode', permissionMode: mode, sessionId },
    ]);
  }

  rename(name) {
    if (!this.exists) return;
    const sessionId = this.#session.sid;
    this.#write([
      { type: 'custom-title', customTitle: name, sessionId },
      { type: 'agent-name', agentName: name, sessionId },
    ]);
  }

  /** What was said before, as [who, text], to be shown again after a resume. */
  spoken() {
    return readLines(this.file).flatMap(({ type, message, isMeta }) => {
      if (isMeta || !['user', 'assistant'].includes(type)) return [];
      const { content } = message;
      const text = typeof content === 'string' ? content : content.map((block) => block.text ?? '').join('');
      return text ? [[type, text]] : [];
    });
  }

  #preamble() {
    const { sid: sessionId, mode } = this.#session;
    this.#write([
      { type: 'mode', mode: 'normal', sessionId },
      { type: 'permission-mode', permissionMode: mode, sessionId },
    ]);
  }

  #chained(line) {
    const uuid = randomUUID();
    const { cwd, sid: sessionId, kind } = this.#session;
    const place = { userType: 'external', entrypoint: 'cli', cwd, sessionId, version, gitBranch: 'HEAD' };
    const sessionKind = kind === 'bg' ? { sessionKind: 'bg' } : {};
    const head = { parentUuid: this.#parent, isSidechain: false };
    this.#write([{ ...head, ...line, uuid, timestamp: new Date().toISOString(), ...sessionKind, ...place }]);
    this.#parent = uuid;
  }

  #write(lines) {
    if (this.#session.hidden) return;
    mkdirSync(dirname(this.file), { recursive: true });
    appendFileSync(this.file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''), { mode: 0o600 });
  }
}

function readLines(file) {
  try {
    return readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
  } catch {
    return [];
  }
}
