import { statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * When the credentials that Claude Code keeps in its config directory were last written, ms since 1970; undefined when
 * there are none there (macOS keeps them in the keychain) or that can't be read. `/login` and each renewal of a token
 * write `.credentials.json`, and nothing else does. Not looked at: `.claude.json`, which holds a Console key beside so
 * much else that every session rewrites it all the time; keys in the environment and in helpers, which leave no trace.
 */
export function credentialsChangedAt(claudeDir: string): number | undefined {
  try {
    const stats = statSync(join(claudeDir, '.credentials.json'), { throwIfNoEntry: false });
    return stats?.isFile() ? stats.mtimeMs : undefined;
  } catch {
    return undefined;
  }
}
