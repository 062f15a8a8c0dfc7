import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { nameChild, nameLaunched, releaseReservation, requestAdmission } from '../lib/act/admit.ts';
import { RESERVATION_VARIABLE } from '../lib/act/census.ts';
import { withCapOptions } from '../lib/cli/cap-policy.ts';
import type { Handler } from '../lib/cli/output.ts';
import type { Context } from '../lib/context.ts';
import { EXIT, FleetError, messageOf } from '../lib/errors.ts';
import { claudeProcesses } from '../lib/observe/claude-processes.ts';
import { scanProcesses } from '../lib/observe/process-table.ts';
import { claudeCommand } from '../lib/observe/roster.ts';
import { admissionExit } from './cap-admit.ts';

/** `session-cap run -- CMD…`. */
export const runAdmitted: Handler = async (given, invocation, output) => {
  const context = withCapOptions(given, invocation.options);
  const [command = '', ...args] = invocation.args;
  const result = await requestAdmission(context, {
    for: String(invocation.options.for ?? ''),
    ttlMs: context.policy.cap.reservationTtl,
    callerPid: process.ppid,
    launchCwd: process.cwd(),
  });
  const { token } = result;
  if (token === undefined) {
    output.err(`session-cap: not admitted, not run: ${result.decision.words}\n`);
    return admissionExit(result);
  }
  const before = new Set(result.fleet.joined?.sessions.map(({ pid, procStart }) => `${pid}.${procStart}`));
  let code: number;
  try {
    code = await runChild(context, token, command, args);
  } catch (error) {
    await releaseReservation(context.places, token);
    throw new FleetError(EXIT.noSuch, `${command} could not be run: ${messageOf(error)}`);
  }
  // A launcher that ended well has left its session behind; until that can be seen, the slot stays taken to its ttl.
  if (code !== 0) await releaseReservation(context.places, token);
  else if (await newSession(context, before)) await releaseReservation(context.places, token, 'appeared');
  else await nameLaunched(context.places, token);
  return code;
};

/** Runs the command on our terminal. What the terminal sends (^C) reaches it directly, so we only wait for it. */
function runChild(context: Context, token: string, command: string, args: string[]): Promise<number> {
  const ignore = () => undefined;
  for (const name of ['SIGINT', 'SIGQUIT'] as const) process.on(name, ignore);
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      stdio: 'inherit',
      env: { ...context.env, [RESERVATION_VARIABLE]: token } as NodeJS.ProcessEnv,
    });
    child.on('error', reject);
    child.on('spawn', () => {
      if (child.pid !== undefined) nameChild(context.places, token, child.pid).catch(ignore);
    });
    child.on('close', (code, signal) => resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])));
  });
}

async function newSession({ env, places }: Context, before: ReadonlySet<string>): Promise<boolean> {
  const table = await scanProcesses();
  if (!table.ok) return false;
  const fleet = { claudeDir: places.claudeDir, command: claudeCommand(env), listed: new Set<number>() };
  return claudeProcesses(table.value, fleet).some(
    ({ role, pid, procStart }) =>
      (role === 'session' || role === 'background-session') && !before.has(`${pid}.${procStart}`),
  );
}
