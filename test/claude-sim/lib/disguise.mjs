import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';

/**
 * Makes this process look like `argv` in the process list, word for word, with the command name `claude`.
 * On Linux it rewrites the memory that /proc/<pid>/cmdline shows; elsewhere only the title can be had.
 */
export function disguise(argv) {
  try {
    rewriteCmdline(argv);
    writeFileSync('/proc/self/comm', 'claude');
  } catch {
    process.title = 'claude';
  }
}

function rewriteCmdline([name, ...rest]) {
  const stat = readFileSync('/proc/self/stat', 'latin1');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const start = Number(fields[45]);
  const size = Number(fields[46]) - start;
  const tail = Buffer.from(['', ...rest, ''].join('\0'));
  // A path can be padded with slashes to fill the space exactly; a bare name leaves zeroes behind.
  const head = name.startsWith('/') ? name.padStart(size - tail.length, '/') : name;
  const bytes = Buffer.alloc(size);
  Buffer.concat([Buffer.from(head), tail]).copy(bytes);
  const memory = openSync('/proc/self/mem', 'r+');
  try {
    writeSync(memory, bytes, 0, size, start);
  } finally {
    closeSync(memory);
  }
}
