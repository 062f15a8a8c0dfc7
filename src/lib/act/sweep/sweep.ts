import { join } from 'node:path';
import type { Context } from '../../context.ts';
import { type BreakerDecision, decideBreaker } from '../../decide/sweep/breaker.ts';
import {
  exitableIn,
  observeOnly,
  planTask,
  staggerRevivals,
  type TaskPlan,
  withhold,
} from '../../decide/sweep/plan.ts';
import { RULES } from '../../decide/sweep/verdict.ts';
import { isFleetError, messageOf } from '../../errors.ts';
import { monotonicMs } from '../../monotonic.ts';
import { lookForSweep, type SweepLook } from '../../observe/sweep/look.ts';
import { observes } from '../../observe-mode.ts';
import { elapsedMs, momentNow, rebootedSince } from '../../store/boot-clock.ts';
import { appendLog } from '../../store/json-lines.ts';
import { acquireLock } from '../../store/lock.ts';
import { readSweepMemory, type SweepMemory, writeSweepMemory } from '../../store/sweep-memory.ts';
import { executeAnswers } from './answers.ts';
import { adopt, keepAlarms, keepBooks } from './books.ts';
import type { Deed, Outcome } from './deed.ts';
import { climb } from './exit.ts';
import { keepFleetAlarm } from './fleet-alarm.ts';
import { mirror } from './mirror.ts';
import { release } from './release.ts';
import { revive } from './revive.ts';
import { wake } from './wake.ts';

export interface SweepOptions {
  dryRun: boolean;
  /** Only these tasks; empty for all. A sweep of some tasks tells the next one nothing. */
  only: readonly string[];
  /** No further act is begun after this long, ms: the next sweep goes on. */
  budgetMs: number;
}

export interface SweepReport {
  look: SweepLook;
  plans: TaskPlan[];
  breaker: BreakerDecision;
  outcomes: Outcome[];
}

const PARALLEL_WAKES = 4;

/**
 * One sweep (design §7): what people have answered is executed, one look is taken, every rule is asked of every task, the
 * breaker is asked of all of them together, and what fires is done. Throws FleetError 75 while another sweep runs.
 */
export async function sweep(context: Context, options: SweepOptions): Promise<SweepReport> {
  const { places } = context;
  if (options.dryRun) return plan(context, readSweepMemory(places), options);
  const lock = await acquireLock(join(places.ownDir, 'sweep'), { waitMs: 0, what: 'the sweep' });
  try {
    const memory = readSweepMemory(places);
    const answered = onlyObserves(context) ? [] : await executeAnswers(context, memory);
    const report = await plan(context, memory, options);
    report.outcomes.push(...answered);
    await act(context, report, memory, options);
    // A sweep that waited long for sessions is no gap to the next one.
    if (options.only.length === 0) writeSweepMemory(places, { ...memory, at: momentNow() });
    log(context, report);
    return report;
  } finally {
    lock.release();
  }
}

/** Looks and decides; does nothing. */
async function plan(context: Context, memory: SweepMemory, { only }: SweepOptions): Promise<SweepReport> {
  const { policy } = context;
  const look = await lookForSweep(context, only);
  const now = look.fleet.at;
  const first = look.tasks.map(({ facts }) => planTask(facts, now, policy));
  const moment = momentNow();
  const breaker = decideBreaker(
    {
      rosterWhy: look.fleet.roster.rows.ok ? undefined : look.fleet.roster.rows.why,
      processesWhy: look.fleet.processes.ok ? undefined : look.fleet.processes.why,
      gap:
        memory.at === undefined
          ? undefined
          : {
              monotonicMs: elapsedMs(memory.at, moment),
              wallMs: moment.wall - memory.at.wall,
              rebooted: rebootedSince(memory.at, moment),
            },
      baseline: memory.alive,
      dead: first
        .filter(({ name, facts }) => memory.alive.includes(name) && facts.liveness.kind === 'absent' && !facts.terminal)
        .map(({ name }) => name),
      exitable: exitableIn(first),
      cleared: memory.cleared,
    },
    policy.breaker,
  );
  const held = breaker.tripped ? first.map((one) => withhold(one, breaker.words)) : first;
  const seen = held.map((one) => observeOnly(one, (rule) => observes(context, rule)));
  return { look, plans: staggerRevivals(seen, policy.revive.perSweep), breaker, outcomes: [] };
}

/** No rule of a sweep acts: then nothing is written down either. */
const onlyObserves = (context: Context): boolean => RULES.every((rule) => observes(context, rule));

async function act(context: Context, report: SweepReport, memory: SweepMemory, options: SweepOptions): Promise<void> {
  const { look, plans, breaker, outcomes } = report;
  const deeds = plans.flatMap((one, at): Deed[] => {
    const task = look.tasks[at];
    return task === undefined ? [] : [{ context, look, task, plan: one }];
  });
  const quiet = onlyObserves(context);
  // The cheap ones first, and the memory: a sweep that is ended while it waits for a session has told what it read.
  for (const deed of deeds) {
    if (quiet) break;
    await attempt(outcomes, deed, 'books', async () => {
      await keepBooks(deed);
      return keepAlarms(deed);
    });
    if (deed.plan.mirror.fires) await attempt(outcomes, deed, 'mirror', () => mirror(deed));
    if (deed.plan.release.fires) await attempt(outcomes, deed, 'release', () => release(deed));
  }
  if (options.only.length === 0) {
    outcomes.push(...(quiet ? [] : await keepFleetAlarm(context, look.fleet, memory, breaker)));
    remember(context, report, memory);
  }
  const until = monotonicMs() + options.budgetMs;
  const inTime = () => monotonicMs() < until;
  const adopting = deeds.filter(({ plan: { liveness } }) => liveness.kind === 'adopt' && liveness.fires);
  const waking = deeds.filter(({ plan: one }) => one.wake.fires);
  await inParallel([...adopting, ...waking], PARALLEL_WAKES, async (deed) => {
    if (!inTime()) return;
    const adopts = deed.plan.liveness.fires;
    await attempt(outcomes, deed, adopts ? 'liveness' : 'wake', () => (adopts ? adopt(deed) : wake(deed)));
  });
  for (const deed of deeds.filter(({ plan: one }) => one.revival.fires)) {
    if (inTime()) await attempt(outcomes, deed, 'revival', () => revive(deed));
  }
  for (const deed of deeds.filter(({ plan: one }) => one.exit.fires)) {
    if (inTime()) await attempt(outcomes, deed, 'exit-ladder', () => climb(deed));
  }
}

/** Does one thing for one task; what goes wrong with it stops no other. */
async function attempt(
  outcomes: Outcome[],
  deed: Deed,
  rule: Outcome['rule'],
  work: () => Promise<Outcome | Outcome[]>,
): Promise<void> {
  try {
    const made = await work();
    outcomes.push(...(Array.isArray(made) ? made : [made]));
  } catch (error) {
    const result = isFleetError(error) && (error.exitCode === 75 || error.exitCode === 77) ? 'moved-on' : 'failed';
    outcomes.push({ task: deed.plan.name, rule, kind: rule, result, words: messageOf(error) });
  }
}

async function inParallel<T>(items: readonly T[], width: number, work: (item: T) => Promise<void>): Promise<void> {
  const open = [...items];
  const worker = async () => {
    for (let next = open.shift(); next !== undefined; next = open.shift()) await work(next);
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, worker));
}

/** What the next sweep compares with. While a breaker holds, those that lived before it stay the measure. */
function remember({ places }: Context, { plans, breaker }: SweepReport, memory: SweepMemory): void {
  const living = plans.filter(({ facts }) => facts.liveness.kind === 'alive' || facts.liveness.kind === 'adopt');
  const names = living.map(({ name }) => name);
  const now = momentNow();
  // No process outlives a boot: those deaths are certain, and nobody needs to be asked about them.
  const rebooted = memory.at !== undefined && rebootedSince(memory.at, now);
  const keep = breaker.tripped && breaker.reason !== 'first-sweep' && !rebooted;
  memory.alive = keep ? [...new Set([...memory.alive, ...names])] : names;
  // What a person cleared is over once the Driver lives again, or the session has left.
  const open = plans.filter(({ facts }) => facts.terminal || facts.liveness.kind === 'absent').map(({ name }) => name);
  memory.cleared = memory.cleared.filter((name) => open.includes(name));
  memory.at = now;
  writeSweepMemory(places, memory);
}

/** A line for each thing that was done, or that a rule would do if its owner let it. */
function log({ places }: Context, { outcomes, breaker, plans }: SweepReport): void {
  const file = join(places.ownDir, 'supervisor.jsonl');
  const at = new Date().toISOString();
  for (const outcome of outcomes) appendLog(file, { at, ...outcome });
  if (breaker.tripped) appendLog(file, { at, rule: 'breaker', kind: breaker.reason, words: breaker.words });
  for (const one of plans) {
    for (const { rule, kind, words } of [one.liveness, one.release, one.exit, one.wake, one.revival, one.mirror]) {
      if (words.startsWith('observed only'))
        appendLog(file, { at, task: one.name, rule, kind, result: 'observed', words });
    }
  }
}
