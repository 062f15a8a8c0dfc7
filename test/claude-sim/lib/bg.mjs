import { disabledReason } from './agents.cjs';
import { launch } from './daemon-client.mjs';
import { loadSettings } from './settings.mjs';
import { isTrusted } from './startup.mjs';

/** `claude --bg [--resume SID] [--name N] "prompt"`. */
export async function background(options) {
  const { resume, name, flags, prompt, sessionId } = options;
  const cwd = process.cwd();
  const off = disabledReason();
  if (off) return fail(`'--bg' ${off}`);
  if (!isTrusted(cwd)) {
    return fail(`Workspace not trusted. Run \`claude\` in ${cwd} once and accept the trust prompt, then retry.`);
  }
  // The flag's settings do not count here: only a settings file accepts the disclaimer.
  const bypass = flags.some((word) => word === '--dangerously-skip-permissions' || word === 'bypassPermissions');
  if (bypass && !loadSettings(cwd).skipDangerousModePermissionPrompt) {
    return fail(
      '--bg with bypassPermissions requires accepting the disclaimer first. Run `claude --dangerously-skip-permissions` once interactively.',
    );
  }
  if (sessionId) note('note: --session-id is ignored: --bg manages the session id');
  const { id, name: shown, live, woke } = await launch({ cwd, name, flags, resume, prompt, env: process.env });
  const short = resume?.slice(0, 8);
  if (live === 'background') {
    note(
      `note: session ${short} is already running in the background, so this started a copy as ${id}. \`claude attach ${short}\` opens the original.`,
    );
  } else if (live === 'flags') {
    note(
      `note: background session ${short} keeps its own saved options, so the flags you passed started a copy as ${id}. Without flags, the same command continues ${short} itself.`,
    );
  } else if (live) {
    note(
      `note: session ${short} is open in another Claude Code process, so this started a copy as ${id}. The original conversation is unchanged.`,
    );
  } else if (resume && woke.length > 0) {
    note(`note: woke session ${short} with its saved options (${woke.join(', ')}).`);
  }
  const what = prompt === undefined && !resume ? ' (idle — send a prompt to start)' : shown ? ` · ${shown}` : '';
  process.stdout.write(`backgrounded · ${id}${what}\n${hints(id)}`);
}

function hints(id) {
  return [
    '  claude agents             list sessions',
    `  claude attach ${id}    open in this terminal`,
    `  claude logs ${id}      show recent output`,
    `  claude stop ${id}      stop this session`,
    '',
  ].join('\n');
}

function note(text) {
  process.stderr.write(`${text}\n`);
}

function fail(text) {
  note(text);
  process.exitCode = 1;
}
