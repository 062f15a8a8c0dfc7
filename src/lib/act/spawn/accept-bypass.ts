import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EXIT, errnoOf, FleetError, messageOf } from '../../errors.ts';
import { writeAtomic } from '../../store/atomic-write.ts';
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
    const settings = readSettings(file);
    if (settings.skipDangerousModePermissionPrompt === true) return;
    writeAtomic(file, `${JSON.stringify({ ...settings, skipDangerousModePermissionPrompt: true }, null, 2)}\n`);
  });
}

function readSettings(file: string): Record<string, unknown> {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return {};
    throw error;
  }
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch (error) {
    throw new FleetError(EXIT.badData, `${file}: not JSON: ${messageOf(error)}`, { file });
  }
  throw new FleetError(EXIT.badData, `${file}: not a JSON object`, { file });
}
