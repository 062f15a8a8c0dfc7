const { mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const { homedir, tmpdir } = require('node:os');

const version = '2.1.328';

/** The config dir: CLAUDE_CONFIG_DIR, else ~/.claude. */
const configDir = process.env.CLAUDE_CONFIG_DIR ?? `${homedir()}/.claude`;

/** The file with trust, onboarding and approved keys; it moves into the config dir when that is given. */
const stateFile = process.env.CLAUDE_CONFIG_DIR ? `${configDir}/.claude.json` : `${homedir()}/.claude.json`;

const sessionsDir = `${configDir}/sessions`;
const jobsDir = `${configDir}/jobs`;

/** A folder for sockets whose paths stay under the limit of about 100 bytes. */
function socketDir(name) {
  const wanted = `${tmpdir()}/${name}`;
  return wanted.length > 70 ? `/tmp/${name}` : wanted;
}

/** The JSON in a file, or undefined when it is missing or torn. */
function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Replaces a file in one step: a reader sees the old or the new text, never half of one. */
function writeJson(file, value, indent) {
  const temp = `${file}.${process.pid}.tmp`;
  mkdirSync(file.slice(0, file.lastIndexOf('/')), { recursive: true });
  writeFileSync(temp, JSON.stringify(value, null, indent), { mode: 0o600 });
  renameSync(temp, file);
}

module.exports = { version, configDir, stateFile, sessionsDir, jobsDir, socketDir, readJson, writeJson };
