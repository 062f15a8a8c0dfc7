import { EXIT, errnoOf, FleetError, messageOf } from '../errors.ts';
import { recordIn } from '../record.ts';
import { readSmallFile } from './small-file.ts';

/** A file of Claude Code's that is larger than this is none. */
const MAX_BYTES = 64 << 20;

/**
 * A file of Claude Code's, or what a link there leads to, that holds one JSON object; none yet is an empty one. Throws FleetError
 * 65 that names a file which holds anything else, with what that leads to, and 69 for one that can't be read.
 */
export function readJsonObject(file: string, leadsTo: string): Record<string, unknown> {
  let text: string | undefined;
  try {
    text = readSmallFile(file, MAX_BYTES, { follow: true });
    if (text === undefined) return {};
  } catch (error) {
    const code = errnoOf(error) === undefined ? EXIT.badData : EXIT.unreadable;
    throw new FleetError(code, `${file}: ${messageOf(error)}; ${leadsTo}`, { file });
  }
  const found = recordIn(text);
  if (found !== undefined) return found;
  throw new FleetError(EXIT.badData, `${file}: not a JSON object; ${leadsTo}`, { file });
}
