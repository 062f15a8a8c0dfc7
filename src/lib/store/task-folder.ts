import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXIT, errnoOf, FleetError, messageOf } from '../errors.ts';
import { writeAtomic } from './atomic-write.ts';
import { appendLine } from './json-lines.ts';
import { makeFolder } from './make-folder.ts';
import type { Places } from './places.ts';

/** The files of one task, beside its task.json. */
export interface TaskFolder {
  dir: string;
  brief: string;
  /** The prompt of the last kickoff, while it may be needed to verify it. */
  kickoff: string;
  board: string;
  events: string;
}

export function taskFolder(places: Places, task: string): TaskFolder {
  const dir = join(places.tasksDir, task);
  // Not joined: each join normalizes the whole path again, which a tick over 200 tasks feels.
  return {
    dir,
    brief: `${dir}/BRIEF.md`,
    kickoff: `${dir}/KICKOFF.md`,
    board: `${dir}/acceptance.json`,
    events: `${dir}/events.jsonl`,
  };
}

/** Writes the kickoff brief, and the board when there is one. The folder is a task only once task.json is in it. */
export function writeBrief(folder: TaskFolder, brief: string | undefined, board: string | undefined): void {
  makeFolder(folder.dir);
  if (brief !== undefined) writeAtomic(folder.brief, brief);
  if (board !== undefined) writeAtomic(folder.board, board);
}

/** Writes the prompt of a kickoff and returns its file. */
export function writeKickoff(folder: TaskFolder, prompt: string): string {
  writeAtomic(folder.kickoff, prompt);
  return folder.kickoff;
}

/** The kickoff brief. Throws FleetError 66 when there is none. */
export function readBrief(folder: TaskFolder): string {
  try {
    return readFileSync(folder.brief, 'utf8');
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') throw new FleetError(EXIT.noSuch, `no ${folder.brief}`, { file: folder.brief });
    throw new FleetError(EXIT.unreadable, `${folder.brief}: ${messageOf(error)}`, { file: folder.brief });
  }
}

/** Appends an event; `by` is the command, so that the toolkit's own are told from people's. */
export function appendEvent(folder: TaskFolder, by: string, kind: string, more: Record<string, unknown> = {}): void {
  const { by: _by, kind: _kind, ...rest } = more;
  appendLine(folder.events, { at: new Date().toISOString(), by, kind, ...rest });
}
