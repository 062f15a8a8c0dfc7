import { hostname } from 'node:os';
import type { Asker } from '../../claims/leases.ts';
import { type Holder, sameHolder } from '../../decide/claim/lease.ts';
import { EXIT, FleetError } from '../../errors.ts';
import { momentNow } from '../../store/boot-clock.ts';
import { isUnderWay, openRuns } from '../../store/claim-runs.ts';
import type { Environment, Places } from '../../store/places.ts';
import { isRunning, procStartOf } from '../../store/process-identity.ts';
import { HOLDER_VARIABLE } from '../../store/sidecar.ts';
import { isSessionId } from '../../words/session-id.ts';

/** A process of this host as the holder of claims. Throws FleetError 66 when it does not run. */
export function holderOf(pid: number, env: Environment): Holder {
  const procStart = procStartOf(pid);
  if (procStart === undefined) throw new FleetError(EXIT.noSuch, `no process ${pid} that could hold a claim`);
  const { CLAUDE_CODE_SESSION_ID: sid } = env;
  const known = sid !== undefined && isSessionId(sid) ? sid : undefined;
  return { host: hostname(), boot: momentNow().boot, pid, procStart, sid: known };
}

/**
 * Whose claims a call is about: the process it names, the run's launcher, the session's own, or whoever called. That process
 * must outlive the work: a lease whose holder is gone has lapsed.
 */
export function holderPid(env: Environment, asked: number | undefined): number {
  if (asked !== undefined) return asked;
  for (const word of [env[HOLDER_VARIABLE], env.CLAUDE_PID]) {
    if (word !== undefined && /^\d{1,10}$/.test(word) && Number(word) > 1) return Number(word);
  }
  return process.ppid;
}

/** This host, now; and whether a holder of it runs: the process itself, or the command that a dead launcher left behind. */
export function askerHere(places: Places): Asker {
  return {
    host: hostname(),
    now: momentNow(),
    runs: (holder) => {
      try {
        if (isRunning(holder)) return 'yes';
        const left = openRuns(places).runs.find(({ host, boot, launcher }) =>
          sameHolder(holder, { host, boot, ...launcher, sid: undefined }),
        );
        return left !== undefined && isUnderWay(left) ? 'yes' : 'no';
      } catch {
        return 'unknown';
      }
    },
  };
}
