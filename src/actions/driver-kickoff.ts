import { type KickoffRequest, kickOff } from '../lib/act/driver-kickoff.ts';
import type { Handler } from '../lib/cli/output.ts';
import { EXIT, FleetError } from '../lib/errors.ts';
import { isTaskName } from '../lib/store/task-files.ts';
import { safeText } from '../lib/words/safe-text.ts';
import { kindOf, readBriefInput } from './driver-input.ts';
import { DRIVER_WAIT_MS, sayOutcome, sayPreview } from './start-driver.ts';

/** `driver-kickoff TASK`. */
export const driverKickoff: Handler = async (context, invocation, output) => {
  const [task = ''] = invocation.args;
  const { resume, fresh, brief, kind, wait, dryRun } = invocation.options;
  if (!isTaskName(task)) throw new FleetError(EXIT.usage, `${safeText(task, 60)} can be no task’s name`);
  if (resume === true && fresh === true) throw new FleetError(EXIT.usage, '--resume and --fresh are one or the other');
  const request: KickoffRequest = {
    task,
    by: 'driver-kickoff',
    mode: resume === true ? 'resume' : fresh === true ? 'fresh' : 'auto',
    brief: typeof brief === 'string' ? readBriefInput(brief) : undefined,
    kind: kindOf(kind),
    waitMs: typeof wait === 'number' ? wait : DRIVER_WAIT_MS,
  };
  if (dryRun === true) {
    const { previewKickoff } = await import('../lib/act/preview-start.ts');
    return sayPreview('driver-kickoff', task, await previewKickoff(context, request), invocation, output);
  }
  return sayOutcome('driver-kickoff', task, await kickOff(context, request), invocation, output);
};
