import { readFileSync, realpathSync, statSync } from 'node:fs';
import { briefProblem, type SpawnKind } from '../lib/decide/spawn-plan.ts';
import { EXIT, errnoOf, FleetError, messageOf } from '../lib/errors.ts';
import { parseBoard } from '../lib/store/board.ts';

/** The text of a file that a command was given, `-` for standard input; must be UTF-8. Throws FleetError 65 or 66. */
export function readInput(file: string, what: string): string {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file === '-' ? 0 : file);
  } catch (error) {
    const code = errnoOf(error) === 'ENOENT' ? EXIT.noSuch : EXIT.badData;
    throw new FleetError(code, `${what} ${file}: ${messageOf(error)}`, { file });
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new FleetError(EXIT.badData, `${what} ${file}: not UTF-8`, { file });
  }
}

/** A brief that can be a session's prompt. Throws FleetError 65 that says why it can't. */
export function readBriefInput(file: string): string {
  const brief = readInput(file, 'brief');
  const problem = briefProblem(brief);
  if (problem !== undefined) throw new FleetError(EXIT.badData, `brief ${file}: ${problem}`, { file });
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
  const text = readInput(file, 'board');
  const reading = parseBoard(text);
  if (reading.kind !== 'bad') return text;
  const { line, column, problem } = reading;
  throw new FleetError(EXIT.badData, `board ${file}:${line}:${column}: ${problem}`, { file });
}
