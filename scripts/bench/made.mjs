import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const THEN = '2026-01-01T00:00:00.000Z';

/** What the benchmarks run on: fleets of sleeping processes, tasks, samples and logs, in the home of a Bench. */
export class Made {
  #started = [];

  constructor(bench) {
    this.bench = bench;
    this.instantRoster();
    this.rosterOf([]);
  }

  get home() {
    return this.bench.home;
  }

  /** A claude that prints the roster at once. */
  instantRoster() {
    writeFileSync(this.bench.env.FLEET_CLAUDE, `#!/bin/sh\nexec cat ${this.home}/rows.json\n`, { mode: 0o755 });
  }

  rosterOf(rows) {
    writeFileSync(join(this.home, 'rows.json'), JSON.stringify(rows));
  }

  endAll() {
    for (const child of this.#started.splice(0)) process.kill(-child.pid, 'SIGKILL');
  }

  /** A claude that starts a session in no time: one that runs already, under the name it is given, told the brief. */
  instantStarts() {
    const sleeper = this.#spawn('exec -a claude sleep 600');
    const work = join(this.home, 'work');
    const projects = join(this.home, '.claude/projects', work.replace(/[^A-Za-z0-9]/g, '-'));
    mkdirSync(work);
    mkdirSync(projects, { recursive: true });
    writeFileSync(join(this.home, 'brief'), 'hello');
    const row = `{"pid":${sleeper.pid},"id":"%.8s","cwd":"${work}","kind":"background","startedAt":1,"sessionId":"%s","name":"%s","status":"idle"}`;
    const script = `#!/bin/sh
[ "$1" = agents ] && exec cat ${this.home}/rows.json
read sid < /proc/sys/kernel/random/uuid
printf '{"type":"user","sessionId":"%s","message":{"role":"user","content":"hello"}}\\n' $sid > ${projects}/$sid.jsonl
printf '[${row}]' $sid $sid "$3" > ${this.home}/rows.json
echo "backgrounded · $(printf %.8s $sid) · $3"
`;
    writeFileSync(this.bench.env.FLEET_CLAUDE, script, { mode: 0o755 });
    return { work, brief: join(this.home, 'brief') };
  }

  /** `count` tasks, a tenth of them open; with a cwd their Driver is one that is long gone. */
  tasksOf(count, { prefix = 'made', open = (n) => n % 10 === 0, cwd } = {}) {
    for (let n = 0; n < count; n++) {
      const folder = join(this.home, '.claude/jobs/tasks', `${prefix}-${n}`);
      const task = { id: `${prefix}-${n}`, state: open(n) ? 'working' : 'done', title: `task ${n}`, createdAt: THEN };
      const driver = { cwd, driverSid: `dddd${String(n).padStart(4, '0')}-0000-4000-8000-000000000000` };
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'task.json'), JSON.stringify(cwd === undefined ? task : { ...task, ...driver }));
      writeFileSync(join(folder, 'BRIEF.md'), 'hello');
    }
  }

  /** A fleet home with `tasks` tasks, of which the first `open` ones have a live Driver each, and one sweep behind it. */
  superviseOf(tasks, open) {
    const fleetHome = join(this.home, `fleet-${tasks}`);
    const rows = JSON.parse(readFileSync(join(this.home, 'rows.json'), 'utf8'));
    for (let n = 0; n < tasks; n++) {
      const folder = join(fleetHome, 'tasks', `made-${n}`);
      mkdirSync(folder, { recursive: true });
      const driverSid = rows[n % rows.length].sessionId;
      const base = { id: `made-${n}`, title: `task ${n}`, createdAt: THEN, cwd: '/work', driverSid };
      const over = { state: 'done', stateChangedAt: THEN, releasedAt: THEN, exitedAt: THEN };
      const task = { ...base, launch: { kind: 'background' }, ...(n < open ? { state: 'working' } : over) };
      writeFileSync(join(folder, 'task.json'), JSON.stringify(task, null, 2));
      writeFileSync(join(folder, 'events.jsonl'), `${JSON.stringify({ at: THEN, by: 'a', kind: 'b' })}\n`.repeat(20));
    }
    for (let sweep = 0; sweep < 2; sweep++)
      this.bench.once(['env', `FLEET_HOME=${fleetHome}`, ...this.bench.command('supervisor-sweep')]);
    return fleetHome;
  }

  /** `sessions` process groups of `size` processes each, whose first calls itself claude, with transcripts and a roster. */
  async fleetOf(sessions, size) {
    const projects = join(this.home, '.claude/projects/-work');
    mkdirSync(projects, { recursive: true });
    const rows = [];
    const groups = [];
    for (let n = 0; n < sessions; n++) {
      const id = `aaaa${String(n).padStart(4, '0')}-0000-4000-8000-000000000000`;
      const child = this.#spawn(`for i in $(seq ${size - 1}); do sleep 600 & done; exec -a claude sleep 600`);
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
    this.rosterOf(rows);
    // Every group has become what it should be once the last sleeper of each is there.
    const deadline = Date.now() + 60_000;
    for (const child of groups) {
      while (spawnSync('pgrep', ['-c', '-g', String(child.pid)], { encoding: 'utf8' }).stdout.trim() !== String(size)) {
        if (Date.now() > deadline) throw new Error('the made fleet did not come up');
        await new Promise((done) => setTimeout(done, 20));
      }
    }
  }

  /** A week of samples of `sessions` sessions, one each five minutes. */
  samplesOf(sessions) {
    const dir = join(this.home, '.claude/jobs/fleet/samples');
    mkdirSync(dir, { recursive: true });
    const days = new Map();
    for (let at = Date.now() - 7 * 86_400_000; at < Date.now(); at += 300_000) {
      const sample = {
        at: new Date(at).toISOString(),
        live: sessions,
        unlisted: 0,
        reserved: 0,
        ceiling: 120,
        totalBytes: 64 * 2 ** 30,
        availableBytes: 20 * 2 ** 30,
        helpersRssBytes: 2 ** 28,
        sessions: Array.from({ length: sessions }, (_, n) => ({
          id: `aaaa${String(n).padStart(4, '0')}-0000-4000-8000-000000000000`,
          kind: 'background',
          status: 'idle',
          rssBytes: 400_000_000 + n,
          idleMs: n * 60_000,
        })),
      };
      const day = sample.at.slice(0, 10);
      days.set(day, `${days.get(day) ?? ''}${JSON.stringify(sample)}\n`);
    }
    for (const [day, lines] of days) writeFileSync(join(dir, `${day}.jsonl`), lines);
  }

  #spawn(script) {
    const child = spawn('bash', ['-c', script], { env: this.bench.env, detached: true, stdio: 'ignore' });
    this.#started.push(child);
    return child;
  }
}
