import { accessSync, constants, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import lockfile from 'proper-lockfile';
import { openQuestions, withAnswers } from '../../decide/first-run.ts';
import { EXIT, errnoOf, FleetError, messageOf } from '../../errors.ts';
import { boundedRun } from '../../observe/bounded-run.ts';
import { writeAtomic } from '../../store/atomic-write.ts';
import { readJsonObject } from '../../store/json-object.ts';
import { linkTarget } from '../../store/link-target.ts';
import { makeFolder } from '../../store/make-folder.ts';
import type { Environment, Places } from '../../store/places.ts';

/** Claude Code's own state file: `.claude.json` in CLAUDE_CONFIG_DIR, else in HOME. */
export function claudeStateFile(env: Environment, places: Places): string {
  return env.CLAUDE_CONFIG_DIR
    ? join(places.claudeDir, '.claude.json')
    : join(env.HOME ?? dirname(places.claudeDir), '.claude.json');
}

/** What stands in Claude Code's state file. Throws FleetError 65 or 69, see readJsonObject. */
export function readClaudeState(file: string): Record<string, unknown> {
  return readJsonObject(file, 'Claude Code would ask its first-run questions');
}

/**
 * The folders that trust is asked for at a start in `cwd`, after realpath: the root of a git worktree's main checkout, and the
 * folder. Throws FleetError 66 for a folder that is not there.
 */
export async function trustedFolders(cwd: string, env: Environment): Promise<string[]> {
  let real: string;
  try {
    real = realpathSync(cwd);
  } catch (error) {
    throw new FleetError(EXIT.noSuch, `no folder ${cwd}: ${errnoOf(error) ?? messageOf(error)}`, { file: cwd });
  }
  return [...new Set([await checkoutRoot(real, env), real])];
}

async function checkoutRoot(folder: string, env: Environment): Promise<string> {
  // Called from a git hook, GIT_DIR would name another repository, and that would be trusted.
  const outcome = await boundedRun('git', ['-C', folder, 'rev-parse', '--path-format=absolute', '--git-common-dir'], {
    timeoutMs: 5000,
    env: Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('GIT_'))),
  });
  if (outcome.kind !== 'ended' || outcome.code !== 0) return folder;
  const common = outcome.stdout.trim();
  // A bare repository's common dir is itself; a checkout's ends in /.git.
  return common.endsWith('/.git') ? dirname(common) : folder;
}

/**
 * Answers beforehand what Claude Code asks at a first start in a folder, so that a session never lands on such a prompt. Everything
 * else in its state file is kept. Works under the lock that Claude Code itself takes for this file (proper-lockfile, `<file>.lock`,
 * beside a link and not beside what the link leads to), reads again under it and replaces the file at once; a link stays one.
 * Changes nothing when all is answered. Throws FleetError 65 or 69 for a file that can't be used, 70 for one that can't be written,
 * 75 when the lock is not to be had.
 */
export async function preAnswerDialogs(env: Environment, places: Places, cwd: string): Promise<void> {
  const file = claudeStateFile(env, places);
  const roots = await trustedFolders(cwd, env);
  const open = (state: Record<string, unknown>) => openQuestions(state, roots, env.ANTHROPIC_API_KEY);
  if (open(readClaudeState(file)).length === 0) return;
  let lost = false;
  let release: () => Promise<void>;
  try {
    // A config directory that is not there yet is made by the first claude in it, and by us.
    makeFolder(dirname(file), 0o700);
    // A folder that takes no lock would be tried again for as long as one that is locked.
    accessSync(dirname(file), constants.W_OK);
    release = await lockfile.lock(file, {
      lockfilePath: `${file}.lock`,
      realpath: false,
      retries: { retries: 40, minTimeout: 20, maxTimeout: 500, factor: 1.3 },
      onCompromised: () => {
        lost = true;
      },
    });
  } catch (error) {
    if (errnoOf(error) !== 'ELOCKED') throw unwritable(file, error);
    throw new FleetError(EXIT.later, `${file} is locked: ${messageOf(error)}`, { file });
  }
  try {
    const state = readClaudeState(file);
    const questions = open(state);
    if (questions.length === 0) return;
    if (lost) throw new FleetError(EXIT.later, `the lock of ${file} was lost; try again`, { file });
    try {
      writeAtomic(linkTarget(file), `${JSON.stringify(withAnswers(state, questions), null, 2)}\n`);
    } catch (error) {
      throw unwritable(file, error);
    }
  } finally {
    if (!lost) await release().catch(() => undefined);
  }
}

const unwritable = (file: string, error: unknown) =>
  new FleetError(EXIT.internal, `${file}: it can’t be written: ${messageOf(error)}`, { file });
