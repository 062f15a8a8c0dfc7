const { readFileSync } = require('node:fs');
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const { configDir, writeJson } = require('./places.cjs');

const file = `${configDir}/sim/roster.json`;

/**
 * Fails a roster call on purpose when `<config dir>/sim/roster.json` says so. Its keys:
 *   mode         hang | empty | garbage | torn | exit1 | slow | rows-file | disabled
 *   ignoreTerm   a hung call also ignores SIGTERM
 *   ms           how long a slow call takes (default 2000)
 *   file         rows-file: printed as it is
 *   stderr       exit1: what it says
 *   times        only that many calls fail; the count is kept in the file
 * True when the call was answered here.
 */
async function fault(rowsText) {
  let wish;
  try {
    wish = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return false;
  }
  if (wish.times !== undefined) {
    if (wish.times < 1) return false;
    writeJson(file, { ...wish, times: wish.times - 1 });
  }
  return (await modes[wish.mode]?.(wish, rowsText)) ?? false;
}

const modes = {
  async hang({ ignoreTerm }) {
    if (ignoreTerm) process.on('SIGTERM', () => {});
    await pause(3_600_000);
    return true;
  },
  empty: () => true,
  garbage() {
    process.stdout.write('Segmentation fault (core dumped)\n');
    return true;
  },
  torn(_wish, rowsText) {
    const text = rowsText();
    process.stdout.write(text.slice(0, Math.max(1, Math.floor(text.length / 2))));
    return true;
  },
  exit1({ stderr = 'Error: the service is not reachable' }) {
    process.stderr.write(`${stderr}\n`);
    process.exitCode = 1;
    return true;
  },
  async slow({ ms = 2000 }) {
    await pause(ms);
    return false;
  },
  'rows-file'({ file: rows }) {
    process.stdout.write(readFileSync(rows));
    return true;
  },
  disabled() {
    process.stderr.write("'claude agents --json' is disabled by the 'disableAgentView' setting.\n");
    process.exitCode = 1;
    return true;
  },
};

module.exports = { fault };
