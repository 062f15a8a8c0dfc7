import { DOCUMENTS, schemaOf } from '../../src/schemas/documents.ts';
import { spec as decisionLedger } from '../../src/specs/decision-ledger.ts';
import { spec as driverKickoff } from '../../src/specs/driver-kickoff.ts';
import { spec as fleetSchedule } from '../../src/specs/fleet-schedule.ts';
import { spec as laneNudge } from '../../src/specs/lane-nudge.ts';
import { spec as cap } from '../../src/specs/session-cap.ts';
import { spec as exit } from '../../src/specs/session-exit.ts';
import { spec as msg } from '../../src/specs/session-msg.ts';
import { spec as sessionRun } from '../../src/specs/session-run.ts';
import { spec as startDriver } from '../../src/specs/start-driver.ts';
import { spec as supervisorSweep } from '../../src/specs/supervisor-sweep.ts';
import { spec as taskClaim } from '../../src/specs/task-claim.ts';
import { spec as taskFile } from '../../src/specs/task-file.ts';
import { spec as taskWatcher } from '../../src/specs/task-watcher.ts';
import { spec as watcherDoctor } from '../../src/specs/watcher-doctor.ts';
import { bashCompletion, fishCompletion, zshCompletion } from './completions.ts';
import { manPage } from './man.ts';

/** The command definitions. */
export const SPECS = [
  cap,
  exit,
  startDriver,
  driverKickoff,
  msg,
  taskFile,
  decisionLedger,
  supervisorSweep,
  taskWatcher,
  watcherDoctor,
  laneNudge,
  taskClaim,
  sessionRun,
  fleetSchedule,
];

/** Every generated file: path from the project's root → content. */
export function generatedFiles(version: string): Map<string, string> {
  const files = new Map<string, string>();
  for (const spec of SPECS) {
    files.set(`man/${spec.name}.1`, manPage(spec, version));
    files.set(`completions/${spec.name}.bash`, bashCompletion(spec));
    files.set(`completions/_${spec.name}`, zshCompletion(spec));
    files.set(`completions/${spec.name}.fish`, fishCompletion(spec));
  }
  for (const name of Object.keys(DOCUMENTS))
    files.set(`schemas/${name}.json`, `${JSON.stringify(schemaOf(name), null, 2)}\n`);
  return files;
}
