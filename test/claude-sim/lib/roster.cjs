const { readdirSync } = require('node:fs');
const { jobsDir, readJson, sessionsDir } = require('./places.cjs');
const { processStart } = require('./process-start.cjs');

/** The states of a job that the daemon has settled. */
const finished = new Set(['stopped', 'done', 'failed']);

/** The rows of `claude agents --json`, oldest first; with `all`, finished background sessions too. */
function rosterRows({ all = false } = {}) {
  const sessions = liveSessions();
  const rows = sessions.filter((session) => session.kind === 'interactive').map(interactiveRow);
  for (const [id, job] of jobs()) {
    const session = sessions.find((candidate) => candidate.jobId === id);
    // A job that lost its process is listed, without a pid, until the daemon has settled it.
    if (session || all || !finished.has(job.state)) rows.push(backgroundRow(id, job, session));
  }
  return rows.sort((a, b) => a.startedAt - b.startedAt);
}

/** The session files whose process is still the one that wrote them. */
function liveSessions() {
  return names(sessionsDir)
    .filter((name) => name.endsWith('.json'))
    .map((name) => readJson(`${sessionsDir}/${name}`))
    .filter((session) => session && processStart(session.pid) === session.procStart);
}

/** Every background job as [short id, state]; other folders beside them are not jobs. */
function jobs() {
  return names(jobsDir)
    .map((id) => [id, readJson(`${jobsDir}/${id}/state.json`)])
    .filter(([, job]) => job?.sessionId);
}

function interactiveRow({ pid, cwd, startedAt, sessionId, name, status, waitingFor }) {
  return { pid, cwd, kind: 'interactive', startedAt, sessionId, name, ...statusOf(status, waitingFor) };
}

function backgroundRow(id, job, session) {
  const { cwd, sessionId, name, state } = job;
  const startedAt = session?.startedAt ?? Date.parse(job.createdAt);
  const row = { id, cwd, kind: 'background', startedAt, sessionId, name: session?.name ?? name };
  if (!session) return { ...row, state };
  return { pid: session.pid, ...row, ...statusOf(session.status, session.waitingFor), state };
}

/** The roster has no word for "a shell runs": it says busy. */
function statusOf(status, waitingFor) {
  const shown = status === 'shell' ? 'busy' : status;
  return { ...(shown && { status: shown }), ...(waitingFor && { waitingFor }) };
}

function names(dir) {
  try {
    return readdirSync(dir);
  } catch {
    return [];
  }
}

module.exports = { finished, rosterRows, liveSessions, jobs };
