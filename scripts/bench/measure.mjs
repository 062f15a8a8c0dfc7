import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';

const RUNS = Number(process.env.BENCH_RUNS ?? 21);
/** BENCH_ONLY=sweep measures the rows with that word alone; --write then keeps the others as they were. */
const ONLY = new RegExp(process.env.BENCH_ONLY ?? '');
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

/** Measures in one home: `env` is the commands' own. */
export class Bench {
  rows = [];
  /** What everything is compared with. */
  base = [process.execPath, '-e', '0'];

  constructor(root, home, env) {
    Object.assign(this, { root, home, env });
  }

  /** The words that start one of our commands. */
  command = (name, ...args) => [process.execPath, join(this.root, 'bin', `${name}.cjs`), ...args];

  /** Measures a command (or what a function gives anew for each run) against `node -e 0`, and keeps the row. */
  row(name, command) {
    if (!ONLY.test(name)) return {};
    const row = this.compare(name, command, this.base);
    this.rows.push(row);
    return row;
  }

  /** Wall ms and peak resident KB of one run. */
  once([file, ...args]) {
    const began = process.hrtime.bigint();
    const { status, stderr } = spawnSync('/usr/bin/time', ['-f', '%M', file, ...args], {
      env: this.env,
      encoding: 'utf8',
      cwd: this.home,
      maxBuffer: 64 << 20,
    });
    const wall = Number(process.hrtime.bigint() - began) / 1e6;
    if (![0, 1, 75, 77].includes(status)) throw new Error(`${file} ${args.join(' ')} ended with ${status}: ${stderr}`);
    return { wall, peak: Number(stderr.trim().split('\n').at(-1)) };
  }

  /** What a run prints. */
  said([file, ...args]) {
    return spawnSync(file, args, { env: this.env, encoding: 'utf8', cwd: this.home }).stdout.trim();
  }

  compare(name, command, base) {
    const next = typeof command === 'function' ? command : () => command;
    this.once(next());
    const homes = ['.claude/jobs', 'fleet-200', 'fleet-1000', 'fleet-10000'];
    const afresh = () => {
      for (const one of homes) rmSync(join(this.home, one, 'fleet/roster.json'), { force: true });
    };
    const ratios = [];
    const walls = [];
    const peaks = [];
    for (let run = 0; run < RUNS; run++) {
      const other = this.once(base);
      // Each run makes its own roster call: none lives on the answer of the one before.
      afresh();
      const own = this.once(next());
      ratios.push(own.wall / other.wall);
      walls.push(own.wall);
      peaks.push(own.peak / 1024);
    }
    return { name, ratio: median(ratios), wall: median(walls), peak: Math.max(...peaks) };
  }

  /** Prints the table, with `--write` into docs/benchmarks.md too, and says what is over its limit. */
  report() {
    const { rows, root } = this;
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
      const whole = `<!-- table -->\n${how}\n\n${lines.join('\n')}\n<!-- end -->`;
      const written = text.split('\n').map((old) => lines.slice(2).find((line) => nameIn(line) === nameIn(old)) ?? old);
      writeFileSync(
        file,
        process.env.BENCH_ONLY ? written.join('\n') : text.replace(/<!-- table -->[\s\S]*<!-- end -->/, () => whole),
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
}

/** The first cell of a row of the table; undefined for any other line. */
const nameIn = (line) => /^\| (.*?) +\|/.exec(line)?.[1];

function limitWords(name, other) {
  const limit = OTHER_LIMITS[name];
  if (limit === undefined || other === undefined) return LIMITS[name] ?? '';
  return `${limit.times} × ${limit.of}; measured ${other.toFixed(2)}`;
}

function median(numbers) {
  const sorted = [...numbers].sort((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)];
}
