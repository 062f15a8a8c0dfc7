import { expect, it } from 'vitest';
import { isStuck, type Meetings, meetingsIn, metAgain, type Standing } from '../../src/lib/decide/stuck-start.ts';

const met = (...standings: Standing[]) => standings.reduce<Meetings | undefined>(metAgain, undefined);

it.each<[Standing[], Standing, boolean]>([
  [[], 'process', false],
  [['process', 'process'], 'process', false],
  [['process', 'process', 'process'], 'process', true],
  [['process', 'process', 'process'], 'listed', false],
  [['process', 'process', 'process'], 'none', false],
  [['process', 'process', 'process', 'listed'], 'listed', false],
  [['none', 'none', 'none', 'none'], 'none', true],
  [['process', 'listed', 'process'], 'process', false],
])('met as %j, it stands as %s: stuck is %s', (standings, now, stuck) => {
  expect(isStuck(met(...standings), now)).toBe(stuck);
});

it.each([undefined, {}, { met: null }, { met: { times: '3', as: 'none' } }, { met: { times: 3, as: 'gone' } }])(
  'what %j says of meetings is nothing',
  (intent) => expect(meetingsIn(intent as Record<string, unknown> | undefined)).toBeUndefined(),
);

it('a meeting of which it can’t be told how the start stood counts for nothing', () => {
  expect(metAgain(undefined, undefined)).toBeUndefined();
  const twice = met('none', 'none');
  expect(metAgain(twice, undefined)).toEqual(twice);
  expect(isStuck(metAgain(twice, undefined), 'none')).toBe(false);
});
