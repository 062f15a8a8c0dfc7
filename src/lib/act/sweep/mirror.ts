import { chmodSync, lstatSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { errnoOf } from '../../errors.ts';
import { writeAtomic } from '../../store/atomic-write.ts';
import { taskFolder } from '../../store/task-folder.ts';
import { withHealthLine } from '../../words/state-block.ts';
import { changeTask, type Deed, event, type Outcome } from './deed.ts';

/** Copies the end of a task's watcher into STATE.md and task.json, in this order: the copy in task.json says that both are done. */
export async function mirror(deed: Deed): Promise<Outcome> {
  const { plan, context } = deed;
  const { watcher, line = '', failure, words } = plan.mirror;
  const refused = writeHealthLine(join(taskFolder(context.places, plan.name).dir, 'STATE.md'), line);
  await changeTask(
    deed,
    () => undefined,
    (document) => {
      document.watcher = watcher;
    },
  );
  event(deed, 'watcher-mirrored', { ...watcher, ...(failure === undefined ? {} : { failure }) });
  const more = refused === undefined ? '' : `; STATE.md was left alone: ${refused}`;
  return { task: plan.name, rule: 'mirror', kind: 'copy', result: 'done', words: `${words}${more}` };
}

/** Writes the managed block of STATE.md, unless it says that already, or somebody is just writing; returns why not. */
function writeHealthLine(file: string, line: string): string | undefined {
  const kind = kindOf(file);
  if (kind.why !== undefined) return kind.why;
  const before = readLatin1(file);
  if (typeof before === 'object') return before.why;
  const edit = withHealthLine(before, line);
  if (!edit.ok) return edit.why;
  if (edit.text === before) return undefined;
  const stamp = stampOf(file);
  if (readLatin1(file) !== before || stampOf(file) !== stamp) return 'it is being written';
  writeAtomic(file, edit.text, 'all', 'latin1');
  // It is the Driver's file: who may read it stays as it was.
  if (kind.mode !== undefined) chmodSync(file, kind.mode);
  return undefined;
}

const MAX_BYTES = 16 << 20;

function kindOf(file: string): { why?: string; mode?: number } {
  try {
    const stats = lstatSync(file);
    if (!stats.isFile()) return { why: 'it is no plain file' };
    return stats.size > MAX_BYTES ? { why: `it is larger than ${MAX_BYTES} bytes` } : { mode: stats.mode & 0o777 };
  } catch (error) {
    return errnoOf(error) === 'ENOENT' ? {} : { why: (error as Error).message };
  }
}

function readLatin1(file: string): string | { why: string } {
  try {
    return readFileSync(file, 'latin1');
  } catch (error) {
    return errnoOf(error) === 'ENOENT' ? '' : { why: (error as Error).message };
  }
}

function stampOf(file: string): string {
  try {
    const { mtimeNs, size, ino } = statSync(file, { bigint: true });
    return `${mtimeNs}.${size}.${ino}`;
  } catch {
    return '';
  }
}
