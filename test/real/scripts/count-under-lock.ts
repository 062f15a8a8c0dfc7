// count-under-lock FILE TIMES: adds one to the number in FILE, TIMES times, reading and writing it with a pause between.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { withLock } from '../../../src/lib/store/lock.ts';

const [file = '', times = '1'] = process.argv.slice(2);
for (let n = 0; n < Number(times); n++) {
  await withLock(
    file,
    async () => {
      const before = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;
      await new Promise((done) => setTimeout(done, 1));
      writeFileSync(file, String(before + 1));
    },
    { waitMs: 60_000 },
  );
}
