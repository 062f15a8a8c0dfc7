import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { disguise } from './disguise.mjs';
import { leash } from './leash.mjs';
import { Session } from './session.mjs';
import { loadSettings } from './settings.mjs';
import { transcriptPath } from './slug.mjs';
import { isOnboarded, passDialogs, startupDialogs } from './startup.mjs';
import { TtyView } from './views.mjs';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** `claude [options] [prompt]` in a terminal. */
export async function interactive(options, words) {
  const cwd = process.cwd();
  const complaint = misuse(options, cwd);
  if (complaint) {
    process.stderr.write(`${complaint}\n`);
    process.exitCode = 1;
    // tmux can lose the last words of a pane that dies at once.
    return pause(200);
  }
  disguise(['claude', ...words]);
  leash(() => process.kill(process.pid, 'SIGHUP'));
  const mode = options.permissionMode;
  const settings = loadSettings(cwd, options.settings);
  if (!(await passDialogs(startupDialogs({ cwd, mode, settings, addDirs: options.addDirs })))) process.exit(1);
  const session = new Session({
    kind: 'interactive',
    sid: options.resume ?? options.sessionId ?? randomUUID(),
    cwd,
    name: options.name ?? `${basename(cwd)}-${randomBytes(1).toString('hex')}`,
    nameSource: options.name ? 'user' : 'derived',
    mode,
    settings,
  });
  const view = new TtyView(
    (chunk) => session.input(chunk),
    () => session.redraw(),
  );
  await session.open(view, options.prompt);
}

/** Why this start is refused, in the real one's words. */
function misuse({ sessionId, resume }, cwd) {
  if (sessionId && !uuid.test(sessionId)) return 'Error: Invalid session ID. Must be a valid UUID.';
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    return 'Error: Input must be provided either through stdin or as a prompt argument when using --print';
  }
  if (!isOnboarded()) return 'Welcome to Claude Code\n\nUnable to connect to Anthropic services';
  if (sessionId && !resume && existsSync(transcriptPath(cwd, sessionId))) {
    return `Error: Session ID ${sessionId} is already in use.`;
  }
  if (resume && !existsSync(transcriptPath(cwd, resume))) return `No conversation found with session ID: ${resume}`;
  return undefined;
}
