import { writeFileSync } from 'node:fs';

/** Gives this process the command name `claude`; its words are right already. */
export function comm() {
  try {
    writeFileSync('/proc/self/comm', 'claude');
  } catch {}
}
