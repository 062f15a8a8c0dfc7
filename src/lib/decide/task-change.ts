/** What the toolkit itself finds out and does: nobody's work. */
export const FACT_FIELDS = [
  'releasedAt',
  'exitAskedAt',
  'exitRequestedAt',
  'exitRequests',
  'exitedAt',
  'exitGaveUpAt',
  'exitAsk',
  'answered',
  'holdLiftedAt',
  'driverRespawns',
  'driverRespawnTimes',
  'driverSeen',
  'deadSince',
  'wake',
  'watcher',
  'spawnIntent',
  'alarms',
] as const;

/** Fields that the toolkit writes as facts of its own; a person's `set` must not make one up. */
export const OWN_FIELDS = ['id', 'createdAt', 'stateChangedAt', ...FACT_FIELDS] as const;

/** The same, as older files name them. */
const LEGACY_OWN_FIELDS = ['operatorRespawns', 'operatorRespawnTimes', 'operatorSeen'];

/** The latches that un-parking clears: they tell of a release and an exit that are over. */
export const LATCHES = [
  'releasedAt',
  'exitAskedAt',
  'exitRequestedAt',
  'exitRequests',
  'exitedAt',
  'exitGaveUpAt',
  'exitAsk',
] as const;

export type FinishDecision =
  | { kind: 'finish' }
  | {
      kind: 'refuse';
      reason: 'open-items' | 'board-unreadable' | 'no-board' | 'empty-board' | 'over-already';
      words: string;
    };

/** What finishing is decided on: the task's state, and its board. */
export interface FinishFacts {
  state: string;
  terminal: boolean;
  board:
    | { kind: 'read'; items: number; open: readonly { group: string; text: string }[] }
    | { kind: 'none' }
    | { kind: 'bad'; words: string };
  withoutBoard: boolean;
}

/**
 * Whether a task may be declared done: only when its board can be read and nothing on it is open. The finisher is the only
 * thing that declares a task done (design §2); a board nobody can read is no finished one, nor is one that somebody emptied.
 */
export function decideFinish({ state, terminal, board, withoutBoard }: FinishFacts): FinishDecision {
  if (terminal) return { kind: 'refuse', reason: 'over-already', words: `it is ${state} already` };
  if (board.kind === 'bad') return { kind: 'refuse', reason: 'board-unreadable', words: board.words };
  if (board.kind === 'none') {
    if (withoutBoard) return { kind: 'finish' };
    return {
      kind: 'refuse',
      reason: 'no-board',
      words: 'it has no board (acceptance.json); --without-board finishes it all the same',
    };
  }
  if (board.items === 0 && !withoutBoard) {
    const words = 'its board (acceptance.json) has no items; --without-board finishes it all the same';
    return { kind: 'refuse', reason: 'empty-board', words };
  }
  if (board.open.length === 0) return { kind: 'finish' };
  const named = board.open.map(({ group, text }) => `${group}: ${text}`).join('; ');
  return { kind: 'refuse', reason: 'open-items', words: `${board.open.length} open: ${named}` };
}

export type Assignment = { field: string; value: unknown } | { problem: string };

/**
 * One `key=value` word of `task-file set`. A value that is JSON is that value, anything else is text; an empty one removes the
 * field. Terminal states and the toolkit's own fields can't be set.
 */
export function assignment(word: string, terminal: ReadonlySet<string>): Assignment {
  const cut = word.indexOf('=');
  const field = word.slice(0, cut);
  if (cut < 1 || !/^[A-Za-z][A-Za-z0-9_]*$/.test(field)) return { problem: `${word} is no key=value` };
  if ([...OWN_FIELDS, ...LEGACY_OWN_FIELDS].includes(field))
    return { problem: `${field} is written by the toolkit alone` };
  const value = valueIn(word.slice(cut + 1));
  // The value that would be stored is judged, not the word: `state="done"` is the text done too.
  if (field === 'state' && typeof value === 'string' && terminal.has(value)) {
    return { problem: `state ${value} is reached by ${value === 'parked' ? 'park' : 'finish'}, not set` };
  }
  return { field, value };
}

function valueIn(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
