import { join } from 'node:path';
import { writeAtomic } from '../../store/atomic-write.ts';
import { readJsonObject } from '../../store/json-object.ts';
import { linkTarget } from '../../store/link-target.ts';
import { withLock } from '../../store/lock.ts';
import { asksForBypass } from './settings.ts';

/** The narrowest file in which a background session's disclaimer can be accepted: the folder's own local settings. */
export function bypassFile(cwd: string): string {
  return join(cwd, '.claude', 'settings.local.json');
}

const readSettings = (file: string) => readJsonObject(file, 'Claude Code would not take the disclaimer from it');

/** Whether it is accepted there. Throws FleetError 65 or 69, see readJsonObject. */
export function bypassAccepted(cwd: string): boolean {
  return readSettings(bypassFile(cwd)).skipDangerousModePermissionPrompt === true;
}

/**
 * `claude --bg` in bypass mode wants its disclaimer accepted in a settings file: --settings does not count there (seen on
 * 2.1.328). Accepts it for a person whose own words ask for that mode, every other key kept. Throws FleetError 65 or 69 for a
 * file that can't be used.
 */
export async function acceptBypass(cwd: string, args: readonly string[]): Promise<void> {
  if (!asksForBypass(args) || bypassAccepted(cwd)) return;
  const file = bypassFile(cwd);
  await withLock(file, () => {
    const settings = readSettings(file);
    writeAtomic(
      linkTarget(file),
      `${JSON.stringify({ ...settings, skipDangerousModePermissionPrompt: true }, null, 2)}\n`,
    );
  });
}
