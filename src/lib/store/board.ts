import { findNodeAtLocation, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import * as z from 'zod';
import { messageOf } from '../errors.ts';
import { readSmallFile } from './small-file.ts';

const item = z
  .looseObject({
    text: z.string().min(1),
    state: z.enum(['open', 'met', 'dropped']),
    evidence: z.string().optional(),
  })
  .refine(({ state, evidence }) => state === 'open' || (evidence ?? '').trim() !== '', {
    message: 'an item that is met or dropped says by what evidence',
    path: ['evidence'],
  });

const board = z.looseObject({ groups: z.array(z.looseObject({ title: z.string(), items: z.array(item) })) });

/** The board of a task (acceptance.json): groups of items, each open, met or dropped, with evidence. Hand-editable. */
export type Board = z.infer<typeof board>;

export type BoardReading =
  /** `items`: how many there are, in all groups. */
  | { kind: 'read'; board: Board; items: number; open: { group: string; text: string }[] }
  | { kind: 'none' }
  /** Where it is wrong, 1-based, as an editor counts. */
  | { kind: 'bad'; problem: string; line: number; column: number };

/** More than this is no board, as a file or as what a command is given. */
export const MAX_BOARD_BYTES = 4 << 20;

/** Reads a board file. An unreadable one is said, with line and column, and never taken for an empty or finished one. */
export function readBoard(file: string): BoardReading {
  try {
    const text = readSmallFile(file, MAX_BOARD_BYTES, { follow: true });
    return text === undefined ? { kind: 'none' } : parseBoard(text);
  } catch (error) {
    return { kind: 'bad', problem: messageOf(error), line: 1, column: 1 };
  }
}

/** The board in a text; see readBoard. */
export function parseBoard(whole: string): BoardReading {
  // Editors of some systems begin a file with this mark, and show nothing of it.
  const text = whole.replace(/^\ufeff/, '');
  try {
    return parsed(text);
  } catch (error) {
    // The parser descends by calls: brackets by the hundred thousand are too deep for it.
    if (!(error instanceof RangeError)) throw error;
    return { kind: 'bad', problem: 'not JSON: nested too deeply', line: 1, column: 1 };
  }
}

function parsed(text: string): BoardReading {
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { disallowComments: true, allowTrailingComma: false });
  const [first] = errors;
  if (first !== undefined || tree === undefined) {
    return { kind: 'bad', problem: first === undefined ? 'empty' : wordsOf(first), ...place(text, first?.offset ?? 0) };
  }
  const twice = repeatedKey(tree);
  if (twice !== undefined)
    return { kind: 'bad', problem: `${twice.value}: is there twice`, ...place(text, twice.offset) };
  const result = board.safeParse(JSON.parse(text));
  if (result.success) {
    const items = result.data.groups.reduce((sum, group) => sum + group.items.length, 0);
    return { kind: 'read', board: result.data, items, open: openItems(result.data) };
  }
  const [issue] = result.error.issues;
  const path = (issue?.path ?? []).map((part) => (typeof part === 'symbol' ? String(part) : part));
  // A field that is missing has no place of its own: its nearest parent has.
  let node = findNodeAtLocation(tree, path);
  for (let up = path.slice(0, -1); node === undefined && up.length >= 0; up = up.slice(0, -1)) {
    node = findNodeAtLocation(tree, up);
    if (up.length === 0) break;
  }
  const problem = `${path.join('.') || '(top)'}: ${issue?.message ?? 'invalid'}`;
  return { kind: 'bad', problem, ...place(text, node?.offset ?? 0) };
}

function wordsOf({ error }: ParseError): string {
  return `not JSON: ${printParseErrorCode(error)
    .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .trim()}`;
}

/**
 * The first key that an object has already. JSON takes the last of two: a second `items`, left by a merge, would hide the open
 * ones of the first.
 */
function repeatedKey(tree: Node): Node | undefined {
  const rest = [tree];
  for (let node = rest.pop(); node !== undefined; node = rest.pop()) {
    const seen = new Set<unknown>();
    for (const child of node.children ?? []) {
      rest.push(child);
      const key = node.type === 'object' ? child.children?.[0] : undefined;
      if (key === undefined) continue;
      if (seen.has(key.value)) return key;
      seen.add(key.value);
    }
  }
  return undefined;
}

function openItems({ groups }: Board) {
  return groups.flatMap(({ title, items }) =>
    items.flatMap(({ state, text }) => (state === 'open' ? [{ group: title, text }] : [])),
  );
}

function place(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
