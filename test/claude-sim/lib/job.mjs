import { jobsDir, readJson, writeJson } from './places.cjs';

/** The folder of a background job. */
export function jobDir(id) {
  return `${jobsDir}/${id}`;
}

/** What is noted about a job; undefined when there is none. */
export function readJob(id) {
  return readJson(`${jobDir(id)}/state.json`);
}

/** Changes a job's note, or makes it. */
export function patchJob(id, fields) {
  const note = { ...readJob(id), ...fields, updatedAt: new Date().toISOString() };
  writeJson(`${jobDir(id)}/state.json`, note, 2);
  return note;
}
