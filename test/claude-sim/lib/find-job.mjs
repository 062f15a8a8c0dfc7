import { jobs } from './roster.cjs';

/** Says that no session matches, in the real one's words. */
export function noMatch(wanted) {
  process.stderr.write(`No session matching '${wanted}'. Run 'claude agents' to list running sessions.\n`);
  process.exitCode = 1;
}

/** The id of the job that begins so; undefined when there is none. */
export function jobByPrefix(prefix) {
  return jobs().find(([id]) => id.startsWith(prefix))?.[0];
}

/** The same, or by a part of the name. */
export function jobByIdOrName(wanted) {
  return jobByPrefix(wanted) ?? jobs().find(([, job]) => job.name?.includes(wanted))?.[0];
}
