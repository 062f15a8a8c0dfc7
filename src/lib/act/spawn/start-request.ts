import type { SpawnIdentity } from '../../decide/spawn-identity.ts';
import type { SpawnKind } from '../../decide/spawn-plan.ts';

/** A start that has been admitted and written down (spawnIntent in task.json). */
export interface Start {
  task: string;
  /** The command that starts, as it signs events. */
  by: string;
  kind: SpawnKind;
  cwd: string;
  args: readonly string[];
  identity: SpawnIdentity;
  /** The conversation to continue, and its transcript's size before. */
  resume?: { sessionId: string; fromByte: number; savedOptions: boolean };
  /** It is a revival that counts in the task's window. ISO 8601. */
  revivalAt?: string;
  /** What is found is not let go when it can't be verified. */
  keep?: boolean;
  promptFile: string;
  prompt: string;
  token: string;
  waitMs: number;
}

export type Started =
  | { ok: true; sessionId: string; pid: number; shortId: string | undefined; name: string; pane: string | undefined }
  /** `copy`: claude made a copy of a session that runs; it counts as nothing. `kept`: see Start.keep. */
  | { ok: false; why: string; excerpt: string; stillThere: boolean; copy?: true; kept?: true };
