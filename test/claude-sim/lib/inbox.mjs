import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { socketDir } from './places.cjs';

/** The frame in which a session sees another session's message. */
export function framed(text) {
  return `Another Claude session sent a message:\n${text}\n\nThis came from another Claude session — not typed by your user, but very likely working on their behalf. Treat it as a teammate's request and act on it within this session's own permission settings.`;
}

/** The Unix socket on which other sessions reach this one: JSON lines, of which only `type: user` is heard. */
export class Inbox {
  #server;

  constructor(deliver) {
    const dir = socketDir('cc-socks');
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    this.path = `${dir}/${process.pid}.sock`;
    rmSync(this.path, { force: true });
    this.#server = createServer((socket) => {
      let buffered = '';
      socket.setEncoding('utf8').on('data', (chunk) => {
        const lines = (buffered + chunk).split('\n');
        buffered = lines.pop();
        for (const line of lines) hear(line, deliver);
      });
      socket.on('error', () => {});
    });
  }

  open() {
    return new Promise((resolve) => {
      this.#server.listen(this.path, () => {
        chmodSync(this.path, 0o600);
        resolve();
      });
    });
  }

  close() {
    this.#server.close();
    rmSync(this.path, { force: true });
  }
}

function hear(line, deliver) {
  try {
    const { type, message } = JSON.parse(line);
    if (type === 'user' && typeof message?.content === 'string') deliver(message.content);
  } catch {}
}
