import type { Context } from '../context.ts';
import { messageOf } from '../errors.ts';
import { checkClaims } from './checks/claims.ts';
import { checkDialogs } from './checks/dialogs.ts';
import { checkDecisions, checkLeftovers, checkTasks } from './checks/files.ts';
import { checkLanes } from './checks/lanes.ts';
import { checkSources, checkVersion } from './checks/sources.ts';
import { checkStarts, checkSweep, checkWatchers } from './checks/supervision.ts';
import { checkTimers } from './checks/timers.ts';
import { type Finding, unknown } from './finding.ts';
import { type DoctorLook, lookForDoctor } from './look.ts';

type Check = (look: DoctorLook) => Finding[] | Promise<Finding[]>;

const CHECKS: Readonly<Record<string, Check>> = {
  sources: checkSources,
  claude: checkVersion,
  tasks: checkTasks,
  sweep: checkSweep,
  watcher: checkWatchers,
  start: checkStarts,
  lanes: checkLanes,
  decisions: checkDecisions,
  dialogs: checkDialogs,
  timers: checkTimers,
  claims: checkClaims,
  locks: checkLeftovers,
};

/** Runs every check on one look. A check that fails itself is a finding, and stops no other. */
export async function examine(context: Context): Promise<Finding[]> {
  const look = await lookForDoctor(context);
  const findings: Finding[] = [];
  for (const [name, check] of Object.entries(CHECKS)) {
    try {
      findings.push(...(await check(look)));
    } catch (error) {
      findings.push(unknown(name, messageOf(error), 'this could not be checked', 'watcher-doctor --json'));
    }
  }
  return findings;
}
