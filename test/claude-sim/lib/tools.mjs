import { randomUUID } from 'node:crypto';
import { permissionDialog } from './dialogs.mjs';
import { endShell, startShell } from './shells.mjs';

const asking = new Set(['manual', 'default', 'acceptEdits', 'plan']);
const rejected =
  "The user doesn't want to proceed with this tool use. The tool use was rejected. STOP what you are doing and wait for the user to tell you how to proceed.";

/** Carries out one tool call, after asking for it where the mode wants that. False when it was refused. */
export async function useTool(session, call, signal) {
  const id = `toolu_${randomUUID()}`;
  session.transcript.assistant({ type: 'tool_use', id, ...call });
  const command = call.input.command ?? '';
  if (asking.has(session.mode) && !(await permitted(session, call.input, signal))) {
    session.say('', '  Did not run 1 call', `  ⎿  $ ${command}`);
    tell(session, id, rejected, { is_error: true });
    return false;
  }
  const output = call.name === 'Bash' ? await runBash(session, call.input, signal) : 'done';
  session.say('', '  Ran 1 shell command');
  tell(session, id, output);
  return true;
}

function tell(session, id, content, extra = {}) {
  session.transcript.user([{ type: 'tool_result', content, tool_use_id: id, ...extra }]);
}

function permitted(session, input, signal) {
  return new Promise((resolve) => {
    const answer = (yes, switchMode) => {
      session.dialog = undefined;
      if (switchMode) session.mode = 'auto';
      session.refresh();
      resolve(yes);
    };
    signal.addEventListener('abort', () => answer(false, false), { once: true });
    session.dialog = permissionDialog(input, session.cwd, answer);
    session.refresh();
  });
}

async function runBash(session, { command, description = command, run_in_background: background }, signal) {
  if (background) return session.keepShell(command, description);
  const shell = startShell(session, command);
  const stop = () => endShell(shell);
  signal.addEventListener('abort', stop, { once: true });
  const { output } = await shell.done;
  signal.removeEventListener('abort', stop);
  return output.trim() || '(no output)';
}
