import { existsSync } from 'node:fs';
import { openSqlite } from '../../src/lib/claims/sqlite.ts';
import { isAlive } from '../support/processes.ts';
import { linesOf, ownFile, statusOf } from '../support/stand-in.ts';
import { taskOf } from '../support/supervised.ts';
import type { RosterRow, World } from '../support/world.ts';
import { type Fleet, living, tasksIn } from './fleet.ts';

/** What a soak remembers of what it did, to tell it from what the toolkit did. */
export class Deeds {
  /** Processes that were ended by us, without a word. */
  killed = new Set<number>();
  /** Background ones among them: their daemon brings them back past any ceiling. */
  respawning = 0;
  /** Files that a pending command would make, were it ever approved. */
  forbidden: string[] = [];
  /** Drafts by pane. */
  drafts = new Map<string, { pid: number; text: string }>();
  /** Latches of tasks as they were seen last. */
  latches = new Map<string, Record<string, unknown>>();
  /** Tasks that were un-parked or asked again since: their latches may go. */
  reset = new Set<string>();
  /** Sessions by the process that was last seen to be them. */
  seen = new Map<number, string>();
  /** How many SessionEnd hooks of a session have explained an end. */
  explained = new Map<string, number>();
  /** Commands that were ended in the middle, by name. */
  ended: Record<string, number> = {};
}

const LATCHES = ['releasedAt', 'exitAskedAt', 'exitRequestedAt', 'exitedAt', 'exitGaveUpAt'];

/** What must be so at every moment; each is said with enough to find it. */
export async function check({ world, ceiling }: Fleet, deeds: Deeds): Promise<string[]> {
  const rows = await living(world);
  return [
    ...oneDriverEach(world, rows),
    ...latchesKept(world, deeds),
    ...belowTheCeiling(rows, ceiling, deeds),
    ...(await leftByTheirDoor(world, rows, deeds)),
    ...deeds.forbidden.filter((file) => existsSync(file)).map((file) => `a pending command was approved: ${file}`),
    ...(await draftsStand(world, deeds)),
  ];
}

function oneDriverEach(world: World, rows: readonly RosterRow[]): string[] {
  const counts = new Map<string, number>();
  for (const { sessionId = '' } of rows) counts.set(sessionId, (counts.get(sessionId) ?? 0) + 1);
  const twins = [...counts].filter(([, count]) => count > 1).map(([sid, count]) => `${count} processes are ${sid}`);
  const doubled = tasksIn(world).flatMap((name) => {
    const { driverSid } = taskOf(world, name);
    const drivers = rows.filter((row) => row.sessionId === driverSid || row.name?.startsWith(`${name}-`));
    const pids = drivers.map(({ pid }) => pid);
    return drivers.length > 1 ? [`${name} has ${drivers.length} Drivers: ${pids.join(' ')}`] : [];
  });
  return [...twins, ...doubled];
}

function latchesKept(world: World, deeds: Deeds): string[] {
  const wrong = tasksIn(world).flatMap((name) => {
    const before = deeds.latches.get(name) ?? {};
    const task = taskOf(world, name);
    const now = Object.fromEntries(LATCHES.map((latch) => [latch, task[latch]]));
    deeds.latches.set(name, now);
    if (deeds.reset.has(name)) return [];
    return LATCHES.filter((latch) => before[latch] !== undefined && now[latch] === undefined).map(
      (latch) => `${name} lost ${latch}`,
    );
  });
  deeds.reset.clear();
  return wrong;
}

function belowTheCeiling(rows: readonly RosterRow[], ceiling: number, { respawning }: Deeds): string[] {
  return rows.length > ceiling + respawning ? [`${rows.length} sessions live, the ceiling is ${ceiling}`] : [];
}

/** Every process that is gone was ended by us, or ran its SessionEnd hook; and none was ever sent a signal by others. */
async function leftByTheirDoor(world: World, rows: readonly RosterRow[], deeds: Deeds): Promise<string[]> {
  const wrong = linesOf(`${world.configDir}/sim/signals.jsonl`).map((line) => `a session was sent a signal: ${line}`);
  const gone = [...deeds.seen].filter(([pid]) => !isAlive(pid));
  for (const { pid, sessionId } of rows) if (pid !== undefined) deeds.seen.set(pid, sessionId ?? '');
  if (gone.length === 0) return wrong;
  const ends = (await world.hookLog()).filter((call) => call.hook_event_name === 'SessionEnd');
  for (const [pid, sid] of gone) {
    deeds.seen.delete(pid);
    if (deeds.killed.has(pid)) continue;
    const explained = (deeds.explained.get(sid) ?? 0) + 1;
    deeds.explained.set(sid, explained);
    if (ends.filter((call) => call.session_id === sid).length < explained)
      wrong.push(`process ${pid} (${sid}) is gone without its SessionEnd`);
  }
  return wrong;
}

async function draftsStand(world: World, deeds: Deeds): Promise<string[]> {
  const wrong: string[] = [];
  for (const [pane, { pid, text }] of deeds.drafts) {
    if (!isAlive(pid)) {
      if (!deeds.killed.has(pid)) wrong.push(`process ${pid} left though a draft stood in its pane ${pane}`);
      deeds.drafts.delete(pane);
      continue;
    }
    const { stdout } = await world.run('tmux', ['capture-pane', '-p', '-t', pane]);
    // A question hides the box; what stands in it comes back with it.
    if (!stdout.includes(text) && !stdout.includes('Do you want to proceed?'))
      wrong.push(`the draft in pane ${pane} is gone: ${stdout}`);
  }
  return wrong;
}

/** What must be so when all has come to rest: no slot is kept, and every claim has ended, once for each generation. */
export async function checkAtRest({ world }: Fleet): Promise<string[]> {
  const { reserved } = await statusOf(world);
  const wrong = reserved === 0 ? [] : [`${reserved} slots are kept for sessions that will not come`];
  const file = ownFile(world, 'claims.db');
  if (!existsSync(file)) return [...wrong, 'nothing was ever claimed'];
  const db = await openSqlite(file);
  try {
    const rows = await db.all(
      `SELECT claim_key, generation, state,
         (SELECT COUNT(*) FROM task_claim_finalizations AS f WHERE f.claim_key = c.claim_key) AS ends
       FROM task_claims AS c`,
    );
    if (rows.length === 0) wrong.push('nothing was ever claimed');
    for (const { claim_key, generation, state, ends } of rows) {
      if (state === 'held') wrong.push(`${claim_key} is still held`);
      if (Number(ends) !== Number(generation)) wrong.push(`${claim_key}: ${generation} generations, ${ends} ends`);
    }
  } finally {
    await db.close();
  }
  return wrong;
}
