import { chmodSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { join } from 'node:path';
import type { Context } from '../context.ts';
import { EXIT, FleetError, messageOf } from '../errors.ts';
import { boundedRun, type RunOutcome } from '../observe/bounded-run.ts';
import { writeAtomic } from '../store/atomic-write.ts';
import { makeFolder } from '../store/make-folder.ts';
import { uniqueWord } from '../words/unique-word.ts';
import { cronBlock, withBlock } from './cron.ts';
import type { Plan } from './entries.ts';
import { labelOf, launchdAgents } from './launchd.ts';
import { runnerScript } from './runner.ts';
import { type NamedFile, systemdUnits, unitOf } from './systemd.ts';

export type Target = 'cron' | 'launchd' | 'systemd';

/** What was done, and what a person must do where a command of the system could not be run. */
export interface Change {
  changed: boolean;
  files: string[];
  commands: string[];
  notRun: string[];
}

const TIMEOUT_MS = 20_000;

/** The folder of a target's files; undefined for cron. */
export function folderOf(target: Target, { env }: Context): string | undefined {
  const home = env.HOME || homedir();
  if (target === 'systemd') return join(env.XDG_CONFIG_HOME || join(home, '.config'), 'systemd/user');
  return target === 'launchd' ? join(home, 'Library/LaunchAgents') : undefined;
}

/** The files of a target, as they are installed. */
export function filesOf(target: Target, plan: Plan): NamedFile[] {
  if (target === 'systemd') return systemdUnits(plan);
  return target === 'launchd' ? launchdAgents(plan) : [];
}

/** Installs the runner and the entries of a target; again, it changes what differs and nothing else. */
export async function install(context: Context, target: Target, plan: Plan): Promise<Change> {
  const runner = replaced(plan.runner, runnerScript(plan));
  chmodSync(plan.runner, 0o700);
  const change: Change = { changed: runner, files: [plan.runner], commands: [], notRun: [] };
  if (target === 'cron') return installCron(context, plan, cronBlock(plan), change);
  const folder = folderOf(target, context) ?? '';
  for (const { name, text } of filesOf(target, plan)) {
    change.files.push(join(folder, name));
    if (replaced(join(folder, name), text)) change.changed = true;
  }
  if (change.changed) await runAll(context, activation(target, plan, folder), change);
  return change;
}

/** Takes the entries of a target away, and the runner; nothing else. */
export async function remove(context: Context, target: Target, plan: Plan): Promise<Change> {
  const change: Change = { changed: false, files: [], commands: [], notRun: [] };
  if (target === 'cron') await installCron(context, plan, undefined, change);
  else {
    const folder = folderOf(target, context) ?? '';
    const present = filesOf(target, plan).filter(({ name }) => existsSync(join(folder, name)));
    if (present.length > 0) await runAll(context, deactivation(target, plan), change);
    for (const { name } of present) {
      rmSync(join(folder, name));
      change.files.push(join(folder, name));
      change.changed = true;
    }
    if (target === 'systemd' && present.length > 0)
      await runAll(context, [['systemctl', '--user', 'daemon-reload']], change);
  }
  if (existsSync(plan.runner)) {
    rmSync(plan.runner);
    change.changed = true;
  }
  return change;
}

async function installCron(context: Context, plan: Plan, block: string | undefined, change: Change): Promise<Change> {
  const before = await crontabOf(context);
  const edit = withBlock(before, plan.fleetHome, block);
  if (!edit.ok) throw new FleetError(EXIT.badData, `the crontab: ${edit.why}; mend it by crontab -e`);
  if (!edit.changed) return change;
  makeFolder(plan.stateDir);
  // It is given as a file: what crontab reads it reads whole, or not at all.
  const file = join(plan.stateDir, `crontab-${uniqueWord()}`);
  writeAtomic(file, edit.text);
  try {
    const outcome = await boundedRun('crontab', [file], { timeoutMs: TIMEOUT_MS, env: context.env });
    if (outcome.kind !== 'ended' || outcome.code !== 0)
      throw new FleetError(EXIT.unreadable, `crontab: ${wordsOf(outcome)}`);
  } finally {
    rmSync(file, { force: true });
  }
  change.changed = true;
  change.commands.push('crontab FILE');
  return change;
}

/** A person's crontab; none is empty. Throws FleetError 69 when it can't be read: then it must not be replaced. */
export async function crontabOf({ env }: Context): Promise<string> {
  const outcome = await boundedRun('crontab', ['-l'], { timeoutMs: TIMEOUT_MS, env });
  if (outcome.kind === 'ended' && outcome.code === 0) return outcome.stdout;
  if (outcome.kind === 'ended' && outcome.code === 1 && /no crontab for/i.test(outcome.stderr)) return '';
  throw new FleetError(EXIT.unreadable, `crontab -l: ${wordsOf(outcome)}`);
}

function activation(target: Target, { entries }: Plan, folder: string): string[][] {
  const names = entries.map(({ name }) => name);
  if (target === 'systemd') {
    return [
      ['systemctl', '--user', 'daemon-reload'],
      ['systemctl', '--user', 'enable', '--now', ...names.map((name) => `${unitOf(name)}.timer`)],
    ];
  }
  const domain = `gui/${userInfo().uid}`;
  return names.map((name) => ['launchctl', 'bootstrap', domain, join(folder, `${labelOf(name)}.plist`)]);
}

function deactivation(target: Target, { entries }: Plan): string[][] {
  const names = entries.map(({ name }) => name);
  if (target === 'systemd')
    return [['systemctl', '--user', 'disable', '--now', ...names.map((name) => `${unitOf(name)}.timer`)]];
  return names.map((name) => ['launchctl', 'bootout', `gui/${userInfo().uid}/${labelOf(name)}`]);
}

async function runAll({ env }: Context, commands: readonly string[][], change: Change): Promise<void> {
  for (const [command = '', ...args] of commands) {
    const line = [command, ...args].join(' ');
    const outcome = await boundedRun(command, args, { timeoutMs: TIMEOUT_MS, env });
    if (outcome.kind === 'ended' && outcome.code === 0) change.commands.push(line);
    else change.notRun.push(`${line}: ${wordsOf(outcome)}`);
  }
}

function wordsOf(outcome: RunOutcome): string {
  if (outcome.kind === 'ended') return outcome.stderr.trim().split('\n')[0] || `exit ${outcome.code}`;
  return outcome.kind === 'failed' ? outcome.why : outcome.kind;
}

/** Writes a file if it differs; true when it did. */
function replaced(file: string, text: string): boolean {
  try {
    if (readFileSync(file, 'utf8') === text) return false;
  } catch {
    // Not there yet.
  }
  try {
    writeAtomic(file, text);
  } catch (error) {
    throw new FleetError(EXIT.exists, `${file}: ${messageOf(error)}`, { file });
  }
  return true;
}
