import { expect, it } from 'vitest';
import { libraryLog } from '../../../src/lib/temporal/library-log.ts';

it('says warnings of the workflow and errors, nothing of a server that is away, and nothing twice in a minute', () => {
  let now = 0;
  const said: string[] = [];
  const log = libraryLog(
    (words) => said.push(words),
    () => now,
  );
  const core = { sdkComponent: 'core' };
  for (let n = 0; n < 1000; n++) {
    log({ level: 'ERROR', message: `gRPC call poll_activity_task_queue retried ${n} times: refused`, meta: core });
    log({ level: 'WARN', message: 'a poll failed', meta: core });
  }
  expect(said).toEqual([]);
  const failed = {
    level: 'WARN',
    message: 'a tick that could not be tried',
    meta: { task: 'one', error: new Error('disk\nfull') },
  };
  log(failed);
  log({ ...failed, meta: { ...failed.meta, task: 'two' } });
  for (let n = 0; n < 59; n++) {
    now += 1000;
    log(failed);
    log({ level: 'ERROR', message: `panic ${n}`, meta: core });
  }
  expect(said).toEqual([
    'one: a tick that could not be tried: disk full',
    'two: a tick that could not be tried: disk full',
    'panic 0',
  ]);
  now += 1000;
  log(failed);
  expect(said).toHaveLength(4);
});

it('forgets rather than grows', () => {
  const said: string[] = [];
  const log = libraryLog(
    (words) => said.push(words),
    () => 0,
  );
  const names = Array.from({ length: 500 }, (_, n) => 'x'.repeat(n));
  for (const message of names) log({ level: 'WARN', message });
  expect(said).toHaveLength(500);
});
