import { disabledReason } from './agents.cjs';
import { ask } from './daemon-client.mjs';
import { jobByPrefix, noMatch } from './find-job.mjs';
import { patchJob } from './job.mjs';

/** `claude stop <short id>`: a name or a full session id does not do. */
export async function stop([wanted = '']) {
  const off = disabledReason();
  if (off) {
    process.stderr.write(`'stop' ${off}\n`);
    process.exitCode = 1;
    return;
  }
  const id = wanted && jobByPrefix(wanted);
  if (!id) return noMatch(wanted);
  // No daemon, or one that does not know the job: nothing of it runs.
  if (!(await ask({ op: 'stop', id }))?.id) patchJob(id, { state: 'stopped' });
  process.stdout.write(`stopped ${id}\n`);
}
