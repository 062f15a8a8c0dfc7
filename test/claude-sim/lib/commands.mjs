import { randomUUID } from 'node:crypto';
import { backgroundWorkDialog } from './dialogs.mjs';
import { runHooks } from './hooks.mjs';
import { version } from './places.cjs';
import { Transcript } from './transcript.mjs';

/** The mark that tells an attach client to leave the session for the agent view. */
export const agentViewMark = '\x1b]777;agent-view\x07';

/** Runs a slash command that was sent from the input box. */
export function runCommand(session, { name, word, rest }, source) {
  if (!name) return session.say('', `❯ /${word}`, `  ⎿  Unknown command: /${word}`);
  return commands[name](session, rest, source);
}

const commands = {
  exit(session, _rest, source) {
    // In an attached background session this only leaves the view.
    if (session.kind === 'bg') return source?.write(agentViewMark);
    if (session.shells.size === 0) return session.end('prompt_input_exit');
    session.say('', '❯ /exit');
    const close = () => {
      session.dialog = undefined;
      session.refresh();
    };
    const descriptions = [...session.shells].map(({ description }) => description);
    session.dialog = backgroundWorkDialog(descriptions, {
      exit: () => session.end('prompt_input_exit'),
      move: () => moveToBackground(session),
      stay: close,
    });
    session.refresh();
  },

  async clear(session) {
    await runHooks(session, 'SessionEnd', { reason: 'clear' });
    session.sid = randomUUID();
    session.transcript = new Transcript(session);
    session.said = session.said.slice(0, 4);
    session.say('', '❯ /clear');
    session.transcript.user('<command-name>/clear</command-name>', { isMeta: true });
    session.file?.set({ sessionId: session.sid, status: session.status });
    session.redraw();
  },

  rename(session, rest) {
    if (!rest) return;
    session.name = rest;
    session.nameSource = 'user';
    session.file?.set({ name: rest, nameSource: 'user', nameSince: Date.now() });
    session.transcript.rename(rest);
    session.say('', `❯ /rename ${rest}`, `  ⎿  Session renamed to: ${rest}`);
  },

  status(session) {
    session.say(
      '',
      '❯ /status',
      `  Version: ${version}`,
      `  Session ID: ${session.sid}`,
      `  Peer address: ${session.inbox.path}`,
    );
  },

  stop(session) {
    if (session.kind === 'bg') return session.end('other');
    session.say('', '❯ /stop', '  ⎿  Unknown command: /stop');
  },

  context(session) {
    session.say('', '❯ /context', '  ⎿  Context: 1%');
  },
};

/**
 * "Move to background and exit": the work goes on in a new background session, under a new sid. Its row is there at once,
 * its process only after a while (4.5 s in the real one).
 */
async function moveToBackground(session) {
  session.dialog = undefined;
  const { launch } = await import('./daemon-client.mjs');
  const shells = [...session.shells].map(({ command, description }) => ({ command, description }));
  const name = session.nameSource === 'user' ? session.name : (session.lastPrompt ?? session.name);
  const { cwd, mode } = session;
  const delayMs = Number(process.env.CLAUDE_SIM_MOVE_MS ?? 1500);
  const flags = ['--permission-mode', mode];
  await launch({ cwd, name, flags, shells, state: 'blocked', delayMs, env: process.env });
  await session.end('prompt_input_exit');
}
