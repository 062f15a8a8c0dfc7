import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { documentOf, fleet } from './fleet-commands.ts';
import type { Finished, World } from './world.ts';

/** The clocks of a Supervisor whose minutes are seconds; a test lays its own over it. */
const QUICK = {
  exit: { settle: '1s', quiet: '1s', askWait: '1s', requestGap: '1s', wait: '60s' },
  wake: { quiet: '1s', steps: ['1s', '5s', '10s'] },
  revive: { daemonGrace: '1s', wait: '90s' },
  breaker: { sweepGap: '1h' },
  roster: { timeout: '40s' },
};

/** Writes the policy of a world: the quick clocks, with `over` laid over its parts. */
export function setPolicy(world: World, over: Record<string, object> = {}): void {
  const parts = new Set([...Object.keys(QUICK), ...Object.keys(over)]);
  const config = Object.fromEntries(
    [...parts].map((part) => [part, { ...(QUICK as Record<string, object>)[part], ...over[part] }]),
  );
  writeFileSync(`${world.root}/fleet.json`, JSON.stringify(config));
}

export const sweep = (world: World, args: readonly string[] = [], env: Record<string, string> = {}) =>
  fleet(world, 'supervisor-sweep', ['--json', ...args], env);

export interface Verdict {
  rule: string;
  kind: string;
  fires: boolean;
  words: string;
}

/** What a sweep of one task said and did: its verdicts by rule, and the outcomes as `rule kind result`. */
export async function sweepOf(world: World, task: string, more: readonly string[] = []) {
  const done = await sweep(world, [...more, task]);
  const document = documentOf(done) as {
    tasks: { verdicts: Verdict[] }[];
    outcomes: { rule: string; kind: string; result: string; words: string }[];
    breaker: { reason: string | null };
  };
  const verdicts = Object.fromEntries((document.tasks[0]?.verdicts ?? []).map((one) => [one.rule, one]));
  const outcomes = document.outcomes.map(({ rule, kind, result }) => `${rule} ${kind} ${result}`);
  return { done, verdicts, outcomes, document };
}

/** Sweeps one task until an outcome of it is there, and returns that sweep. */
export async function sweepUntil(world: World, task: string, outcome: string) {
  let last = '';
  return world.until(
    async () => {
      const one = await sweepOf(world, task);
      last = one.done.stdout;
      return one.outcomes.includes(outcome) && one;
    },
    { what: `a sweep of ${task} with ${outcome}`, timeout: 60_000, interval: 500, evidence: () => last },
  );
}

/** A Driver that has had its first turn. */
export async function startDriver(world: World, task: string, kind: 'interactive' | 'background', args: string[] = []) {
  const brief = `${world.root}/${task}.md`;
  if (!existsSync(brief)) writeFileSync(brief, `the brief of ${task}\n`);
  const cwd = await world.folder();
  const words = [
    task,
    '--cwd',
    cwd,
    '--brief',
    brief,
    '--kind',
    kind,
    '--json',
    ...(args.length > 0 ? ['--', ...args] : []),
  ];
  const done = await fleet(world, 'start-driver', words);
  if (done.code !== 0) throw new Error(`start-driver ${task}: ${done.code} ${done.stdout} ${done.stderr}`);
  const { sessionId, pid } = documentOf(done) as { sessionId: string; pid: number };
  await world.answered((row) => row.sessionId === sessionId);
  return { sessionId, pid, cwd };
}

export const taskFileOf = (world: World, task: string) => `${world.configDir}/jobs/tasks/${task}/task.json`;

export function taskOf(world: World, task: string): Record<string, unknown> & { wake?: Record<string, unknown> } {
  return JSON.parse(readFileSync(taskFileOf(world, task), 'utf8'));
}

/** Forgets every task of a world, with what the fleet remembers of them: so a case that is tried again begins anew. */
export function forgetTasks(world: World): void {
  const jobs = `${world.configDir}/jobs`;
  for (const part of ['tasks', 'fleet/decisions', 'fleet/watchers', 'fleet/settled.json'])
    rmSync(`${jobs}/${part}`, { recursive: true, force: true });
}

/** Edits a task file, as a person may. */
export function editTask(world: World, task: string, change: Record<string, unknown>): void {
  writeFileSync(taskFileOf(world, task), JSON.stringify({ ...taskOf(world, task), ...change }));
}

/** The events of a task: `by kind`. */
export function eventsOf(world: World, task: string): string[] {
  const file = `${world.configDir}/jobs/tasks/${task}/events.jsonl`;
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line)).map(({ by, kind }) => `${by} ${kind}`);
}

/** The live rows of one session. */
export async function liveRows(world: World, sessionId: string) {
  return (await world.roster()).filter((row) => row.sessionId === sessionId && row.pid !== undefined);
}

/** Ends a process without a chance to say anything, as the kernel does when memory is out. */
export const killHard = (world: World, pid: number): Promise<Finished> => world.run('kill', ['-9', String(pid)]);
