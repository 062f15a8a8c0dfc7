const { readFileSync } = require('node:fs');

/** A process's start time, which tells it from a later one with the same pid; undefined when there is no such process. */
function processStart(pid) {
  if (process.platform !== 'linux') return startFromPs(pid);
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

function startFromPs(pid) {
  // Loaded only here: it would cost every roster call some milliseconds.
  const { execFileSync } = process.getBuiltinModule('node:child_process');
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || undefined;
  } catch {
    return undefined;
  }
}

module.exports = { processStart };
