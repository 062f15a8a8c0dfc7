import { closeSync, constants, openSync } from 'node:fs';
import { claimsIn, type NamedClaim, type SidecarReading } from '../decide/claim/sidecar.ts';
import { EXIT, FleetError, messageOf } from '../errors.ts';
import { appendLine } from './json-lines.ts';
import { readSmallFile } from './small-file.ts';

const MAX_BYTES = 32 << 20;

/** The variable that tells a session, and what it starts, where its claims are to be written. */
export const SIDECAR_VARIABLE = 'SESSION_TASK_CLAIMS_FILE';
/** The process that holds a session's claims, and finalizes them at its end. */
export const HOLDER_VARIABLE = 'SESSION_RUN_PID';

/** Names a lease in a run's sidecar. Throws FleetError 73 when it can't be: then nobody would finalize it. */
export function nameInSidecar(file: string, claim: NamedClaim & Record<string, unknown>): void {
  try {
    // A link or a device in its place is not what the launcher made.
    closeSync(openSync(file, constants.O_WRONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK));
    appendLine(file, { at: new Date().toISOString(), event: 'acquired', ...claim });
  } catch (error) {
    throw new FleetError(EXIT.exists, `${file}: ${messageOf(error)}`, { file });
  }
}

/** The claims that a sidecar names; none when there is no such file. Throws FleetError 65 for what is no plain file, or too large. */
export function readSidecar(file: string): SidecarReading {
  try {
    return claimsIn((readSmallFile(file, MAX_BYTES) ?? '').split('\n'));
  } catch (error) {
    throw new FleetError(EXIT.badData, `${file}: ${messageOf(error)}`, { file });
  }
}
