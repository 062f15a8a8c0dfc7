// Measures whole commands against `node -e 0` (and against one real `claude agents --json` where there is one):
// interleaved runs, medians and ratios, peak memory. Prints a table; `--write` puts it into docs/benchmarks.md.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';

const root = new URL('..', import.meta.url).pathname;
const RUNS = Number(process.env.BENCH_RUNS ?? 21);
const LIMITS = {
  'session-cap admit': 1.6,
  'session-cap status (100 sessions × 10 processes)': 3,
  'start-driver (all but claude’s own start)': 3,
  'watcher-doctor --checkin-text': 1.6,
  'task-claim acquire': 2.2,
  'task-claim complete': 2.2,
};
/** Limits against something else than `node -e 0`. */
const OTHER_LIMITS = {
  'supervisor-sweep (1,000 tasks, 40 open, 40 sessions)': { times: 0.8, of: 'one `claude agents --json`' },
  'supervisor-sweep (10,000 tasks, 40 open, 40 sessions)': { times: 3, of: 'that of 1,000 tasks' },
  'task-watcher tick --all (200 tasks, 40 sessions)': { times: 0.8, of: 'one `claude agents --json`' },
};
const PEAK_LIMIT_MB = 110;

const home = mkdtempSync(join(tmpdir(), 'sf-bench-'));
// The caller's own environment, as the commands run in it, but for what would show them the caller's own fleet.
const { FLEET_HOME, FLEET_CONFIG, CLAUDE_CONFIG_DIR, ...inherited } = process.env;
const env = { ...inherited, HOME: home, TMUX_TMPDIR: home, FLEET_CLAUDE: join(home, 'claude') };
const started = [];
const INSTANT_ROSTER = `#!/bin/sh\nexec cat ${home}/rows.json\n`;

try {
  writeFileSync(env.FLEET_CLAUDE, INSTANT_ROSTER, { mode: 0o755 });
  const base = [process.execPath, '-e', '0'];
  const command = (name, ...args) => [process.execPath, join(root, 'bin', `${name}.cjs`), ...args];
  rosterOf([]);
  const rows = [
    compare('session-cap admit', command('session-cap', 'admit', '--ttl', '100s', '--max', '100000'), base),
  ];
  rows.push(compare('session-cap admit, refused', command('session-cap', 'admit', '--max', '0'), base));
  rows.push(compare('start-driver (all but claude’s own start)', await startDriver(command), base));
  tasksOf(10_000);
  rows.push(compare('task-file list --open (10,000 tasks)', command('task-file', 'list', '--open'), base));
  rmSync(join(home, '.claude/jobs/tasks'), { recursive: true });
  writeFileSync(env.FLEET_CLAUDE, INSTANT_ROSTER, { mode: 0o755 });
  await fleetOf(100, 10);
  rows.push(compare('session-cap status (100 sessions × 10 processes)', command('session-cap', 'status'), base));
  rows.push(compare('session-cap status --json (same)', command('session-cap', 'status', '--json'), base));
  rows.push(compare('session-cap expire --dry-run (same)', command('session-cap', 'expire', '--dry-run'), base));
  rows.push(compare('session-cap sample (same)', command('session-cap', 'sample'), base));
  rows.push(
    compare('session-exit --dry-run, background (same)', command('session-exit', 'aaaa0000', '--dry-run'), base),
  );
  rows.push(...claims(command, base));
  endAll();
  await fleetOf(40, 10);
  const claude = join(root, 'test/e2e/node_modules/@anthropic-ai/claude-code-linux-x64/claude');
  const roster = existsSync(claude) ? [claude, 'agents', '--json'] : undefined;
  const sweepOf = (tasks) => ['env', `FLEET_HOME=${superviseOf(tasks, 40)}`, ...command('supervisor-sweep', '--quiet')];
  const [thousand, tenThousand] = [sweepOf(1000), sweepOf(10_000)];
  const sweeps = compare('supervisor-sweep (1,000 tasks, 40 open, 40 sessions)', thousand, base);
  if (roster !== undefined) sweeps.other = compare('', thousand, roster).ratio;
  const many = compare('supervisor-sweep (10,000 tasks, 40 open, 40 sessions)', tenThousand, base);
  many.other = compare('', tenThousand, thousand).ratio;
  rows.push(sweeps, many);
  const home200 = superviseOf(200, 200);
  const ticks = ['env', `FLEET_HOME=${home200}`, ...command('task-watcher', 'tick', '--all', '--quiet')];
  const ticking = compare('task-watcher tick --all (200 tasks, 40 sessions)', ticks, base);
  if (roster !== undefined) ticking.other = compare('', ticks, roster).ratio;
  rows.push(ticking);
  const text = ['env', `FLEET_HOME=${home200}`, ...command('watcher-doctor', '--checkin-text', 'made-7')];
  rows.push(compare('watcher-doctor --checkin-text', text, base));
  if (roster !== undefined) rows.push(compare('for comparison: claude agents --json', roster, base));
  report(rows);
} finally {
  endAll();
  rmSync(home, { recursive: true, force: true });
}

function endAll() {
  for (const child of started.splice(0)) process.kill(-child.pid, 'SIGKILL');
}

function rosterOf(rows) {
  writeFileSync(join(home, 'rows.json'), JSON.stringify(rows));
}

/** A claude that starts a session in no time: one that runs already, under the name it is given, told the brief. */
async function startDriver(command) {
  const sleeper = spawn('bash', ['-c', 'exec -a claude sleep 600'], { env, detached: true, stdio: 'ignore' });
  started.push(sleeper);
  const work = join(home, 'work');
  const projects = join(home, '.claude/projects', work.replace(/[^A-Za-z0-9]/g, '-'));
  mkdirSync(work);
  mkdirSync(projects, { recursive: true });
  writeFileSync(join(home, 'brief'), 'hello');
  const row = `{"pid":${sleeper.pid},"id":"%.8s","cwd":"${work}","kind":"background","startedAt":1,"sessionId":"%s","name":"%s","status":"idle"}`;
  const script = `#!/bin/sh
[ "$1" = agents ] && exec cat ${home}/rows.json
read sid < /proc/sys/kernel/random/uuid
printf '{"type":"user","sessionId":"%s","message":{"role":"user","content":"hello"}}\\n' $sid > ${projects}/$sid.jsonl
printf '[${row}]' $sid $sid "$3" > ${home}/rows.json
echo "backgrounded · $(printf %.8s $sid) · $3"
`;
  writeFileSync(env.FLEET_CLAUDE, script, { mode: 0o755 });
  let task = 0;
  return () => command('start-driver', `task-${task++}`, '--cwd', work, '--brief', join(home, 'brief'));
}

/** Claims of SQLite: each call takes another key; a hundred are finalized in one. */
function claims(command, base) {
  const pid = String(process.pid);
  let taken = 0;
  let ended = 0;
  const acquire = () => command('task-claim', 'acquire', `bench:${taken++}`, '--pid', pid, '--quiet');
  const complete = () => command('task-claim', 'complete', `bench:${ended++}`, '--pid', pid, '--quiet');
  const sidecar = join(home, 'claims.jsonl');
  const lines = Array.from({ length: 100 }, (_, n) => JSON.stringify({ key: `bench:${n}`, generation: 1 }));
  writeFileSync(sidecar, `${lines.join('\n')}\n`);
  return [
    compare('task-claim acquire', acquire, base),
    compare('task-claim complete', complete, base),
    compare(
      'task-claim finalize (100 claims)',
      command('task-claim', 'finalize', '--exit-code', '1', '--sidecar', sidecar, '--quiet'),
      base,
    ),
    compare(
      'session-run --preclaim, of true',
      () => command('session-run', '--preclaim', `run:${taken++}`, '--', 'true'),
      base,
    ),
  ];
}

function tasksOf(count) {
  for (let n = 0; n < count; n++) {
    const folder = join(home, '.claude/jobs/tasks', `made-${n}`);
    mkdirSync(folder, { recursive: true });
    const state = n % 10 === 0 ? 'working' : 'done';
    writeFileSync(
      join(folder, 'task.json'),
      JSON.stringify({ state, title: `task ${n}`, createdAt: '2026-01-01T00:00:00Z' }),
    );
  }
}

/** A fleet home with `tasks` tasks, of which the first `open` ones have a live Driver each, and one sweep behind it. */
function superviseOf(tasks, open) {
  const fleetHome = join(home, `fleet-${tasks}`);
  const rows = JSON.parse(readFileSync(join(home, 'rows.json'), 'utf8'));
  const then = '2026-01-01T00:00:00.000Z';
  for (let n = 0; n < tasks; n++) {
    const folder = join(fleetHome, 'tasks', `made-${n}`);
    mkdirSync(folder, { recursive: true });
    const driverSid = rows[n % rows.length].sessionId;
    const base = {
      id: `made-${n}`,
      title: `task ${n}`,
      createdAt: then,
      cwd: '/work',
      driverSid,
      launch: { kind: 'background' },
    };
    const over = { state: 'done', stateChangedAt: then, releasedAt: then, exitedAt: then };
    writeFileSync(
      join(folder, 'task.json'),
      JSON.stringify({ ...base, ...(n < open ? { state: 'working' } : over) }, null, 2),
    );
    writeFileSync(join(folder, 'events.jsonl'), `${JSON.stringify({ at: then, by: 'a', kind: 'b' })}\n`.repeat(20));
  }
  for (let sweep = 0; sweep < 2; sweep++)
    once(['env', `FLEET_HOME=${fleetHome}`, process.execPath, join(root, 'bin/supervisor-sweep.cjs')]);
  return fleetHome;
}

/** `sessions` process groups of `size` processes each, whose first calls itself claude, with transcripts and a roster. */
async function fleetOf(sessions, size) {
  const projects = join(home, '.claude/projects/-work');
  mkdirSync(projects, { recursive: true });
  const rows = [];
  const groups = [];
  for (let n = 0; n < sessions; n++) {
    const id = `aaaa${String(n).padStart(4, '0')}-0000-4000-8000-000000000000`;
    const child = spawn('bash', ['-c', `for i in $(seq ${size - 1}); do sleep 600 & done; exec -a claude sleep 600`], {
      env,
      detached: true,
      stdio: 'ignore',
    });
    started.push(child);
    groups.push(child);
    writeFileSync(join(projects, `${id}.jsonl`), `${JSON.stringify({ type: 'user', sessionId: id })}\n`.repeat(200));
    rows.push({
      pid: child.pid,
      id: id.slice(0, 8),
      cwd: '/work',
      kind: 'background',
      startedAt: Date.now(),
      sessionId: id,
      name: `session ${n}`,
      status: 'idle',
      state: 'working',
    });
  }
  rosterOf(rows);
  // Every group has become what it should be once the last sleeper of each is there.
  const deadline = Date.now() + 60_000;
  for (const child of groups) {
    while (spawnSync('pgrep', ['-c', '-g', String(child.pid)], { encoding: 'utf8' }).stdout.trim() !== String(size)) {
      if (Date.now() > deadline) throw new Error('the made fleet did not come up');
      await new Promise((done) => setTimeout(done, 20));
    }
  }
}

/** Wall ms and peak resident KB of one run. */
function once([file, ...args]) {
  const began = process.hrtime.bigint();
  const { status, stderr } = spawnSync('/usr/bin/time', ['-f', '%M', file, ...args], {
    env,
    encoding: 'utf8',
    cwd: home,
    maxBuffer: 64 << 20,
  });
  const wall = Number(process.hrtime.bigint() - began) / 1e6;
  if (![0, 1, 75].includes(status)) throw new Error(`${file} ${args.join(' ')} ended with ${status}: ${stderr}`);
  return { wall, peak: Number(stderr.trim().split('\n').at(-1)) };
}

function compare(name, command, base) {
  const next = typeof command === 'function' ? command : () => command;
  once(next());
  const homes = ['.claude/jobs', 'fleet-200', 'fleet-1000', 'fleet-10000'];
  const afresh = () => {
    for (const one of homes) rmSync(join(home, one, 'fleet/roster.json'), { force: true });
  };
  const ratios = [];
  const walls = [];
  const peaks = [];
  for (let run = 0; run < RUNS; run++) {
    const other = once(base);
    // Each run makes its own roster call: none lives on the answer of the one before.
    afresh();
    const own = once(next());
    ratios.push(own.wall / other.wall);
    walls.push(own.wall);
    peaks.push(own.peak / 1024);
  }
  return { name, ratio: median(ratios), wall: median(walls), peak: Math.max(...peaks) };
}

function limitWords(name, other) {
  const limit = OTHER_LIMITS[name];
  if (limit === undefined || other === undefined) return LIMITS[name] ?? '';
  return `${limit.times} × ${limit.of}; measured ${other.toFixed(2)}`;
}

function median(numbers) {
  const sorted = [...numbers].sort((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)];
}

function report(rows) {
  const lines = [
    '| command | wall, × `node -e 0` | limit | wall, ms | peak memory, MB |',
    '| --- | --- | --- | --- | --- |',
    ...rows.map(
      ({ name, ratio, wall, peak, other }) =>
        `| ${name} | ${ratio.toFixed(2)} | ${limitWords(name, other)} | ${wall.toFixed(0)} | ${peak.toFixed(0)} |`,
    ),
  ];
  const how = `Node ${process.version}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, ${process.platform}; ${RUNS} interleaved pairs, median of the pairs' ratios, highest peak.`;
  process.stdout.write(`${how}\n\n${lines.join('\n')}\n`);
  if (process.argv.includes('--write')) {
    const file = join(root, 'docs/benchmarks.md');
    const text = readFileSync(file, 'utf8');
    writeFileSync(
      file,
      text.replace(/<!-- table -->[\s\S]*<!-- end -->/, `<!-- table -->\n${how}\n\n${lines.join('\n')}\n<!-- end -->`),
    );
  }
  const over = rows.filter(
    ({ name, ratio, peak, other }) =>
      ratio > (LIMITS[name] ?? Infinity) ||
      (other !== undefined && other > OTHER_LIMITS[name].times) ||
      (!name.startsWith('for comparison') && peak > PEAK_LIMIT_MB),
  );
  for (const { name } of over) process.stdout.write(`over its limit: ${name}\n`);
  process.exitCode = over.length > 0 ? 1 : 0;
}
