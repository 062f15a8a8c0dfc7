import { realpathSync, statSync } from 'node:fs';
import { readText } from '../lib/cli/read-text.ts';
import { briefProblem, MAX_BRIEF_BYTES, plainBrief, type SpawnKind } from '../lib/decide/spawn-plan.ts';
import { EXIT, FleetError } from '../lib/errors.ts';
import { MAX_BOARD_BYTES, parseBoard } from '../lib/store/board.ts';
import { safeText } from '../lib/words/safe-text.ts';

/** A brief that can be a session's prompt, as Claude Code will keep it. Throws FleetError 65 that says why it can't. */
export function readBriefInput(file: string): string {
  const text = readText(file, { maxBytes: MAX_BRIEF_BYTES, what: 'a brief: a command can be given no more' });
  const brief = plainBrief(text);
  const problem = briefProblem(brief);
  if (problem !== undefined) throw new FleetError(EXIT.badData, `brief ${file}: ${safeText(problem, 200)}`, { file });
  return brief;
}

/** The real path of a folder. Throws FleetError 66. */
export function folderOf(path: string): string {
  try {
    if (statSync(path).isDirectory()) return realpathSync(path);
  } catch {
    // Said below.
  }
  throw new FleetError(EXIT.noSuch, `no folder ${path}`, { file: path });
}

/** `--kind`. Throws FleetError 64. */
export function kindOf(value: unknown): SpawnKind | undefined {
  if (value === undefined) return undefined;
  if (value === 'background' || value === 'interactive') return value;
  throw new FleetError(EXIT.usage, '--kind is background or interactive', { field: 'kind' });
}

/** The text of a board that a command was given. Throws FleetError 65 with line and column. */
export function boardInput(file: string): string {
  const text = readText(file, { maxBytes: MAX_BOARD_BYTES, what: 'a board' });
  const reading = parseBoard(text);
  if (reading.kind !== 'bad') return text;
  const { line, column, problem } = reading;
  throw new FleetError(EXIT.badData, `board ${file}:${line}:${column}: ${problem}`, { file });
}
