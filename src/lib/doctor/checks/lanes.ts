import { claimsOf } from '../../observe/sweep/task-look.ts';
import { readLanes, stopLanes } from '../../store/lanes.ts';
import { type Finding, ok, wrong } from '../finding.ts';
import type { DoctorLook } from '../look.ts';

/**
 * Armed lanes against expected ones. Drivers are the Supervisor's once it sweeps, and no lanes (ADR 0035 decision 2); until
 * then each open task's Driver that nobody wakes is a lane that is missing.
 */
export function checkLanes({ context, index, open, sweeps }: DoctorLook): Finding[] {
  const { lanes, bad } = readLanes(context.places);
  const claims = claimsOf(open);
  const findings: Finding[] = bad.map(({ file, field, problem }) =>
    wrong('lanes', `${file}: ${field}: ${problem}`, 'this check-in is not sent', 'lane-nudge list'),
  );
  for (const { name, sid } of lanes) {
    const task = claims(sid, '');
    const readable = index.fleet.joined !== undefined;
    if (task !== undefined && sweeps) {
      findings.push(
        wrong(
          'lanes',
          `lane ${name} is the Driver of task ${task}`,
          'the Supervisor wakes it too',
          `lane-nudge stop ${name}`,
          {
            task,
            fix: async () => {
              await stopLanes(context.places, { name });
              return `lane ${name} is stopped`;
            },
          },
        ),
      );
    } else if (readable && index.bySid(sid).length === 0) {
      findings.push(
        wrong('lanes', `lane ${name}: no live session ${sid}`, 'its check-in reaches nobody', 'lane-nudge tick'),
      );
    } else {
      findings.push(ok('lanes', `lane ${name} is armed`));
    }
  }
  if (!sweeps) {
    for (const { name, task } of open) {
      const armed = task.driverSid !== undefined && lanes.some(({ sid }) => sid === task.driverSid);
      if (task.driverSid === undefined || task.state === 'awaiting-human' || armed) continue;
      findings.push(
        wrong(
          'lanes',
          'nobody wakes its Driver when it goes idle',
          'an idle Driver has quit',
          'supervisor-sweep --every 60s',
          {
            task: name,
          },
        ),
      );
    }
  }
  return findings.length > 0 ? findings : [ok('lanes', 'none armed, none expected')];
}
