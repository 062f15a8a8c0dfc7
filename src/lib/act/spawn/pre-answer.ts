import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import lockfile from 'proper-lockfile';
import { EXIT, FleetError, messageOf } from '../../errors.ts';
import { boundedRun } from '../../observe/bounded-run.ts';
import { writeAtomic } from '../../store/atomic-write.ts';
import { readJsonObject } from '../../store/json-object.ts';
import type { Environment, Places } from '../../store/places.ts';

type Json = Record<string, unknown>;

/** Claude Code's own state file: `.claude.json` in CLAUDE_CONFIG_DIR, else in HOME. */
export function claudeStateFile(env: Environment, places: Places): string {
  return env.CLAUDE_CONFIG_DIR
    ? join(places.claudeDir, '.claude.json')
    : join(env.HOME ?? dirname(places.claudeDir), '.claude.json');
}

/** The folder that trust is asked for: the main checkout's root of a git worktree, after realpath; else the folder. */
export async function trustRoot(cwd: string, env: Environment): Promise<string> {
  const real = realpathSync(cwd);
  // Called from a git hook, GIT_DIR would name another repository, and that would be trusted.
  const outcome = await boundedRun('git', ['-C', real, 'rev-parse', '--path-format=absolute', '--git-common-dir'], {
    timeoutMs: 5000,
    env: Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('GIT_'))),
  });
  if (outcome.kind !== 'ended' || outcome.code !== 0) return real;
  const common = outcome.stdout.trim();
  // A bare repository's common dir is itself; a checkout's ends in /.git.
  return common.endsWith('/.git') ? dirname(common) : real;
}

/**
 * Answers beforehand what Claude Code asks at a first start in a folder, so that a session never lands on such a prompt:
 * onboarding, trust of the folder (and of its repository's root), and the custom API key in the environment. Everything
 * else in the file is kept. Works under the lock that Claude Code itself takes for this file (proper-lockfile, `<file>.lock`),
 * reads again under it and replaces the file at once. Changes nothing when all is answered. Throws FleetError 65 for a file
 * that is no JSON object, 75 when the lock is not to be had.
 */
export async function preAnswerDialogs(env: Environment, places: Places, cwd: string): Promise<void> {
  const file = claudeStateFile(env, places);
  const roots = [...new Set([await trustRoot(cwd, env), realpathSync(cwd)])];
  const answer = (state: Json) => answered(state, roots, env.ANTHROPIC_API_KEY);
  if (answer(readState(file)) === undefined) return;
  let lost = false;
  let release: () => Promise<void>;
  try {
    release = await lockfile.lock(file, {
      lockfilePath: `${file}.lock`,
      realpath: false,
      retries: { retries: 40, minTimeout: 20, maxTimeout: 500, factor: 1.3 },
      onCompromised: () => {
        lost = true;
      },
    });
  } catch (error) {
    throw new FleetError(EXIT.later, `${file} is locked: ${messageOf(error)}`, { file });
  }
  try {
    const next = answer(readState(file));
    if (next === undefined) return;
    if (lost) throw new FleetError(EXIT.later, `the lock of ${file} was lost; try again`, { file });
    writeAtomic(file, `${JSON.stringify(next, null, 2)}\n`);
  } finally {
    if (!lost) await release().catch(() => undefined);
  }
}

const readState = (file: string): Json => readJsonObject(file, 'Claude Code would ask its first-run questions');

/** The state with the answers in it, or undefined when they are there already. */
export function answered(state: Json, roots: readonly string[], apiKey: string | undefined): Json | undefined {
  const next: Json = { ...state };
  let changed = false;
  if (next.hasCompletedOnboarding !== true) {
    next.hasCompletedOnboarding = true;
    changed = true;
  }
  const projects: Json = { ...objectOf(next.projects) };
  for (const root of roots) {
    const project = objectOf(projects[root]);
    if (project.hasTrustDialogAccepted === true) continue;
    projects[root] = { ...project, hasTrustDialogAccepted: true };
    changed = true;
  }
  next.projects = projects;
  if (apiKey) {
    const responses = objectOf(next.customApiKeyResponses);
    const tail = apiKey.slice(-20);
    const approved = Array.isArray(responses.approved) ? responses.approved : [];
    const rejected = Array.isArray(responses.rejected) ? responses.rejected : [];
    // A person who said no to this key is not overruled.
    if (!approved.includes(tail) && !rejected.includes(tail)) {
      next.customApiKeyResponses = { ...responses, approved: [...approved, tail], rejected };
      changed = true;
    }
  }
  return changed ? next : undefined;
}

/** Whether a folder is trusted: itself, or a folder above it (that covers what is below; seen on 2.1.328). */
export function trustsFolder(state: Json, folder: string): boolean {
  const projects = objectOf(state.projects);
  for (let at = folder; ; at = dirname(at)) {
    if (objectOf(projects[at]).hasTrustDialogAccepted === true) return true;
    if (dirname(at) === at) return false;
  }
}

function objectOf(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
}
