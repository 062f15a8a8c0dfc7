import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { errnoOf } from '../../errors.ts';
import { readDecisions, stateOf } from '../../store/decisions.ts';
import { isRunning } from '../../store/process-identity.ts';
import { removeFile } from '../../store/remove-file.ts';
import { formatDuration } from '../../words/duration.ts';
import { type Finding, ok, wrong } from '../finding.ts';
import type { DoctorLook } from '../look.ts';

const DAY = 86_400_000;
const MAX_FILES = 50_000;

/** Task files that can't be used: each protects every session from expiry, and is supervised by nobody. */
export function checkTasks({ bad, open }: DoctorLook): Finding[] {
  if (bad.length === 0) return [ok('tasks', `${open.length} open, none bad`)];
  return bad.map(({ name, file, field, problem }) =>
    wrong(
      'tasks',
      `${file}: ${field}: ${problem}`,
      'nobody supervises it, and no session expires',
      `task-file validate ${name}`,
      {
        task: name,
      },
    ),
  );
}

/** Questions that wait for a person for more than a day, and ledger files that can't be used. */
export function checkDecisions({ context, fleet }: DoctorLook): Finding[] {
  const { decisions, bad } = readDecisions(context.places);
  const findings: Finding[] = bad.map(({ file, field, problem }) =>
    wrong('decisions', `${file}: ${field}: ${problem}`, 'this question can’t be answered', 'decision-ledger list'),
  );
  const open = decisions.filter((decision) => stateOf(decision) === 'open');
  for (const { id, title, raisedAt, task } of open) {
    const age = fleet.at - Date.parse(raisedAt);
    if (age < DAY) continue;
    findings.push(
      wrong(
        'decisions',
        `${id} has waited for ${formatDuration(age)}: ${title}`,
        'a person is asked',
        `decision-ledger show ${id}`,
        {
          ...(task === undefined ? {} : { task }),
        },
      ),
    );
  }
  return findings.length > 0 ? findings : [ok('decisions', `${open.length} open`)];
}

/** Lock entries and temp files that killed commands have left. They harm nobody, but one that can't be read blocks. */
export function checkLeftovers({ context, fleet }: DoctorLook): Finding[] {
  const { ownDir, tasksDir } = context.places;
  const stale: string[] = [];
  const blocking: string[] = [];
  for (const file of filesBelow(ownDir, tasksDir)) {
    if (/\.tmp-[^/]+$/.test(file) && ageOf(file, fleet.at) > DAY) stale.push(file);
    if (!/\.lock\.\d{20}-[^/]+$/.test(file)) continue;
    const holder = holderOf(file);
    if (holder === 'dead') stale.push(file);
    if (holder === 'unreadable' && ageOf(file, fleet.at) > 60_000) blocking.push(file);
  }
  const findings = blocking.map((file) =>
    wrong('locks', `${file} names no process`, 'whoever wants this lock waits in vain', `rm '${file}'`),
  );
  if (stale.length > 0) {
    findings.push(
      wrong(
        'locks',
        `${stale.length} lock entries and temp files of processes that are gone`,
        'they take room, nothing else',
        'watcher-doctor --fix',
        {
          fix: async () => {
            for (const file of stale) removeFile(file);
            return `${stale.length} files removed`;
          },
        },
      ),
    );
  }
  return findings.length > 0 ? findings : [ok('locks', 'none left behind')];
}

function* filesBelow(...roots: string[]): Generator<string> {
  const open = [...roots];
  for (let count = 0; count < MAX_FILES; ) {
    const folder = open.pop();
    if (folder === undefined) return;
    for (const entry of entriesOf(folder)) {
      count += 1;
      const path = join(folder, entry.name);
      if (entry.isDirectory()) open.push(path);
      else if (entry.isFile()) yield path;
    }
  }
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'EACCES') return [];
    throw error;
  }
}

const ageOf = (file: string, now: number): number => now - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? now);

function holderOf(file: string): 'alive' | 'dead' | 'unreadable' {
  try {
    const { pid, procStart } = JSON.parse(readFileSync(file, 'utf8'));
    if (typeof pid !== 'number' || typeof procStart !== 'string') return 'unreadable';
    return isRunning({ pid, procStart }) ? 'alive' : 'dead';
  } catch (error) {
    return errnoOf(error) === 'ENOENT' ? 'alive' : 'unreadable';
  }
}
