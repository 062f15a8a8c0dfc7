import { existsSync } from 'node:fs';
import { endReasons, sidOf } from '../../test/contract/facts.ts';
import { fleet } from '../../test/support/fleet-commands.ts';
import { isAlive } from '../../test/support/processes.ts';
import type { Pane, World } from '../../test/support/world.ts';
import { DRAFT, paneIn, SITUATIONS, wanted } from './situations.ts';
import type { Cell, Row } from './table.ts';

/** A session in one situation, about to be let go. */
interface Subject {
  cwd: string;
  sid: string;
  pid: number;
  /** Its short id; background sessions alone have one. */
  id: string | undefined;
  pane: Pane | undefined;
}

type Way = (world: World, subject: Subject) => Promise<unknown>;

const kill: (signal: string) => Way =
  (signal) =>
  (world, { pid }) =>
    world.run('kill', [signal, String(pid)]);
const leave: Way = (world, { sid }) => fleet(world, 'session-exit', [sid, '--wait', '20s']);

const TYPED: Record<string, Way> = {
  '`kill -9 PID`': kill('-9'),
  '`kill PID`': kill('-15'),
  '`tmux kill-session`': (world, { pane }) => world.run('tmux', ['kill-session', '-t', `=${pane?.session}`]),
  '`tmux send-keys /exit Enter`': (world, { pane }) =>
    world.run('tmux', ['send-keys', '-t', pane?.id ?? '', '/exit', 'Enter']),
  '`session-exit`': leave,
};

const BACKGROUND: Record<string, Way> = {
  '`kill -9 PID`': kill('-9'),
  '`kill PID`': kill('-15'),
  '`claude stop ID`': (world, { id }) => world.claude(['stop', id ?? '']),
  '`session-exit`': leave,
};

/** How long after the act its effects are looked at, ms: a daemon that brings a session back takes ten seconds or so. */
const SETTLE_MS = 15_000;

/** What each way of ending an interactive session does in each situation. */
export function leavingPanes(world: World): Promise<Row[]> {
  return compare(world, TYPED, Object.keys(SITUATIONS), inPane);
}

/** The same for background sessions, which have no box. */
export function leavingBackground(world: World): Promise<Row[]> {
  return compare(world, BACKGROUND, Object.keys(SITUATIONS).slice(0, 3), inBackground);
}

async function compare(
  world: World,
  ways: Record<string, Way>,
  situations: readonly string[],
  start: (world: World, situation: string) => Promise<Subject>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [name, way] of Object.entries(ways)) {
    const cells: Record<string, Cell> = {};
    for (const situation of situations) {
      const subject = await start(world, situation);
      await way(world, subject);
      cells[situation] = await outcome(world, subject, situation);
      if (isAlive(subject.pid)) await world.run('kill', ['-9', String(subject.pid)]);
      if (subject.id !== undefined) await world.claude(['stop', subject.id]);
    }
    rows.push({ name, cells });
  }
  return rows;
}

async function inPane(world: World, situation: string): Promise<Subject> {
  const { cwd, sid, pane } = await paneIn(world, situation);
  return { cwd, sid, pid: pane.pid, id: undefined, pane };
}

async function inBackground(world: World, situation: string): Promise<Subject> {
  const { prompt, status } = wanted(situation);
  const cwd = await world.folder();
  const { id } = await world.startBackground({ prompt, cwd, args: ['--permission-mode', 'manual'] });
  const is = (row: { id?: string }) => row.id === id;
  const row = status === 'idle' ? await world.answered(is) : await world.row(is, { status });
  return { cwd, sid: sidOf(row), pid: row.pid ?? 0, id, pane: undefined };
}

/** What came of it, in words: what was lost or done that nobody asked for comes first. */
async function outcome(world: World, { cwd, sid, pid, pane }: Subject, situation: string): Promise<Cell> {
  const began = Date.now();
  let back = false;
  while (Date.now() - began < SETTLE_MS) {
    back ||= !isAlive(pid) && (await isLive(world, sid));
    if (back || existsSync(`${cwd}/ran`)) break;
    await new Promise((done) => setTimeout(done, 250));
  }
  const gone = !isAlive(pid);
  const flushed = (await endReasons(world, sid)).length > 0;
  const bad: string[] = [];
  if (existsSync(`${cwd}/ran`)) bad.push('**the pending command ran**');
  if (back) bad.push('**it came back**');
  if (gone && !flushed) bad.push('**no SessionEnd hook**');
  if (gone && situation === 'in a turn') bad.push('**turn cut off**');
  if (gone && situation === 'at a permission prompt') bad.push('**question dropped**');
  const draft = situation === 'with a draft in its box';
  if (draft && gone) bad.push('**draft lost**');
  else if (draft && pane !== undefined && !new RegExp(`❯.${DRAFT} *$`, 'm').test(await world.screen(pane)))
    bad.push('**draft sent**');
  const said = gone ? 'gone' : 'untouched';
  return { ok: bad.length === 0, words: bad.length === 0 ? said : bad.join(', ') };
}

/** Whether a process is this session: the roster also lists some that have ended. */
async function isLive(world: World, sid: string): Promise<boolean> {
  return (await world.roster()).some((row) => row.sessionId === sid && row.pid !== undefined && isAlive(row.pid));
}
