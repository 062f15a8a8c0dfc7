import { connect } from 'node:net';
import { agentViewMark } from './commands.mjs';
import { ptySocket } from './daemon-places.mjs';
import { disguise } from './disguise.mjs';
import { jobByIdOrName, noMatch } from './find-job.mjs';
import { leash } from './leash.mjs';
import { rosterRows } from './roster.cjs';

/** `claude attach <id>`: shows a background session here until it ends or Ctrl+Z is pressed. */
export async function attach([wanted = '']) {
  const id = wanted && jobByIdOrName(wanted);
  if (!id) return noMatch(wanted);
  if (!process.stdin.isTTY) return;
  disguise(['claude', 'attach', wanted]);
  leash(() => process.exit(0));
  const socket = connect(ptySocket(id));
  const send = (message) => socket.write(`${JSON.stringify(message)}\n`);
  const leave = () => {
    process.stdin.setRawMode(false);
    process.stdout.write('\x1b[?2004l\x1b[?1049l\x1b[?25h');
    process.exit(0);
  };
  let viewing = true;
  socket.on('connect', () => {
    process.stdin.setRawMode(true);
    process.stdout.write('\x1b[?1049h\x1b[?2004h');
    send({ size: [process.stdout.columns, process.stdout.rows] });
  });
  socket.setEncoding('utf8').on('data', (chunk) => {
    if (!viewing) return;
    if (chunk.includes(agentViewMark)) {
      viewing = false;
      process.stdout.write(agentView());
    } else {
      process.stdout.write(chunk);
    }
  });
  socket.on('error', () => noMatch(wanted));
  socket.on('close', () => viewing && leave());
  process.stdout.on('resize', () => send({ size: [process.stdout.columns, process.stdout.rows] }));
  process.stdin.setEncoding('utf8').on('data', (chunk) => {
    if (chunk.includes('\x1a') || (!viewing && /[\x03\x1b]/.test(chunk))) return leave();
    if (viewing) send({ input: chunk });
  });
}

/** The list of background sessions, which `/exit` in an attached session leads to. */
function agentView() {
  const rows = rosterRows().filter((row) => row.kind === 'background');
  const lines = rows.map((row) => `  ✻ ${row.name}`);
  return `\x1b[H\x1b[J${['', ' Claude Code', '', '  Working', ...lines, '', '❯ describe a task for a new session'].join('\r\n')}`;
}
