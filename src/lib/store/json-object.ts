import { readFileSync } from 'node:fs';
import { EXIT, errnoOf, FleetError } from '../errors.ts';

/**
 * A file of Claude Code's that holds one JSON object; none yet is an empty one. Throws FleetError 65 that names a file
 * which holds anything else, with what that leads to, and the system error when it can't be read.
 */
export function readJsonObject(file: string, leadsTo: string): Record<string, unknown> {
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
  } catch {
    // Said below.
  }
  throw new FleetError(EXIT.badData, `${file}: not a JSON object; ${leadsTo}`, { file });
}
