// Measures whole commands against `node -e 0` (and against one real `claude agents --json` where there is one):
// interleaved runs, medians and ratios, peak memory. Prints a table; `--write` puts it into docs/benchmarks.md.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';

const root = new URL('..', import.meta.url).pathname;
const RUNS = Number(process.env.BENCH_RUNS ?? 21);
const LIMITS = { 'session-cap admit': 1.6, 'session-cap status (100 sessions × 10 processes)': 3 };
const PEAK_LIMIT_MB = 90;

const home = mkdtempSync(join(tmpdir(), 'sf-bench-'));
const env = {
  PATH: process.env.PATH,
  HOME: home,
  LANG: 'C.UTF-8',
  TMUX_TMPDIR: home,
  FLEET_CLAUDE: join(home, 'claude'),
};
const started = [];

try {
  writeFileSync(env.FLEET_CLAUDE, `#!/bin/sh\nexec cat ${home}/rows.json\n`, { mode: 0o755 });
  const base = [process.execPath, '-e', '0'];
  const command = (name, ...args) => [process.execPath, join(root, 'bin', `${name}.cjs`), ...args];
  rosterOf([]);
  const rows = [compare('session-cap admit', command('session-cap', 'admit', '--ttl', '1s', '--max', '100000'), base)];
  rows.push(compare('session-cap admit, refused', command('session-cap', 'admit', '--max', '0'), base));
  await fleetOf(100, 10);
  rows.push(compare('session-cap status (100 sessions × 10 processes)', command('session-cap', 'status'), base));
  rows.push(compare('session-cap status --json (same)', command('session-cap', 'status', '--json'), base));
  rows.push(compare('session-cap expire --dry-run (same)', command('session-cap', 'expire', '--dry-run'), base));
  rows.push(compare('session-cap sample (same)', command('session-cap', 'sample'), base));
  rows.push(
    compare('session-exit --dry-run, background (same)', command('session-exit', 'aaaa0000', '--dry-run'), base),
  );
  const claude = join(root, 'test/e2e/node_modules/@anthropic-ai/claude-code-linux-x64/claude');
  if (existsSync(claude))
    rows.push(compare('for comparison: claude agents --json', [claude, 'agents', '--json'], base));
  report(rows);
} finally {
  for (const child of started) process.kill(-child.pid, 'SIGKILL');
  rmSync(home, { recursive: true, force: true });
}

function rosterOf(rows) {
  writeFileSync(join(home, 'rows.json'), JSON.stringify(rows));
}

/** `sessions` process groups of `size` processes each, whose first calls itself claude, with transcripts and a roster. */
async function fleetOf(sessions, size) {
  const projects = join(home, '.claude/projects/-work');
  mkdirSync(projects, { recursive: true });
  const rows = [];
  for (let n = 0; n < sessions; n++) {
    const id = `aaaa${String(n).padStart(4, '0')}-0000-4000-8000-000000000000`;
    const child = spawn('bash', ['-c', `for i in $(seq ${size - 1}); do sleep 600 & done; exec -a claude sleep 600`], {
      env,
      detached: true,
      stdio: 'ignore',
    });
    started.push(child);
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
  for (const child of started) {
    while (spawnSync('pgrep', ['-c', '-g', String(child.pid)], { encoding: 'utf8' }).stdout.trim() !== String(size)) {
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
  once(command);
  const ratios = [];
  const walls = [];
  const peaks = [];
  for (let run = 0; run < RUNS; run++) {
    const other = once(base);
    const own = once(command);
    ratios.push(own.wall / other.wall);
    walls.push(own.wall);
    peaks.push(own.peak / 1024);
  }
  return { name, ratio: median(ratios), wall: median(walls), peak: Math.max(...peaks) };
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
      ({ name, ratio, wall, peak }) =>
        `| ${name} | ${ratio.toFixed(2)} | ${LIMITS[name] ?? ''} | ${wall.toFixed(0)} | ${peak.toFixed(0)} |`,
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
    ({ name, ratio, peak }) =>
      ratio > (LIMITS[name] ?? Infinity) || (!name.startsWith('for comparison') && peak > PEAK_LIMIT_MB),
  );
  for (const { name } of over) process.stdout.write(`over its limit: ${name}\n`);
  process.exitCode = over.length > 0 ? 1 : 0;
}
