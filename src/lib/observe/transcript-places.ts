import { readdirSync, realpathSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { errnoOf } from '../errors.ts';
import { isSessionId } from '../words/session-id.ts';

/** Claude Code's folder name for a working directory: each character that is no ASCII letter or digit becomes `-`. */
export function projectSlug(cwd: string): string {
  return cwd.replace(/[^A-Za-z0-9]/g, '-');
}

/** Longer slugs are cut and get a hash whose rule is not documented; such a folder is found by its start. */
export const SLUG_LIMIT = 200;

/**
 * Files that can be the transcript of `sessionId`, best first: in the folder of `cwd` (after realpath), then in any
 * other (a session that moved, a slug of another rule). More than one is possible: two folders can share a slug, and
 * a copied tree holds copies. Which is right is told by what is inside. Throws when the folder can't be read.
 */
export function transcriptCandidates(
  claudeDir: string,
  sessionId: string,
  cwd?: string,
): { file: string; stats: Stats }[] {
  if (!isSessionId(sessionId)) return [];
  const projects = join(claudeDir, 'projects');
  const name = `${sessionId}.jsonl`;
  if (cwd !== undefined) {
    const slug = projectSlug(realPath(cwd));
    if (slug.length <= SLUG_LIMIT) {
      const expected = regularFile(join(projects, slug, name));
      if (expected !== undefined) return [expected];
    }
  }
  let folders: string[];
  try {
    folders = readdirSync(projects, { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() ? [entry.name] : [],
    );
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return [];
    throw error;
  }
  return folders.flatMap((folder) => regularFile(join(projects, folder, name)) ?? []);
}

function regularFile(file: string): { file: string; stats: Stats } | undefined {
  try {
    const stats = statSync(file, { throwIfNoEntry: false });
    return stats?.isFile() ? { file, stats } : undefined;
  } catch (error) {
    if (errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}

const realPaths = new Map<string, string>();

/** The real path, asked once a run: many sessions share a folder. */
function realPath(path: string): string {
  const known = realPaths.get(path);
  if (known !== undefined) return known;
  let real = path;
  try {
    real = realpathSync(path);
  } catch {
    // Gone: then its own name is all there is.
  }
  realPaths.set(path, real);
  return real;
}
