import { spawn } from 'node:child_process';

const limits = { SessionEnd: Number(process.env.CLAUDE_CODE_SESSIONEND_HOOKS_TIMEOUT_MS ?? 1500) };

/** Runs the commands of one hook event, each with the call as JSON on stdin, and waits for them (for a while). */
export async function runHooks(session, event, fields = {}) {
  const commands = (session.settings.hooks[event] ?? []).flatMap((matcher) => matcher.hooks ?? []);
  const call = {
    session_id: session.sid,
    transcript_path: session.transcript.file,
    cwd: session.cwd,
    prompt_id: session.promptId,
    hook_event_name: event,
    ...fields,
  };
  const limit = limits[event] ?? 60_000;
  await Promise.all(commands.map(({ command }) => runHook(command, call, hookEnv(session), limit)));
}

/** What a session's own children find in their environment. */
export function hookEnv(session) {
  return {
    ...process.env,
    CLAUDECODE: '1',
    CLAUDE_CODE_ENTRYPOINT: 'cli',
    CLAUDE_CODE_CHILD_SESSION: '1',
    CLAUDE_CODE_SESSION_ID: session.sid,
    CLAUDE_PID: String(process.pid),
    CLAUDE_PROJECT_DIR: session.cwd,
    ...(session.inbox && { CLAUDE_CODE_MESSAGING_SOCKET: session.inbox.path }),
    ...(session.jobDir && { CLAUDE_JOB_DIR: session.jobDir }),
  };
}

function runHook(command, call, env, limit) {
  return new Promise((resolve) => {
    const child = spawn('/bin/sh', ['-c', command], { cwd: call.cwd, env, stdio: ['pipe', 'ignore', 'ignore'] });
    const timer = setTimeout(() => child.kill('SIGKILL'), limit);
    child.on('error', resolve);
    child.on('exit', () => {
      clearTimeout(timer);
      resolve();
    });
    child.stdin.on('error', () => {});
    child.stdin.end(JSON.stringify(call));
  });
}
