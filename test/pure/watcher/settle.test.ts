import { expect, it } from 'vitest';
import { settled } from '../../../src/lib/decide/watcher/settle.ts';
import { newMemory } from '../../../src/lib/decide/watcher/tick.ts';

const MEMORY = newMemory(0, [1, 2]);

it.each([
  ['revive', 'done', 2],
  ['revive', 'failed', 2],
  ['revive', undefined, 2],
  ['revive', 'refused', 1],
  ['revive', 'moved-on', 1],
  ['recover', 'refused', 2],
  ['nudge', 'refused', 2],
] as const)('%s that came to %s leaves %i revivals counted', (kind, result, count) => {
  expect(settled(MEMORY, { kind }, result).revivals).toEqual([1, 2].slice(0, count));
});
