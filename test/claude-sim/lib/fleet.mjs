import { randomUUID } from 'node:crypto';
import { startHost } from './hosts.mjs';
import { patchJob, readJob } from './job.mjs';
import { copyTranscript, sidInUse } from './lineage.mjs';
import { configDir, readJson } from './places.cjs';
import { finished } from './roster.cjs';

/** The daemon's background sessions: who runs, who is to come back. */
export class Fleet {
  #log;
  #changed;
  #workers = new Map();
  #respawns = new Map();
  #spare;
  #closing = false;

  constructor(log, changed) {
    this.#log = log;
    this.#changed = changed;
  }

  /** How many sessions the daemon has to look after. */
  get size() {
    return this.#workers.size + this.#respawns.size;
  }

  get workers() {
    return Object.fromEntries([...this.#workers].map(([id, { host, pid }]) => [id, { pid: host.pid, replPid: pid }]));
  }

  /** Starts a session: a new one, a stopped one again under its own sid, or a copy of one that is live. */
  launch({ cwd, name, flags = [], resume, prompt, env, shells, state = 'working', delayMs = 0 }) {
    // A background session keeps its saved options: one that is resumed with flags becomes a copy.
    const flagged = flags.length > 0 && resume && readJob(resume.slice(0, 8)) ? 'flags' : undefined;
    const live = resume && (sidInUse(resume) || flagged);
    const sid = resume && !live ? resume : randomUUID();
    const id = sid.slice(0, 8);
    if (live) copyTranscript(cwd, resume, sid);
    const before = readJob(id);
    const saved = before?.respawnFlags ?? [];
    const shown = name ?? before?.name;
    patchJob(id, {
      state,
      template: 'bg',
      respawnFlags: flags.length > 0 ? flags : saved,
      intent: prompt ?? '',
      name: shown ?? prompt ?? id,
      nameSource: shown ? 'user' : 'derived',
      sessionId: sid,
      resumeSessionId: sid,
      cwd,
      backend: 'daemon',
      createdAt: before?.createdAt ?? new Date().toISOString(),
    });
    const claim = { prompt, env, shells, resume: Boolean(resume) };
    if (delayMs > 0) this.#spawnLater(id, claim, delayMs);
    else this.#spawn(id, claim);
    return {
      id,
      name: shown,
      live,
      woke: before && saved.length > 0 ? saved.filter((word) => word.startsWith('--')) : [],
    };
  }

  /** Stops a job; stopping a stopped one is no error. Undefined when no job's id begins so. */
  async stop(prefix, ids) {
    const matches = (ids ?? [...this.#workers.keys(), ...this.#respawns.keys()]).filter((id) => id.startsWith(prefix));
    const id = matches[0];
    if (!id) return undefined;
    patchJob(id, { state: 'stopped', firstTerminalAt: new Date().toISOString() });
    clearTimeout(this.#respawns.get(id));
    this.#respawns.delete(id);
    const worker = this.#workers.get(id);
    if (worker) {
      worker.host.send({ end: true });
      await worker.gone;
    }
    this.#log('bg', `bg settled ${id} (killed)`);
    this.#changed();
    return { id };
  }

  /** Ends every session and the spare. */
  async close() {
    this.#closing = true;
    for (const timer of this.#respawns.values()) clearTimeout(timer);
    this.#respawns.clear();
    this.#spare?.host.kill('SIGTERM');
    await Promise.all([...this.#workers.keys()].map((id) => this.stop(id)));
    await this.#spare?.gone;
  }

  #spawn(id, { prompt, env, shells, resume }) {
    const claim = { id, job: readJob(id), prompt, shells, resume, env: env ?? process.env };
    const worker = this.#spare ?? startHost(claim);
    if (this.#spare) worker.host.send({ claim });
    this.#log('bg', `bg ${this.#spare ? 'claimed-spare' : 'spawned'} ${id}`);
    this.#spare = undefined;
    this.#workers.set(id, worker);
    worker.host.on('message', ({ pid }) => {
      if (pid) worker.pid = pid;
    });
    void worker.gone.then((code) => this.#left(id, code));
    if (process.env.CLAUDE_SIM_SPARES !== '0') this.#keepSpare();
    this.#changed();
  }

  #keepSpare() {
    const spare = startHost();
    this.#spare = spare;
    void spare.gone.then(() => {
      if (this.#spare === spare) this.#spare = undefined;
    });
  }

  /** A session that left by itself is finished; one that was killed comes back after a while. */
  #left(id, code) {
    this.#workers.delete(id);
    const job = readJob(id);
    const { delayMs = Number(process.env.CLAUDE_SIM_RESPAWN_MS ?? 10_000), off = false } =
      readJson(`${configDir}/sim/respawn.json`) ?? {};
    const settled = finished.has(job?.state);
    if (code === 0 && !settled) patchJob(id, { state: 'stopped' });
    else if (!settled && !this.#closing && !off) this.#spawnLater(id, { resume: true }, delayMs);
    this.#changed();
  }

  #spawnLater(id, claim, delayMs) {
    const timer = setTimeout(() => {
      this.#respawns.delete(id);
      this.#spawn(id, claim);
    }, delayMs);
    this.#respawns.set(id, timer);
  }
}
