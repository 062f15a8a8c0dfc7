import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Whether a session of that folder may be in vim mode, by every settings file that can say so. Vim's normal mode shows
 * nothing on the screen, and letters typed there are commands (`/exit` in one burst left a `t`), so a yes anywhere counts.
 */
export function mayUseVim(claudeDir: string, cwd: string | undefined): boolean {
  const files = [
    join(claudeDir, 'settings.json'),
    join(claudeDir, '.claude.json'),
    join(dirname(claudeDir), '.claude.json'),
  ];
  if (cwd !== undefined) files.push(join(cwd, '.claude', 'settings.json'), join(cwd, '.claude', 'settings.local.json'));
  return files.some((file) => {
    try {
      return (JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown> | null)?.editorMode === 'vim';
    } catch {
      // Not there, or not JSON: then Claude Code takes nothing from it either.
      return false;
    }
  });
}
