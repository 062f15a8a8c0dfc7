import type { Sourced } from '../reading.ts';
import type { Environment } from '../store/places.ts';
import { safeText } from '../words/safe-text.ts';
import { boundedRun, failureOf } from './bounded-run.ts';
import { parseRoster, type RosterRow } from './roster-rows.ts';

/** The claude command: `$FLEET_CLAUDE`, default `claude`. One word, found on PATH; never a shell string. */
export function claudeCommand(env: Environment): string {
  return env.FLEET_CLAUDE || 'claude';
}

export interface RosterCall {
  env: Environment;
  timeoutMs: number;
  /** Finished background rows too (they carry no pid). */
  all?: boolean;
  onPid?: (pid: number) => void;
}

/**
 * One call of `claude agents --json`, bounded in time and output (one was seen to hang for hours). Anything but a clean
 * answer is a failed reading with its reason, never an empty fleet.
 */
export async function callRoster({ env, timeoutMs, all = false, onPid }: RosterCall): Promise<Sourced<RosterRow[]>> {
  const command = claudeCommand(env);
  const args = all ? ['agents', '--json', '--all'] : ['agents', '--json'];
  const outcome = await boundedRun(command, args, {
    timeoutMs,
    env: readerEnvironment(env),
    ...(onPid ? { onPid } : {}),
  });
  const failure = failureOf(outcome, `${command} agents --json`);
  if (failure !== undefined || outcome.kind !== 'ended') {
    const said = outcome.kind === 'ended' ? safeText(outcome.stderr.trim(), 120) : '';
    return { ok: false, why: said === '' ? String(failure) : `${failure}: ${said}` };
  }
  return parseRoster(outcome.stdout);
}

/** A reader started from inside a session must not pass for that session's child (facts: CLAUDE_CODE_CHILD_SESSION). */
export function readerEnvironment(env: Environment): Environment {
  const { CLAUDECODE, CLAUDE_CODE_CHILD_SESSION, CLAUDE_CODE_SESSION_ID, CLAUDE_PID, ...rest } = env;
  const { CLAUDE_CODE_MESSAGING_SOCKET, CLAUDE_CODE_MESSAGING_TOKEN, ...clean } = rest;
  return clean;
}
