import type { Context } from '../../context.ts';
import { decideHold, type HoldVerdict } from '../../decide/hold.ts';
import type { Task } from '../../store/task-schema.ts';
import { credentialsChangedAt } from '../credentials.ts';
import { readLastTurn } from '../last-turn.ts';
import { readTranscript } from '../transcript.ts';

/**
 * Whether a start of this Driver would only meet again what its last turn failed on. A person who lifted the hold after
 * that failure knows better. `now` in ms since 1970.
 */
export function readHold({ places, policy }: Context, task: Task, now: number): HoldVerdict {
  const { driverSid, cwd, holdLiftedAt } = task;
  if (driverSid === undefined) return { kind: 'free' };
  const transcript = readTranscript(places.claudeDir, driverSid, cwd, { glance: true });
  if (transcript.kind !== 'found') return { kind: 'free' };
  const lastTurn = readLastTurn(transcript.file);
  const failedAt = lastTurn.kind === 'failed' && lastTurn.at !== undefined ? Date.parse(lastTurn.at) : Number.NaN;
  if (holdLiftedAt !== undefined && Date.parse(holdLiftedAt) > failedAt) return { kind: 'free' };
  const { limitHold, authHold } = policy.revive;
  return decideHold({
    lastTurn,
    credentialsChangedAt: credentialsChangedAt(places.claudeDir),
    now,
    policy: { limitHold, authHold },
  });
}
