import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { EXIT, errnoOf, FleetError } from '../errors.ts';
import { uniqueWord } from '../words/unique-word.ts';
import { writeAtomic } from './atomic-write.ts';
import { makeFolder } from './make-folder.ts';
import type { Places } from './places.ts';
import { isRunning, type ProcessIdentity } from './process-identity.ts';

/** One run of session-run, as it is written down: what its successor needs when nobody saw its end. */
export interface ClaimRun {
  runId: string;
  dir: string;
  host: string;
  boot: string;
  /** The launcher. */
  launcher: ProcessIdentity;
  /** Its command; undefined until it is started. */
  child?: ProcessIdentity | undefined;
  startedAt: string;
  command: string[];
  category?: string | undefined;
  statusCommand?: string | undefined;
  /** Where its claims are written, inside its own folder. */
  sidecar: string;
  resultFile?: string | undefined;
}

const SIDECAR = 'claims.jsonl';
const RECORD = 'run.json';

export const runsDir = ({ ownDir }: Places): string => join(ownDir, 'claims', 'runs');

/** A new run's folder, with an empty sidecar in it. Throws FleetError 73 when it can't be made. */
export function newRun(places: Places, run: Omit<ClaimRun, 'runId' | 'dir' | 'sidecar'>): ClaimRun {
  const runId = `run-${uniqueWord()}`;
  const dir = join(runsDir(places), runId);
  const made: ClaimRun = { ...run, runId, dir, sidecar: join(dir, SIDECAR) };
  try {
    makeFolder(dir, 0o700);
    writeAtomic(made.sidecar, '');
    writeRun(made);
  } catch (error) {
    throw new FleetError(EXIT.exists, `${dir}: ${(error as Error).message}`, { file: dir });
  }
  return made;
}

export function writeRun({ dir, sidecar, ...run }: ClaimRun): void {
  writeAtomic(join(dir, RECORD), `${JSON.stringify({ ...run, sidecar: relative(dir, sidecar) })}\n`);
}

/**
 * The runs whose end nobody has dealt with: one that is finalized has no folder any more. Folders that hold no run are named;
 * a sidecar is always the one inside its run's folder, whatever the record says.
 */
export function openRuns(places: Places): { runs: ClaimRun[]; bad: string[] } {
  const runs: ClaimRun[] = [];
  const bad: string[] = [];
  let names: string[];
  try {
    names = readdirSync(runsDir(places));
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return { runs, bad };
    throw error;
  }
  for (const name of names.sort()) {
    const run = readRun(join(runsDir(places), name), name);
    if (run === undefined) bad.push(join(runsDir(places), name));
    else runs.push(run);
  }
  return { runs, bad };
}

function readRun(dir: string, runId: string): ClaimRun | undefined {
  try {
    const value = JSON.parse(readFileSync(join(dir, RECORD), 'utf8')) as Record<string, unknown>;
    const { host, boot, launcher, child, startedAt, command, category, statusCommand, resultFile } = value;
    if (typeof host !== 'string' || typeof boot !== 'string' || !isIdentity(launcher)) return undefined;
    const word = (one: unknown) => (typeof one === 'string' ? one : undefined);
    return {
      runId,
      dir,
      host,
      boot,
      launcher,
      child: isIdentity(child) ? child : undefined,
      startedAt: word(startedAt) ?? '',
      command: Array.isArray(command) ? command.filter((one) => typeof one === 'string') : [],
      category: word(category),
      statusCommand: word(statusCommand),
      resultFile: word(resultFile),
      sidecar: join(dir, SIDECAR),
    };
  } catch {
    return undefined;
  }
}

function isIdentity(value: unknown): value is ProcessIdentity {
  const { pid, procStart } = (value ?? {}) as Record<string, unknown>;
  return typeof pid === 'number' && pid > 0 && typeof procStart === 'string';
}

/** Whether a run of this host is over and nobody dealt with its end; none outlives its boot. Throws when that can't be read. */
export function isLost(run: ClaimRun, here: { host: string; boot: string }): boolean {
  return run.host === here.host && (run.boot !== here.boot || !isUnderWay(run));
}

/** Whether a run is still under way here: its launcher, or the command that it left behind. Throws when that can't be read. */
export function isUnderWay({ launcher, child }: ClaimRun): boolean {
  return isRunning(launcher) || (child !== undefined && isRunning(child));
}
