import { runCommand } from './commands.mjs';
import { draftWidth } from './screen.mjs';
import { commandOf } from './slash.mjs';

/** One key, text or paste that reached a session. */
export function press(session, pressed, source) {
  // A dialog takes every key: what was meant for the input box answers the dialog.
  if (session.dialog) return session.dialog.press(pressed);
  const { key, text, paste } = pressed;
  if (key !== 'C-c') session.armed = false;
  if (text !== undefined) type(session, text);
  else if (paste !== undefined) session.draft.paste(paste);
  else keys[key]?.(session, source);
}

const keys = {
  Enter: submit,
  Newline: ({ draft }) => draft.type('\n'),
  Backspace: ({ draft }) => draft.erase(),
  'C-u': ({ draft, view }) => draft.clearRow(draftWidth(view.size[0])),
  Escape(session) {
    session.turn?.abort();
    session.limitResets = undefined;
    if (session.vim) session.vim = 'normal';
  },
  'C-c'(session) {
    if (session.turn) return session.turn.abort();
    if (!session.draft.empty) return session.draft.clear();
    if (session.armed) return session.end('prompt_input_exit');
    session.armed = true;
    setTimeout(() => {
      session.armed = false;
      session.redraw();
    }, 1000).unref();
  },
};

/** Letters go into the box; in vim's normal mode they are commands until one of them goes back to inserting. */
function type(session, text) {
  for (const letter of text) {
    if (session.vim !== 'normal') session.draft.type(letter);
    else if (/[ia]/.test(letter)) session.vim = 'insert';
  }
}

function submit(session, source) {
  const line = session.draft.take();
  if (line === '') return;
  session.ghost = undefined;
  const command = commandOf(line);
  if (command) return runCommand(session, command, source);
  session.deliver({ text: line, extra: { promptSource: 'typed', origin: { kind: 'human' } } });
}
