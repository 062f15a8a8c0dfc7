import { matching } from './slash.mjs';

// The box's own mark is followed by a no-break space, an echoed message's by a plain one.
const mark = '❯\u00a0';

const footers = {
  auto: '  ⏵⏵ auto mode on (shift+tab to cycle)',
  bypassPermissions: '  ⏵⏵ bypass permissions on',
  acceptEdits: '  ⏵⏵ accept edits on (shift+tab to cycle)',
  plan: '  ⏸ plan mode on (shift+tab to cycle)',
};

/**
 * The whole screen of a session: `lines` are exactly what a terminal shows, `cursor` is [row, column] in the input box, or
 * at the selected option of the dialog that took its place at the bottom.
 */
export function frame(session, width, height) {
  const bottom = session.dialog ? [...session.dialog.drawn(width), ...nameRule(session, width)] : box(session, width);
  const room = Math.max(0, height - bottom.length);
  const said = room > 0 ? session.said.flatMap((line) => wrapped(line, width)).slice(-room) : [];
  const gap = Array(room - said.length).fill('');
  const drawn = bottom.map((line) => (typeof line === 'string' ? clipped(line, width) : line.raw));
  const picked = (line) => (session.dialog && /^ *❯ /.test(line) ? line.indexOf('❯') : undefined);
  const columns = bottom.map((line) => line.column ?? picked(line));
  const row = columns.findIndex((column) => column !== undefined);
  return {
    lines: [...said, ...gap, ...drawn].slice(-height),
    cursor: row < 0 ? undefined : [room + row, columns[row]],
  };
}

/** How many letters fit in one row of the box. */
export function draftWidth(width) {
  return width - 3;
}

function box(session, width) {
  const rule = nameRule(session, width)[0] ?? '─'.repeat(width);
  const lower = ['─'.repeat(width), ...limitWait(session, width), footer(session)];
  return [...above(session, width), rule, ...draftLines(session, width), ...lower];
}

/** Under the box, while the session waits for its usage limit to reset. */
function limitWait({ limitResets }, width) {
  if (!limitResets) return [];
  const said = [
    `⚠ Usage limit reached · limit resets ${limitResets}`,
    `  Continuing automatically at ${limitResets} · Esc to cancel`,
  ];
  return said.flatMap((line) => wrapped(line, width - 2)).map((line) => `  ${line}`);
}

/** What stands above the box: the slash menu, or what the session is doing. */
function above(session, width) {
  const menu = matching(session.draft.shown).map(
    ({ name, about }, i) => ` ${i === 0 ? ' ❯' : '  '} /${name.padEnd(26)} ${about}`,
  );
  if (menu.length > 0) return menu;
  if (session.turn) return ['', '✢ Flummoxing…', ...session.waitingTexts.map((text) => `❯ ${text}`), ''];
  return [(session.notice ?? '').padStart(width - 1)];
}

function draftLines({ draft, ghost, turn }, width) {
  if (draft.empty && ghost && !turn) {
    // A suggestion is dim; without its colours it reads like a draft.
    return [{ raw: `${mark}\x1b[7m${ghost[0]}\x1b[0m\x1b[2m${ghost.slice(1, width - 2)}\x1b[0m`, column: 2 }];
  }
  const rows = draft.rows(draftWidth(width));
  return rows.map((row, i) => {
    const text = `${i === 0 ? mark : '  '}${row}`;
    return i < rows.length - 1 ? { raw: text } : { raw: `${text}\x1b[7m \x1b[0m`, column: [...text].length };
  });
}

function footer({ mode, turn, shells, armed, vim }) {
  if (armed) return '  Press Ctrl-C again to exit';
  const parts = [footers[mode] ?? '  ⏸ manual mode on · ? for shortcuts'];
  // Vim's normal mode shows nothing.
  if (vim === 'insert') parts[0] = `  -- INSERT -- ${parts[0].trimStart()}`;
  if (shells.size > 0) parts.push(`${shells.size} shell${shells.size > 1 ? 's' : ''}`);
  if (turn) parts.push('esc to interrupt');
  parts.push('← for agents');
  return parts.join(' · ');
}

/** A rule that ends in the session's name, when a person gave it one. */
function nameRule({ name, nameSource }, width) {
  return nameSource === 'user' ? [`${'─'.repeat(Math.max(0, width - name.length - 3))} ${name} ─`] : [];
}

/** A line cut into rows of at most `width` letters; an empty line is one row. */
function wrapped(line, width) {
  const letters = [...line];
  const rows = [];
  do rows.push(letters.splice(0, width).join(''));
  while (letters.length > 0);
  return rows;
}

function clipped(line, width) {
  return [...line].slice(0, width).join('');
}
