import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { comm } from './comm.mjs';
import { claudePath, ptySocket } from './daemon-places.mjs';
import { disguise } from './disguise.mjs';
import { jobDir, patchJob } from './job.mjs';

/** `claude bg-spare`: waits for a claim, then is that background session. */
export function runSpare() {
  const words = process.argv.slice(2);
  if (words[0] === '--bg-session') disguise([claudePath, ...words.slice(1)]);
  else comm();
  // An order to end can come before there is a session that could end in its own way.
  let session;
  const end = () => (session ? session.end('other') : process.exit(0));
  process.on('disconnect', end);
  process.on('SIGTERM', end);
  process.on('message', async ({ claim, end: ordered }) => {
    if (ordered) return end();
    if (!claim) return;
    adopt(claim);
    session = await sessionFor(claim);
    await open(session, claim);
  });
}

/** Takes over the folder and the environment of the command that asked for the session. */
function adopt({ job, env }) {
  process.chdir(job.cwd);
  for (const key of Object.keys(process.env)) delete process.env[key];
  Object.assign(process.env, env);
  delete process.env.TMUX_PANE;
}

async function sessionFor({ id, job }) {
  const { parseArgs } = await import('./args.mjs');
  const { Session } = await import('./session.mjs');
  const { loadSettings } = await import('./settings.mjs');
  const options = parseArgs(job.respawnFlags);
  const session = new Session({
    kind: 'bg',
    sid: job.sessionId,
    cwd: job.cwd,
    name: job.name,
    nameSource: job.nameSource,
    mode: options.permissionMode,
    settings: loadSettings(job.cwd, options.settings),
    jobId: id,
    jobDir: jobDir(id),
  });
  // A turn that failed leaves the job blocked until one is answered.
  session.onStatus = (status) => {
    const blocked = status === 'waiting' || (status === 'idle' && session.failed);
    patchJob(id, { state: blocked ? 'blocked' : job.state });
  };
  return session;
}

async function open(session, { id, resume, prompt, shells = [] }) {
  if (resume && !existsSync(session.transcript.file)) await failLate(id, session.sid);
  const { SocketView } = await import('./views.mjs');
  const view = new SocketView(
    ptySocket(id),
    (chunk, socket) => session.input(chunk, socket),
    () => session.redraw(),
  );
  await session.open(view, prompt);
  for (const { command, description } of shells) session.keepShell(command, description);
  session.refresh();
}

/** A conversation that does not exist: `--bg` has long said "backgrounded" when the job is found to have failed. */
async function failLate(id, sid) {
  await pause(1000);
  patchJob(id, { state: 'failed', detail: `source session ${sid} not found` });
  process.exit(1);
}
