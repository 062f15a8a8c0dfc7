import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { procStartOf } from '../../src/lib/store/process-identity.ts';
import { documentOf, fleet } from '../support/fleet-commands.ts';
import { claudeProcess, HOUR, type Made, makeFleet, makeTask } from '../support/made-fleet.ts';
import { configure, countingClaude, eachTestAWorld, recordsOf } from '../support/stand-in.ts';
import type { Finished } from '../support/world.ts';

const world = eachTestAWorld();
const expire = (args: readonly string[], env: Record<string, string> = {}) =>
  fleet(world(), 'session-cap', ['expire', '--json', ...args], env);

interface Verdict {
  name: string | null;
  verdict: string;
  reason: string;
  words: string;
}

const verdicts = (done: Finished) => documentOf(done).sessions as Verdict[];
const reasons = (done: Finished) => Object.fromEntries(verdicts(done).map(({ name, reason }) => [name ?? '-', reason]));

const line = (fields: object) => `${JSON.stringify(fields)}\n`;
const queue = (operation: string) => (sessionId: string) => line({ type: 'queue-operation', operation, sessionId });
const STRANGER = '00000000-0000-4000-8000-00000000beef';
const TWIN = '00000000-0000-4000-8000-000000007717';

describe('a fleet as it is found on a machine', () => {
  let made: Record<string, Made>;

  beforeEach(async () => {
    const pane = await world().tmux.start(['sleep', '600'], { name: 'free', cwd: world().root });
    const held = await world().tmux.start(['sleep', '600'], { name: 'lane-7', cwd: world().root });
    const watched = await world().tmux.start(['sleep', '600'], { name: 'watched', cwd: world().root });
    await world().attachClient(watched);
    const inPane = { row: { kind: 'interactive' } };
    made = makeFleet(world(), {
      silent: {},
      'silent-with-subagents': { subagents: [50 * HOUR, 49 * HOUR] },
      'silent-in-a-pane': { ...inPane, pid: pane.pid },
      'task-done': {},
      'task-parked': {},
      'task-abandoned': {},
      'inbox-drained': { transcript: (sid) => queue('enqueue')(sid) + queue('dequeue')(sid) },
      'silent-47h': { ageMs: 47 * HOUR },
      'subagent-at-work': { subagents: [70 * HOUR, HOUR] },
      'written-tomorrow': { ageMs: -24 * HOUR },
      'without-transcript': { transcript: null },
      'transcript-of-another': { transcript: () => line({ sessionId: STRANGER }) },
      busy: { row: { status: 'busy' } },
      waiting: { row: { status: 'waiting', waitingFor: 'permission prompt' } },
      'without-status': { row: { status: undefined } },
      'status-of-tomorrow': { row: { status: 'dreaming' } },
      'task-working': {},
      'task-worker': {},
      'task-awaiting-human': {},
      'task-in-review': {},
      'task-of-an-operator': {},
      'task-spawning': {},
      'task-cleared': {},
      'task-by-name': {},
      'task-by-operator-name': {},
      'task-by-tmux': { ...inPane, pid: held.pid },
      'pinned-by-name': {},
      'pinned-by-id': {},
      'pinned-by-sid': {},
      inbox: { transcript: queue('enqueue') },
      'inbox-of-tomorrow': { transcript: queue('reorder') },
      'viewed-with-attach': {},
      'viewed-in-tmux': { ...inPane, pid: watched.pid },
      'in-no-pane': inPane,
      twin: { row: { sessionId: TWIN } },
      'twin-again': { row: { sessionId: TWIN }, transcript: null },
      'without-sid': { row: { sessionId: undefined } },
    });
    claudeProcess(world(), ['attach', sid('viewed-with-attach')]);
    const tasks: Record<string, object> = {
      done: { state: 'done', driverSid: sid('task-done') },
      parked: { state: 'parked', driverSid: sid('task-parked'), driverName: 'task-parked' },
      abandoned: { state: 'abandoned', operatorSid: sid('task-abandoned') },
      working: { state: 'working', driverSid: sid('task-working') },
      worker: { state: 'working', driverSid: STRANGER, workerSid: sid('task-worker') },
      human: { state: 'awaiting-human', driverSid: sid('task-awaiting-human') },
      review: { state: 'ready_for_review', driverSid: sid('task-in-review') },
      operator: { state: 'working', operatorSid: sid('task-of-an-operator') },
      spawning: { state: 'working', spawnIntent: { sid: sid('task-spawning') } },
      cleared: { state: 'working', driverSid: STRANGER, driverSeen: identity('task-cleared') },
      name: { state: 'working', driverName: 'task-by-name' },
      'old-name': { state: 'working', operatorName: 'task-by-operator-name' },
      tmux: { state: 'working', launch: { tmuxSession: 'lane-7' } },
    };
    for (const [name, task] of Object.entries(tasks)) makeTask(world(), name, task);
    configure(world(), { expire: { pinned: ['pinned-by-name', of('pinned-by-id').id, sid('pinned-by-sid')] } });
  });

  const of = (name: string) => {
    const one = made[name];
    if (one === undefined) throw new Error(`no session ${name}`);
    return one;
  };
  const sid = (name: string) => of(name).sid;
  const identity = (name: string) => ({ pid: of(name).pid, procStart: procStartOf(of(name).pid) ?? '' });

  it('only what is untasked, silent, idle, unattached, drained and unpinned expires; each other is kept for its reason', async () => {
    const done = await expire(['--dry-run']);
    expect(done, done.stderr).toMatchObject({ code: 0, stderr: '' });
    expect(reasons(done)).toEqual({
      silent: 'silent',
      'silent-with-subagents': 'silent',
      'silent-in-a-pane': 'silent',
      'task-done': 'silent',
      'task-parked': 'silent',
      'task-abandoned': 'silent',
      'inbox-drained': 'silent',
      'silent-47h': 'not-silent',
      'subagent-at-work': 'not-silent',
      'written-tomorrow': 'silence-unknown',
      'without-transcript': 'silence-unknown',
      'transcript-of-another': 'silence-unknown',
      busy: 'not-idle',
      waiting: 'not-idle',
      'without-status': 'not-idle',
      'status-of-tomorrow': 'not-idle',
      'task-working': 'protected',
      'task-worker': 'protected',
      'task-awaiting-human': 'protected',
      'task-in-review': 'protected',
      'task-of-an-operator': 'protected',
      'task-spawning': 'protected',
      'task-cleared': 'protected',
      'task-by-name': 'protected',
      'task-by-operator-name': 'protected',
      'task-by-tmux': 'protected',
      'pinned-by-name': 'pinned',
      'pinned-by-id': 'pinned',
      'pinned-by-sid': 'pinned',
      inbox: 'inbox',
      'inbox-of-tomorrow': 'inbox-unknown',
      'viewed-with-attach': 'attached',
      'viewed-in-tmux': 'attached',
      'in-no-pane': 'attached',
      twin: 'twins',
      'twin-again': 'twins',
      'without-sid': 'no-session-id',
    });
    expect(verdicts(done).every(({ verdict, reason }) => (verdict === 'expire') === (reason === 'silent'))).toBe(true);
    expect(documentOf(done)).toMatchObject({ dryRun: true, mass: false, stopped: false, idleMs: 48 * HOUR });
    expect(recordsOf(world(), 'exits.jsonl')).toEqual([]);
  });

  it.each([
    ['torn', (): void => void makeTask(world(), 'broken', '{"state": "wor')],
    ['of a state that is not known', (): void => void makeTask(world(), 'broken', { state: 'wroking' })],
    ['behind a symbolic link', () => linked('broken')],
  ])('a task file that is %s protects all, by its name', async (_, spoil) => {
    spoil();
    const done = await expire(['--dry-run']);
    expect(done.code).toBe(0);
    expect(verdicts(done).filter(({ verdict }) => verdict === 'expire')).toEqual([]);
    const silent = verdicts(done).find(({ name }) => name === 'silent');
    expect(silent).toMatchObject({ reason: 'protection-unknown', words: expect.stringContaining('task broken ') });
    expect(reasons(done)).toMatchObject({ 'task-working': 'protected', 'pinned-by-name': 'pinned' });
  });

  function linked(name: string): void {
    const elsewhere = join(world().root, 'elsewhere');
    mkdirSync(elsewhere);
    symlinkSync(elsewhere, join(world().configDir, 'jobs', 'tasks', name));
  }
});

describe('a verdict on most of the fleet', () => {
  const silentOf = (silent: number, all: number) =>
    makeFleet(
      world(),
      Object.fromEntries(Array.from({ length: all }, (_, at) => [`s${at}`, at < silent ? {} : { ageMs: HOUR }])),
    );

  it.each([
    [5, 9, 77],
    [6, 6, 77],
    [5, 10, 0],
    [4, 4, 0],
  ])('%i of %i: %i', async (silent, all, code) => {
    silentOf(silent, all);
    const done = await expire(['--dry-run']);
    expect(done.code).toBe(code);
    expect(documentOf(done)).toMatchObject({ mass: code === 77, stopped: code === 77 });
  });

  it('stops itself: nobody is asked, it is said on standard error and an alarm stands in the log', async () => {
    silentOf(6, 8);
    const { command, calls } = countingClaude(world());
    const done = await expire([], { FLEET_CLAUDE: command });
    expect([done.code, done.stderr]).toEqual([77, expect.stringContaining('refusing to expire 6 of 8 sessions')]);
    expect(calls()).toEqual(['agents --json']);
    expect(recordsOf(world(), 'alarms.jsonl')).toMatchObject([{ kind: 'mass-expire-verdict', expiring: 6, live: 8 }]);
    expect(recordsOf(world(), 'exits.jsonl')).toEqual([]);
  });
});
