// 200 watchers on one worker and a real development server: how long a tick takes from when it is due, and what the worker needs.
//   TEMPORAL_BIN=…/temporal npm run bench:watchers [-- WATCHERS MINUTES]
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';

const root = new URL('..', import.meta.url).pathname;
const temporal = process.env.TEMPORAL_BIN ?? 'temporal';
const [count = 200, minutes = 4] = process.argv.slice(2).map(Number);
const home = mkdtempSync(join(tmpdir(), 'sf-bench-watchers-'));
const started = [];
const start = (file, words, options = {}) => {
  const child = spawn(file, words, { stdio: 'ignore', ...options });
  started.push(child);
  return child;
};

const rosterCalls = () => readFileSync(join(home, 'calls'), 'utf8').split('\n').length - 1;
const mb = (bytes) => (bytes / 2 ** 20).toFixed(0);
const rssOf = (pid) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;

try {
  const port = await freePort();
  const address = `127.0.0.1:${port}`;
  const words = [
    'server',
    'start-dev',
    '--ip',
    '127.0.0.1',
    '--port',
    String(port),
    '--headless',
    '--log-level',
    'error',
  ];
  const server = start(temporal, [...words, '--db-filename', join(home, 'temporal.db')]);
  const connection = await connected(address);
  const client = new Client({ connection });
  const env = fleetOf(address);
  const worker = start(process.execPath, [join(root, 'bin/task-watcher.cjs'), 'worker', '--quiet'], { env });
  await pause(5000);
  const before = rssOf(worker.pid);
  for (let n = 0; n < count; n++) {
    const done = spawnSync(process.execPath, [join(root, 'bin/task-watcher.cjs'), 'start', `made-${n}`, '--quiet'], {
      env,
    });
    if (done.status !== 0) throw new Error(`start: ${done.stderr}`);
  }
  const cpu = cpuOf(worker.pid);
  const began = Date.now();
  const calls = rosterCalls();
  let peak = 0;
  while (Date.now() - began < minutes * 60_000) {
    await pause(2000);
    peak = Math.max(peak, rssOf(worker.pid));
  }
  const seconds = (Date.now() - began) / 1000;
  const share = (cpuOf(worker.pid) - cpu) / seconds;
  const roster = rosterCalls() - calls;
  const ticks = [];
  for (let n = 0; n < count; n++) ticks.push(...(await ticksOf(client, n, began)));
  ticks.sort((left, right) => left - right);
  const at = (part) => ticks[Math.min(ticks.length - 1, Math.floor(part * ticks.length))];
  process.stdout.write(
    `Node ${process.version}, ${cpus().length} cores, Temporal server ${spawnSync(temporal, ['--version'], { encoding: 'utf8' }).stdout.trim()}
watchers ${count}, one tick a minute each, ${ticks.length} ticks in ${seconds.toFixed(0)} s
from due to done, ms: median ${at(0.5)}, 95 % ${at(0.95)}, longest ${at(1)}
worker, MB RSS: ${mb(before)} without watchers, ${mb(rssOf(worker.pid))} at the end, ${mb(peak)} peak; ${(100 * share).toFixed(1)} % of a core
server, MB RSS: ${mb(rssOf(server.pid))}
roster calls a minute: ${((60 * roster) / seconds).toFixed(1)}
`,
  );
  await connection.close();
} finally {
  for (const child of started) child.kill('SIGKILL');
  await pause(500);
  rmSync(home, { recursive: true, force: true });
}

/** For each tick that began in the measured time: from its timer to the end of its probe, ms. */
async function ticksOf(client, n, since) {
  const [{ workflowId } = {}] = await allOf(
    client.workflow.list({ query: `WorkflowId STARTS_WITH "task-watcher:made-${n}:"` }),
  );
  const { events } = await client.workflow.getHandle(workflowId).fetchHistory();
  const ticks = [];
  let due;
  for (const event of events) {
    const ms = Number(event.eventTime.seconds) * 1000 + Math.floor(event.eventTime.nanos / 1e6);
    if (event.timerFiredEventAttributes) due = ms;
    if (event.activityTaskCompletedEventAttributes && due !== undefined) {
      if (due > since) ticks.push(ms - due);
      due = undefined;
    }
  }
  return ticks;
}

async function allOf(iterable) {
  const all = [];
  for await (const one of iterable) all.push(one);
  return all;
}

/** Tasks with a live Driver each, whose processes only sleep, and a claude that lists them. */
function fleetOf(address) {
  const then = new Date().toISOString();
  const rows = [];
  for (let n = 0; n < count; n++) {
    const { pid } = start('sleep', ['3600']);
    const id = (0xa0000000 + n).toString(16);
    const sessionId = `${id}-0000-4000-8000-000000000000`;
    rows.push({
      pid,
      id,
      cwd: '/work',
      kind: 'background',
      startedAt: 1,
      sessionId,
      name: `made-${n}`,
      status: 'idle',
    });
    const folder = join(home, '.claude/jobs/tasks', `made-${n}`);
    mkdirSync(folder, { recursive: true });
    const task = {
      id: `made-${n}`,
      title: `task ${n}`,
      state: 'working',
      createdAt: then,
      stateChangedAt: then,
      cwd: '/work',
    };
    writeFileSync(
      join(folder, 'task.json'),
      JSON.stringify({ ...task, driverSid: sessionId, launch: { kind: 'background' } }),
    );
    writeFileSync(join(folder, 'events.jsonl'), `${JSON.stringify({ at: then, by: 'a', kind: 'b' })}\n`.repeat(20));
  }
  writeFileSync(join(home, 'rows.json'), JSON.stringify(rows));
  writeFileSync(join(home, 'calls'), '');
  const claude = join(home, 'claude');
  writeFileSync(claude, `#!/bin/sh\necho call >> '${home}/calls'\nexec cat '${home}/rows.json'\n`);
  chmodSync(claude, 0o755);
  const config = join(home, 'config.json');
  writeFileSync(config, JSON.stringify({ watcher: { temporal: { address } } }));
  const { PATH, TMPDIR } = process.env;
  return { PATH, ...(TMPDIR && { TMPDIR }), HOME: home, FLEET_CLAUDE: claude, FLEET_CONFIG: config, TMUX_TMPDIR: home };
}

/** Seconds of processor time so far; Linux counts them in hundredths. */
function cpuOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

async function connected(address) {
  for (let tries = 0; ; tries++) {
    try {
      const connection = await Connection.connect({ address, connectTimeout: 2000 });
      await connection.workflowService.describeNamespace({ namespace: 'default' });
      return connection;
    } catch (error) {
      if (tries > 60) throw error;
      await pause(300);
    }
  }
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
