import { readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { boundedRun } from '../../observe/bounded-run.ts';
import { ENTRIES } from '../../schedule/entries.ts';
import { planOf } from '../../schedule/plan.ts';
import { type Finding, ok, wrong } from '../finding.ts';
import type { DoctorLook } from '../look.ts';

const COMMANDS = [
  'supervisor-sweep',
  'session-cap expire',
  'task-watcher tick',
  'lane-nudge tick',
  'session-cap sample',
];
const MAX_BYTES = 1 << 20;

/** Which commands a crontab, a systemd user unit or a launchd agent of this person runs. Only the sweep must be there. */
export async function checkTimers({ context, sweeps }: DoctorLook): Promise<Finding[]> {
  const home = context.env.HOME || homedir();
  const cron = await boundedRun('crontab', ['-l'], { timeoutMs: 5000, env: context.env, maxBytes: MAX_BYTES });
  const texts = [
    cron.kind === 'ended' && cron.code === 0 ? withoutComments(cron.stdout) : '',
    ...textsIn(join(context.env.XDG_CONFIG_HOME || join(home, '.config'), 'systemd/user'), '.service'),
    ...textsIn(join(home, 'Library/LaunchAgents'), '.plist'),
  ].map((text) => text.replace(/<[^>]*>\s*/g, ' '));
  const { runner } = planOf(context.env, context.places, '');
  const started = texts.filter((text) => text.includes(runner));
  const byRunner = ENTRIES.filter(({ name }) =>
    started.some((text) => new RegExp(`/schedule/run\\W+${name}\\b`).test(text)),
  );
  const scheduled = byRunner.map(({ command, args }) => [command, ...args].join(' '));
  const there = COMMANDS.filter(
    (command) => texts.some((text) => holds(text, command)) || scheduled.some((line) => line.startsWith(command)),
  );
  const words = there.length === 0 ? 'no timer runs a command of this toolkit' : `a timer runs ${there.join(', ')}`;
  if (there.includes('supervisor-sweep') || sweeps) return [ok('timers', words)];
  return [wrong('timers', words, 'nobody sweeps after the next reboot', 'fleet-schedule install')];
}

/** The words of a command, one after the other, whatever stands between them and a path before the first. */
function holds(text: string, command: string): boolean {
  const [first = '', ...rest] = command.split(' ');
  return new RegExp(`${[`${first}(?:\\.cjs)?`, ...rest].join('\\s+')}\\b`).test(text);
}

const withoutComments = (text: string) => text.replace(/^\s*#.*$/gm, '');

function textsIn(folder: string, ending: string): string[] {
  try {
    return readdirSync(folder).flatMap((name) => {
      if (!name.endsWith(ending)) return [];
      const text = readFileSync(join(folder, name), 'utf8');
      return text.length > MAX_BYTES ? [] : [text];
    });
  } catch {
    // None there, or not ours to read.
    return [];
  }
}
