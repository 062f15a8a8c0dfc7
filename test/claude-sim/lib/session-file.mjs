import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { sessionsDir, version, writeJson } from './places.cjs';
import { processStart } from './process-start.cjs';

/** Claude's note on a live process, `sessions/<pid>.json`: what the roster is made of. */
export class SessionFile {
  #file = `${sessionsDir}/${process.pid}.json`;
  #note;
  #gone = false;

  constructor(session) {
    const startedAt = Date.now();
    this.#note = {
      pid: process.pid,
      sessionId: session.sid,
      cwd: session.cwd,
      startedAt,
      procStart: processStart(process.pid),
      version,
      peerProtocol: 1,
      kind: session.kind,
      entrypoint: 'cli',
      ...(session.inbox && { messagingSocketPath: session.inbox.path }),
      name: session.name,
      nameSource: session.nameSource,
      nameSince: startedAt,
      ...(session.jobId && { jobId: session.jobId }),
    };
    if (process.env.TMUX_PANE) this.#findPane();
  }

  /** Changes some fields; undefined takes one away. */
  set(fields) {
    if (this.#gone) return;
    const updatedAt = Date.now();
    Object.assign(this.#note, fields, { updatedAt }, fields.status && { statusUpdatedAt: updatedAt });
    writeJson(this.#file, this.#note);
  }

  remove() {
    this.#gone = true;
    rmSync(this.#file, { force: true });
  }

  #findPane() {
    const words = ['display-message', '-p', '-t', process.env.TMUX_PANE, '#{session_name}:#{window_id}.#{pane_id}'];
    execFile('tmux', words, (error, stdout) => {
      if (!error) this.set({ tmux: stdout.trim() });
    });
  }
}
