import { realpathSync } from 'node:fs';
import { configDir } from './places.cjs';

const longest = 200;

/** The folder under projects/ that belongs to a working directory. */
export function slug(cwd) {
  const { CLAUDE_CONFIG_DIR: moved, CLAUDE_CODE_PROJECT_DIR_NAME: named = '' } = process.env;
  // The override counts only together with a config dir of one's own.
  if (moved && /^[\w-]{1,64}$/.test(named)) return named;
  const path = realpathSync(cwd);
  const flat = path.replace(/[^a-zA-Z0-9]/g, '-');
  return flat.length <= longest ? flat : `${flat.slice(0, longest)}-${hash(path)}`;
}

/** Where the transcript of a session lies. */
export function transcriptPath(cwd, sid) {
  return `${configDir}/projects/${slug(cwd)}/${sid}.jsonl`;
}

function hash(text) {
  let sum = 0;
  for (let i = 0; i < text.length; i++) sum = ((sum << 5) - sum + text.charCodeAt(i)) | 0;
  return Math.abs(sum).toString(36);
}
