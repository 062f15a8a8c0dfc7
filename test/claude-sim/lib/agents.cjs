const { writeSync } = require('node:fs');
const { fault } = require('./faults.cjs');
const { configDir, readJson } = require('./places.cjs');
const { rosterRows } = require('./roster.cjs');

/** `claude agents --json [--all]`. */
async function agents(words) {
  if (words.includes('--help') || words.includes('-h')) return say('Usage: claude agents [options]\n');
  const reason = disabledReason(words);
  if (reason) {
    process.stderr.write(`'claude agents --json' ${reason}.\n`);
    process.exitCode = 1;
    return;
  }
  const all = words.includes('--all');
  const text = () => `${JSON.stringify(rosterRows({ all }), null, 2)}\n`;
  if (!(await fault(text))) say(text());
}

/** Why agent view is off, in the real one's words; null when it is on. */
function disabledReason(words = []) {
  if (process.env.CLAUDE_CODE_DISABLE_AGENT_VIEW) return 'is disabled by CLAUDE_CODE_DISABLE_AGENT_VIEW';
  const flag = words.indexOf('--settings');
  const given = flag < 0 ? undefined : words[flag + 1];
  const extra = given?.trimStart().startsWith('{') ? JSON.parse(given) : given && readJson(given);
  const off = extra?.disableAgentView ?? readJson(`${configDir}/settings.json`)?.disableAgentView;
  return off ? "is disabled by the 'disableAgentView' setting" : null;
}

/** Writes it all before the process ends, also into a pipe. */
function say(text) {
  const bytes = Buffer.from(text);
  let done = 0;
  while (done < bytes.length) {
    try {
      done += writeSync(1, bytes, done);
    } catch (error) {
      if (error.code === 'EPIPE') return;
      if (error.code !== 'EAGAIN') throw error;
    }
  }
}

module.exports = { agents, disabledReason };
