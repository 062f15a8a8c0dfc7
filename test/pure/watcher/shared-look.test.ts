import { expect, it } from 'vitest';
import type { FleetIndex } from '../../../src/lib/observe/sweep/fleet-index.ts';
import { SharedLook } from '../../../src/lib/temporal/shared-look.ts';

/** Looks that are numbered, and how many were taken. */
function counted(maxAgeMs: number, fails: (n: number) => boolean = () => false) {
  let taken = 0;
  const looks = new SharedLook(async () => {
    taken += 1;
    if (fails(taken)) throw new Error('no look');
    return taken as unknown as FleetIndex;
  }, maxAgeMs);
  return { looks, taken: () => taken };
}

it('is one for two hundred callers at once, and for those a little later', async () => {
  const { looks, taken } = counted(60_000);
  const all = await Promise.all(Array.from({ length: 200 }, () => looks.get()));
  expect(new Set([...all, await looks.get()]).size).toBe(1);
  expect(taken()).toBe(1);
});

it('is taken anew when it is too old, and after something was done', async () => {
  const old = counted(-1);
  expect([await old.looks.get(), await old.looks.get()]).toEqual([1, 2]);
  const { looks, taken } = counted(60_000);
  const before = looks.get();
  looks.forget();
  const after = looks.get();
  expect([await before, await after, taken()]).toEqual([1, 2, 2]);
});

it('one that failed serves nobody after it', async () => {
  const { looks } = counted(60_000, (n) => n === 1);
  await expect(looks.get()).rejects.toThrow('no look');
  expect(await looks.get()).toBe(2);
});
