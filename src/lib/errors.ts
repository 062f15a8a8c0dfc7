/** Exit codes, from sysexits(3); the whole toolkit speaks this one language (design §12). */
export const EXIT = {
  done: 0,
  finding: 1,
  usage: 64,
  badData: 65,
  noSuch: 66,
  unreadable: 69,
  internal: 70,
  exists: 73,
  later: 75,
  guard: 77,
  config: 78,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Where bad input stands: the file and, when known, the field, line or flag in it. */
export interface Blame {
  file?: string;
  field?: string;
}

/**
 * An error a person can act on: one line, an exit code and, for bad input, the file and field.
 * Anything else that reaches the top is a defect and exits 70.
 */
export class FleetError extends Error {
  readonly exitCode: ExitCode;
  readonly blame: Blame;

  constructor(exitCode: ExitCode, message: string, blame: Blame = {}) {
    super(message);
    this.name = 'FleetError';
    this.exitCode = exitCode;
    this.blame = blame;
  }
}

/** Whether something thrown is a FleetError; by its shape, since each bundle has a class of its own. */
export function isFleetError(error: unknown): error is FleetError {
  return error instanceof Error && error.name === 'FleetError' && 'exitCode' in error;
}

/** The message of anything thrown, in one line. */
export function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replace(/\s*\n\s*/g, ' ').trim();
}

/** A system error that names its file: that of a write on a full disk says only that it was a write. */
export function naming(file: string, error: unknown): unknown {
  if (error instanceof Error && errnoOf(error) !== undefined && !('path' in error)) error.message += ` '${file}'`;
  return error;
}

/** The `code` of a Node system error (`ENOENT`, …), or undefined. */
export function errnoOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
