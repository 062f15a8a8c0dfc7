// npm run bench: measures whole commands against `node -e 0` (and against one real `claude agents --json` where there is one):
// interleaved runs, medians and ratios, peak memory. Prints a table; `--write` puts it into docs/benchmarks.md.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Made } from './bench/made.mjs';
import { Bench } from './bench/measure.mjs';

const root = new URL('..', import.meta.url).pathname;
const home = mkdtempSync(join(tmpdir(), 'sf-bench-'));
// The caller's own environment, as the commands run in it, but for what would show them the caller's own fleet.
const { FLEET_HOME, FLEET_CONFIG, CLAUDE_CONFIG_DIR, ...inherited } = process.env;
const env = { ...inherited, HOME: home, TMUX_TMPDIR: home, FLEET_CLAUDE: join(home, 'claude') };
const bench = new Bench(root, home, env);
const made = new Made(bench);
const { command } = bench;

try {
  nobody();
  starts();
  manyTasks();
  await hundredSessions();
  claims();
  made.endAll();
  await fortySessions();
  bench.report();
} finally {
  made.endAll();
  rmSync(home, { recursive: true, force: true });
}

/** On a machine without sessions. */
function nobody() {
  bench.row('session-cap admit', command('session-cap', 'admit', '--ttl', '100s', '--max', '100000'));
  bench.row('session-cap admit, refused', command('session-cap', 'admit', '--max', '0'));
  bench.row('session-cap run, of true', command('session-cap', 'run', '--max', '100000', '--', 'true'));
  const admit = command('session-cap', 'admit', '--max', '100000');
  bench.row('session-cap release', () => command('session-cap', 'release', bench.said(admit)));
  bench.row('session-cap log', command('session-cap', 'log'));
  bench.row('fleet-schedule print --target cron', command('fleet-schedule', 'print', '--target', 'cron'));
  bench.row('fleet-schedule status', command('fleet-schedule', 'status'));
  let raised = 0;
  const which = ['--title', 'which?', '--option', 'a=A', '--option', 'b=B', '--key'];
  bench.row('decision-ledger raise', () => command('decision-ledger', 'raise', ...which, `k${raised++}`));
  bench.row('decision-ledger list', command('decision-ledger', 'list'));
}

/** Starts, but for what claude itself takes. */
function starts() {
  const { work, brief } = made.instantStarts();
  let task = 0;
  const next = () => command('start-driver', `task-${task++}`, '--cwd', work, '--brief', brief);
  bench.row('start-driver (all but claude’s own start)', next);
  made.tasksOf(100, { prefix: 'dead', open: () => true, cwd: work });
  let dead = 0;
  bench.row('driver-kickoff --fresh (same)', () => command('driver-kickoff', `dead-${dead++}`, '--fresh'));
  rmSync(join(home, '.claude/jobs/tasks'), { recursive: true });
  made.instantRoster();
}

function manyTasks() {
  made.tasksOf(10_000);
  bench.row('task-file list --open (10,000 tasks)', command('task-file', 'list', '--open'));
  bench.row('task-file show (same)', command('task-file', 'show', 'made-7'));
  let value = 0;
  bench.row('task-file set (same)', () => command('task-file', 'set', 'made-10', `note=${value++}`));
  let finished = 0;
  const finish = () => command('task-file', 'finish', `made-${10 * ++finished}`, '--without-board');
  bench.row('task-file finish (same)', finish);
  bench.row('task-file validate (same)', command('task-file', 'validate'));
  rmSync(join(home, '.claude/jobs/tasks'), { recursive: true });
}

/** A fleet of 100 sessions of ten processes each, and a week of samples. */
async function hundredSessions() {
  await made.fleetOf(100, 10);
  made.samplesOf(100);
  const sid = 'aaaa0000-0000-4000-8000-000000000000';
  bench.row('session-cap status (100 sessions × 10 processes)', command('session-cap', 'status'));
  bench.row('session-cap status --json (same)', command('session-cap', 'status', '--json'));
  bench.row('session-cap expire --dry-run (same)', command('session-cap', 'expire', '--dry-run'));
  bench.row('session-cap sample (same)', command('session-cap', 'sample'));
  bench.row('session-cap reap (same)', command('session-cap', 'reap'));
  bench.row('session-cap report (a week of it)', command('session-cap', 'report'));
  const page = ['--html', join(home, 'report.html')];
  bench.row('session-cap report --html (same)', command('session-cap', 'report', ...page));
  bench.row('session-exit --dry-run, background (same)', command('session-exit', 'aaaa0000', '--dry-run'));
  bench.row('session-msg send --dry-run, refused (same)', command('session-msg', 'send', sid, 'a word', '--dry-run'));
  bench.row('session-msg inbox (same)', command('session-msg', 'inbox', sid));
  for (let n = 0; n < 40; n++) {
    const lane = `aaaa00${String(n).padStart(2, '0')}-0000-4000-8000-000000000000`;
    bench.once(command('lane-nudge', 'arm', `lane${n}`, '--sid', lane, '--every', '1d', '--text', 'still there?'));
  }
  bench.row('lane-nudge tick (40 lanes, none due)', command('lane-nudge', 'tick'));
  bench.row('lane-nudge list (same)', command('lane-nudge', 'list'));
}

/** Claims of SQLite: each call takes another key; a hundred are finalized in one. */
function claims() {
  const pid = ['--pid', String(process.pid), '--quiet'];
  let taken = 0;
  let ended = 0;
  bench.row('task-claim acquire', () => command('task-claim', 'acquire', `bench:${taken++}`, ...pid));
  bench.row('task-claim renew', command('task-claim', 'renew', 'bench:1', ...pid));
  bench.row('task-claim complete', () => command('task-claim', 'complete', `bench:${ended++}`, ...pid));
  const sidecar = join(home, 'claims.jsonl');
  const lines = Array.from({ length: 100 }, (_, n) => JSON.stringify({ key: `bench:${n}`, generation: 1 }));
  writeFileSync(sidecar, `${lines.join('\n')}\n`);
  const finalize = command('task-claim', 'finalize', '--exit-code', '1', '--sidecar', sidecar, '--quiet');
  bench.row('task-claim finalize (100 claims)', finalize);
  bench.row('task-claim list', command('task-claim', 'list'));
  bench.row('task-claim reap', command('task-claim', 'reap'));
  const run = () => command('session-run', '--preclaim', `run:${taken++}`, '--', 'true');
  bench.row('session-run --preclaim, of true', run);
}

/** Supervision of a fleet of 40 sessions, beside what one look at the real roster takes. */
async function fortySessions() {
  await made.fleetOf(40, 10);
  const claude = join(root, 'test/e2e/node_modules/@anthropic-ai/claude-code-linux-x64/claude');
  const roster = existsSync(claude) ? [claude, 'agents', '--json'] : undefined;
  const against = (row, words) => {
    if (roster !== undefined && row.name !== undefined) row.other = bench.compare('', words, roster).ratio;
  };
  const at = (tasks, open) => ['env', `FLEET_HOME=${made.superviseOf(tasks, open)}`];
  const sweep = (tasks) => [...at(tasks, 40), ...command('supervisor-sweep', '--quiet')];
  const [thousand, tenThousand] = [sweep(1000), sweep(10_000)];
  against(bench.row('supervisor-sweep (1,000 tasks, 40 open, 40 sessions)', thousand), thousand);
  const many = bench.row('supervisor-sweep (10,000 tasks, 40 open, 40 sessions)', tenThousand);
  many.other = bench.compare('', tenThousand, thousand).ratio;
  const two = at(200, 200);
  const tick = [...two, ...command('task-watcher', 'tick', '--all', '--quiet')];
  against(bench.row('task-watcher tick --all (200 tasks, 40 sessions)', tick), tick);
  bench.row('task-watcher status (same)', [...two, ...command('task-watcher', 'status')]);
  bench.row('watcher-doctor (same)', [...two, ...command('watcher-doctor')]);
  bench.row('watcher-doctor --checkin-text', [...two, ...command('watcher-doctor', '--checkin-text', 'made-7')]);
  if (roster !== undefined) bench.row('for comparison: claude agents --json', roster);
}
