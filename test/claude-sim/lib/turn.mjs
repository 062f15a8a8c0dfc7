import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { runHooks } from './hooks.mjs';
import { answerText, think } from './model.mjs';
import { endRefused, refusal, tellWarning } from './refusal.mjs';
import { useTool } from './tools.mjs';

/** One turn: the message goes to the transcript, is thought about, perhaps calls a tool, and is answered. */
export async function runTurn(session, { text, shown = text, extra = {} }) {
  const { signal } = session.turn;
  const began = Date.now();
  session.promptId = randomUUID();
  session.lastPrompt = text;
  session.say('', `❯ ${shown}`);
  session.transcript.user(text, extra);
  session.refresh();
  try {
    const { ms, call } = think(text);
    const refused = refusal();
    await pause(refused ? 50 : ms, undefined, { signal });
    if (refused) return await endRefused(session, refused);
    session.failed = false;
    session.limitResets = undefined;
    tellWarning(session);
    if (call && !(await useTool(session, call, signal))) return interrupted(session);
    signal.throwIfAborted();
    if (call) session.absorb();
  } catch (error) {
    if (error.name !== 'AbortError') throw error;
    return interrupted(session);
  }
  const reply = answerText();
  session.transcript.assistant({ type: 'text', text: reply });
  session.say('', `● ${reply}`, '', `✻ Brewed for ${Math.round((Date.now() - began) / 1000)}s`);
  session.transcript.flush();
  const tasks = [...session.shells].map(({ id, command, description }) => {
    return { id, type: 'shell', status: 'running', description, command };
  });
  const fields = { permission_mode: session.mode, stop_hook_active: false, last_assistant_message: reply };
  await runHooks(session, 'Stop', { ...fields, background_tasks: tasks, session_crons: [] });
  session.transcript.system('turn_duration', { durationMs: Date.now() - began });
}

function interrupted(session) {
  if (session.ending) return;
  session.say('  ⎿  Interrupted · What should Claude do instead?');
  session.transcript.user([{ type: 'text', text: '[Request interrupted by user]' }]);
}
