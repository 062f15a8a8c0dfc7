import { describe, expect, it } from 'vitest';
import { alarmsOf } from '../../../src/lib/decide/sweep/alarms.ts';
import { type AnsweredTask, decideAnswer } from '../../../src/lib/decide/sweep/answer.ts';
import {
  exitableIn,
  observeOnly,
  planTask,
  staggerRevivals,
  type TaskFacts,
  withhold,
} from '../../../src/lib/decide/sweep/plan.ts';
import { DEFAULT_POLICY } from '../../../src/lib/policy.ts';
import { ABSENT, ALIVE, MINUTE, NOW, QUIET } from './cases.ts';

const OPEN: TaskFacts = {
  name: 'a',
  state: 'working',
  terminal: false,
  liveness: ALIVE,
  session: QUIET,
  background: false,
  releasedAt: undefined,
  latches: {
    releasedAt: undefined,
    askedAt: undefined,
    askPending: false,
    requestedAt: undefined,
    requests: 0,
    exited: false,
    gaveUp: false,
  },
  protectedBy: undefined,
  interrupted: false,
  deadSince: undefined,
  stopped: false,
  heartbeatAt: undefined,
  revivals: [],
  hold: { kind: 'free' },
  lastWake: undefined,
  authored: 'a',
  closed: undefined,
  watcher: undefined,
};
const plan = (over: Partial<TaskFacts> = {}) => planTask({ ...OPEN, ...over }, NOW, DEFAULT_POLICY);
const DEAD = { liveness: ABSENT, session: undefined, deadSince: NOW - MINUTE };
const RELEASED = {
  state: 'done',
  terminal: true,
  releasedAt: 'then',
  latches: { ...OPEN.latches, releasedAt: NOW - 60 * MINUTE },
};

it('one thing at most is done to a task in one sweep', () => {
  const firing = (one: ReturnType<typeof plan>) =>
    [one.release, one.exit, one.wake, one.revival].filter(({ fires }) => fires).map(({ kind }) => kind);
  expect(firing(plan())).toEqual(['wake']);
  expect(firing(plan(DEAD))).toEqual(['revive']);
  expect(firing(plan({ state: 'done', terminal: true }))).toEqual(['release']);
  expect(firing(plan(RELEASED))).toEqual(['ask']);
  expect(firing(plan({ state: 'awaiting-human' }))).toEqual([]);
  expect(firing(plan({ state: 'awaiting-human', ...DEAD }))).toEqual(['revive']);
});

it('withheld: nothing ends, starts or parks; waking and releasing stay', () => {
  for (const facts of [DEAD, RELEASED, { ...DEAD, revivals: [1, 2, 3, 4, 5].map((at) => NOW - at) }]) {
    const held = withhold(plan(facts), 'the roster is torn');
    expect([held.exit.fires, held.revival.fires]).toEqual([false, false]);
  }
  expect(withhold(plan(), 'x').wake.fires).toBe(true);
  expect(withhold(plan({ state: 'done', terminal: true }), 'x').release.fires).toBe(true);
});

it('starts at most so many in a sweep, those dead longest first; parking is no start', () => {
  const parked = { ...DEAD, revivals: [1, 2, 3, 4, 5].map((at) => NOW - at) };
  const plans = [
    plan({ ...DEAD, name: 'young', deadSince: NOW - 1 }),
    plan({ ...DEAD, name: 'old', deadSince: NOW - 90 * MINUTE }),
    plan({ ...DEAD, name: 'middle', deadSince: NOW - 30 * MINUTE }),
    plan({ ...parked, name: 'parked' }),
  ];
  const fires = staggerRevivals(plans, 2).filter(({ revival }) => revival.fires);
  expect(fires.map(({ name }) => name)).toEqual(['old', 'middle', 'parked']);
});

it('an observed rule says what it would do, and does nothing', () => {
  const observed = observeOnly(plan(), (rule) => rule === 'wake');
  expect(observed.wake).toMatchObject({ fires: false, words: expect.stringContaining('observed only') });
  expect(observeOnly(plan(DEAD), (rule) => rule === 'wake').revival.fires).toBe(true);
});

it('counts those that would be asked to leave, not those that have left', () => {
  const left = { ...RELEASED, liveness: ABSENT };
  expect(exitableIn([plan({ ...RELEASED, name: 'b' }), plan({ ...left, name: 'c' }), plan()])).toEqual(['b']);
});

describe('alarms', () => {
  it.each<[string, Partial<TaskFacts>, string[]]>([
    ['all is well', {}, []],
    ['twins', { liveness: { kind: 'twins', pids: [4, 5], words: '' } }, ['twins 4-5']],
    ['blocked', { liveness: { kind: 'blocked', pid: 4, dialog: 'Trust', words: '' } }, ['driver-blocked 4']],
    [
      'a start is stuck',
      { liveness: ABSENT, interrupted: true, stuckStart: true, startName: 'a-1f' },
      ['driver-start-stuck a-1f'],
    ],
    ['it waits', { session: { ...QUIET, status: 'waiting', waitingFor: 'dialog open' } }, ['driver-waits dialog open']],
    [
      'it has waited for a moment only',
      { session: { ...QUIET, status: 'waiting', silence: { ok: true, idleMs: MINUTE } } },
      [],
    ],
    ['it lives, and is at a limit', { hold: { kind: 'hold', words: 'limit' } }, ['driver-hold alive']],
    ['held, and dead', { ...DEAD, hold: { kind: 'hold', words: 'limit' } }, [`driver-hold ${DEAD.deadSince}`]],
    [
      'its watcher closed',
      { closed: { at: 'then', atMs: 1, status: 'EXPIRED', reason: undefined } },
      ['watcher-closed-while-open then'],
    ],
  ])('%s', (_, facts, kinds) => {
    const alarms = alarmsOf(plan(facts), 15 * MINUTE);
    expect(alarms.map(({ kind, about }) => `${kind} ${about}`)).toEqual(kinds);
    for (const { options } of alarms) expect(options.length).toBeGreaterThan(1);
  });
});

describe('answers', () => {
  const TASK: AnsweredTask = {
    state: 'parked',
    terminal: true,
    driverSid: 's',
    gaveUp: false,
    lastAnswered: undefined,
    alarms: { twins: '4-5' },
  };
  const asked = (action: string, subject: object = { driverSid: 's' }) => ({
    id: 'd1',
    kind: 'k',
    action,
    task: 'a',
    subject: subject as Record<string, unknown>,
  });
  it.each<[string, ReturnType<typeof asked>, Partial<AnsweredTask> | undefined, string]>([
    ['revive once more', asked('revive-once-more'), {}, 'execute'],
    ['revive, executed before', asked('revive-once-more'), { lastAnswered: 'd1', state: 'working' }, 'done-before'],
    ['revive, un-parked by hand meanwhile', asked('revive-once-more'), { state: 'working' }, 'moved-on'],
    ['revive, another Driver by now', asked('revive-once-more'), { driverSid: 'other' }, 'moved-on'],
    ['revive, the task is gone', asked('revive-once-more'), undefined, 'moved-on'],
    ['ask again', asked('ask-again'), { state: 'done', gaveUp: true }, 'execute'],
    ['ask again, it is open', asked('ask-again'), { state: 'working', terminal: false, gaveUp: true }, 'moved-on'],
    ['ask again, not given up', asked('ask-again'), { state: 'done' }, 'moved-on'],
    ['look again', asked('look-again', { driverSid: 's', alarm: 'twins', about: '4-5' }), {}, 'execute'],
    [
      'look again, other twins by now',
      asked('look-again', { driverSid: 's', alarm: 'twins', about: '1-2' }),
      {},
      'moved-on',
    ],
    ['park, over already', asked('park'), {}, 'moved-on'],
    [
      'park',
      asked('park', { driverSid: 's', alarm: 'twins', about: '4-5' }),
      { state: 'working', terminal: false },
      'execute',
    ],
    ['leave it', asked('none'), undefined, 'nothing'],
    ['an action of a newer version', asked('dance'), {}, 'unknown-action'],
  ])('%s', (_, decision, task, kind) => {
    expect(decideAnswer(decision, task === undefined ? undefined : { ...TASK, ...task }).kind).toBe(kind);
  });
});
