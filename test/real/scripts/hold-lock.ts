// hold-lock FILE: takes the lock of FILE, says so, and keeps it until its standard input ends or it is killed.
import { acquireLock } from '../../../src/lib/store/lock.ts';

const lock = await acquireLock(process.argv[2] ?? '');
process.stdout.write('held\n');
process.on('SIGUSR1', () => {
  lock.release();
  process.exit(0);
});
setInterval(() => undefined, 1000);
