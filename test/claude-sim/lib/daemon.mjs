import { appendFileSync, mkdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { comm } from './comm.mjs';
import { controlSocket, daemonDir } from './daemon-places.mjs';
import { Fleet } from './fleet.mjs';
import { leash } from './leash.mjs';
import { configDir, writeJson } from './places.cjs';

const idleExit = Number(process.env.CLAUDE_SIM_DAEMON_IDLE_MS ?? 5000);

/** `claude daemon run`: launches, stops and brings back background sessions, until there is none left to look after. */
export function runDaemon() {
  comm();
  const started = Date.now();
  mkdirSync(`${daemonDir}/pty`, { recursive: true, mode: 0o700 });
  const fleet = new Fleet(log, () => rest());
  const answers = {
    launch: (question) => fleet.launch(question),
    stop: ({ id }) => fleet.stop(id),
    status: () => ({ pid: process.pid, uptime: Date.now() - started, workers: fleet.size }),
    quit: async () => {
      await fleet.close();
      setTimeout(leave, 20);
      return { pid: process.pid };
    },
  };
  const server = createServer({ allowHalfOpen: true }, (socket) => serve(socket, answers));
  server.on('error', () => process.exit(1));
  const leave = () => {
    rmSync(daemonDir, { recursive: true, force: true });
    process.exit(0);
  };
  const end = async () => {
    await fleet.close();
    leave();
  };
  let idle;
  const rest = () => {
    clearTimeout(idle);
    writeJson(`${configDir}/daemon/roster.json`, { proto: 1, supervisorPid: process.pid, workers: fleet.workers }, 2);
    if (fleet.size === 0) idle = setTimeout(end, idleExit);
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, end);
  leash(end);
  server.listen(controlSocket, () => {
    log('supervisor', `─── daemon start ─── version=stand-in pid=${process.pid} origin=transient`);
    log('bg', `bg: control socket bound at ${controlSocket}`);
    rest();
  });
}

function serve(socket, answers) {
  let asked = '';
  socket.setEncoding('utf8').on('data', (chunk) => {
    asked += chunk;
  });
  socket.on('error', () => {});
  socket.on('end', async () => {
    try {
      const question = JSON.parse(asked);
      socket.end(JSON.stringify((await answers[question.op](question)) ?? {}));
    } catch (error) {
      socket.end(JSON.stringify({ error: String(error) }));
    }
  });
}

function log(part, text) {
  appendFileSync(`${configDir}/daemon.log`, `[${new Date().toISOString()}] [${part}] ${text}\n`);
}
