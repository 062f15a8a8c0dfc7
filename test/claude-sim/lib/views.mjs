import { rmSync } from 'node:fs';
import { createServer } from 'node:net';

const enter = '\x1b[?1049h\x1b[?2004h';
const leave = '\x1b[?2004l\x1b[?1049l';

function painted({ lines, cursor: [row, column] = [0, 0] }) {
  const text = lines.map((line) => `${line}\x1b[K`).join('\r\n');
  return `\x1b[?25l\x1b[H${text}\x1b[J\x1b[${row + 1};${column + 1}H`;
}

/** The terminal that an interactive session was started in. */
export class TtyView {
  constructor(onInput, onResize) {
    process.stdin.setRawMode(true);
    process.stdin.setEncoding('utf8').on('data', onInput);
    process.stdout.on('resize', onResize);
    process.stdout.on('error', () => {});
    process.stdout.write(enter);
  }

  get size() {
    return [process.stdout.columns || 80, process.stdout.rows || 24];
  }

  draw(frame) {
    process.stdout.write(painted(frame));
  }

  close(lastWords = '') {
    process.stdin.setRawMode(false);
    process.stdin.pause();
    process.stdout.write(`${leave}\x1b[?25h${lastWords}`);
  }
}

/** The screens of a background session: every `claude attach` that is connected, or none. */
export class SocketView {
  #clients = new Set();
  #lines = [];
  size = [200, 50];

  constructor(path, onInput, onResize) {
    this.path = path;
    rmSync(path, { force: true });
    this.server = createServer((socket) => {
      this.#clients.add(socket);
      let buffered = '';
      socket.setEncoding('utf8').on('data', (chunk) => {
        const lines = (buffered + chunk).split('\n');
        buffered = lines.pop();
        for (const line of lines) this.#hear(JSON.parse(line), socket, onInput, onResize);
      });
      socket.on('error', () => {});
      socket.on('close', () => this.#clients.delete(socket));
    }).listen(path);
  }

  #hear({ size, input, logs }, socket, onInput, onResize) {
    if (logs) socket.end(`${this.#lines.join('\n')}\n`);
    if (size) {
      this.size = size;
      onResize();
    }
    if (input) onInput(input, socket);
  }

  draw(frame) {
    this.#lines = frame.lines;
    for (const client of this.#clients) client.write(painted(frame));
  }

  close() {
    for (const client of this.#clients) client.destroy();
    this.server.close();
    rmSync(this.path, { force: true });
  }
}
