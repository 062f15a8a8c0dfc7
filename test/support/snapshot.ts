import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** All that lies below some folders or files: what kind it is, when it was changed, and what stands in it. */
export function snapshotOf(...roots: string[]): Record<string, string> {
  const seen: Record<string, string> = {};
  const walk = (path: string) => {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return;
    const what = stats.isDirectory()
      ? 'folder'
      : stats.isSymbolicLink()
        ? readlinkSync(path)
        : textOf(path, stats.isFile());
    seen[path] = `${stats.ino} ${stats.mode} ${stats.mtimeMs} ${what}`;
    if (stats.isDirectory()) for (const name of readdirSync(path)) walk(join(path, name));
  };
  for (const root of roots) walk(root);
  return seen;
}

const textOf = (path: string, plain: boolean) =>
  plain ? createHash('sha256').update(readFileSync(path)).digest('hex') : 'no plain file';
