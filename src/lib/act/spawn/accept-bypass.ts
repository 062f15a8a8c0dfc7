import { join } from 'node:path';
import { writeAtomic } from '../../store/atomic-write.ts';
import { readJsonObject } from '../../store/json-object.ts';
import { linkTarget } from '../../store/link-target.ts';
import { withLock } from '../../store/lock.ts';
import { asksForBypass } from './settings.ts';

/**
 * `claude --bg` in bypass mode wants its disclaimer accepted in a settings file: --settings does not count there (seen on
 * 2.1.328). Accepts it for a person whose own words ask for that mode, in the narrowest place that works: the folder's own
 * `.claude/settings.local.json`, every other key kept. Throws FleetError 65 when that file is no JSON object.
 */
export async function acceptBypass(cwd: string, args: readonly string[]): Promise<void> {
  if (!asksForBypass(args)) return;
  const file = join(cwd, '.claude', 'settings.local.json');
  await withLock(file, () => {
    const settings = readJsonObject(file, 'Claude Code would not take the disclaimer from it');
    if (settings.skipDangerousModePermissionPrompt === true) return;
    writeAtomic(
      linkTarget(file),
      `${JSON.stringify({ ...settings, skipDangerousModePermissionPrompt: true }, null, 2)}\n`,
    );
  });
}
