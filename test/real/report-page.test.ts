import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Chromium, chromiumCommand, type Page } from '../support/chromium.ts';
import { CONTRASTS } from '../support/contrasts.ts';
import { makeReport } from '../support/made-report.ts';
import { tempFolder } from '../support/script.ts';
import { finished } from '../support/spawned.ts';

const BIN = join(import.meta.dirname, '..', '..', 'bin', 'session-cap.cjs');
const command = chromiumCommand();
if (command === undefined && process.env.CHROMIUM_REQUIRED === '1')
  throw new Error('CHROMIUM_REQUIRED=1, and there is none');

/** Words in plots: their size on the screen, and their contrast with the page. */
const PLOT_WORDS = `[...document.querySelectorAll('svg text')].filter((one) => one.getBoundingClientRect().height > 0).map((one) => {
  const parse = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((c) => c / 255).map((c) => c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4).reduce((sum, c, at) => sum + c * [0.2126, 0.7152, 0.0722][at], 0);
  let behind = one.closest('svg');
  while (behind.parentElement && parse(getComputedStyle(behind).backgroundColor)[3] === 0) behind = behind.parentElement;
  const [a, b] = [getComputedStyle(one).fill, getComputedStyle(behind).backgroundColor].map(parse).map(light).sort((x, y) => y - x);
  return [one.textContent, one.getBoundingClientRect().height, (a + 0.05) / (b + 0.05)];
})`;

describe.skipIf(command === undefined)('the page of session-cap report, with 10,000 samples', () => {
  const folder = tempFolder();
  const file = join(folder.path, 'fleet.html');
  let browser: Chromium;
  let page: Page;

  beforeAll(async () => {
    makeReport(join(folder.path, '.claude', 'jobs'), 10_000, Date.now());
    const env = { PATH: process.env.PATH ?? '', HOME: folder.path, LANG: 'C.UTF-8' };
    const done = await finished(process.execPath, [BIN, 'report', '--since', '60d', '--html', file], env, {
      timeout: 60_000,
    });
    expect(done, done.stderr).toMatchObject({ code: 0, stderr: '' });
    browser = new Chromium(command ?? '');
    page = await browser.page();
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    folder.remove();
  });

  it('is one small file that asks for nothing else and runs nothing', async () => {
    expect(statSync(file).size).toBeLessThan(400_000);
    await page.open(`file://${file}`);
    expect(page.requests.filter((url) => !url.startsWith('file://') && !url.startsWith('data:'))).toEqual([]);
    expect(page.complaints).toEqual([]);
    expect(await page.value('document.scripts.length')).toBe(0);
  });

  it.each([
    { width: 1200, height: 900, scheme: 'light' },
    { width: 1200, height: 900, scheme: 'dark' },
    { width: 390, height: 844, scheme: 'light' },
    { width: 390, height: 844, scheme: 'dark' },
  ] as const)('can be read in a window of $width, $scheme', async (look) => {
    await page.look(look);
    await page.open(`file://${file}`);
    expect(await page.value('document.documentElement.scrollWidth')).toBeLessThanOrEqual(look.width);
    const text = await page.text();
    for (const words of ['Sessions', 'Which bank first?', 'woken', 'Silence'])
      expect(text.toLowerCase()).toContain(words.toLowerCase());
    const contrasts = await page.value<[string, number][]>(CONTRASTS);
    expect(contrasts.length).toBeGreaterThan(10);
    expect(contrasts.filter(([, ratio]) => ratio < 4.5)).toEqual([]);
    const plotWords = await page.value<[string, number, number][]>(PLOT_WORDS);
    expect(plotWords.length).toBeGreaterThan(10);
    expect(plotWords.filter(([, height, ratio]) => height < 9 || ratio < 4.5)).toEqual([]);
    const picture = await page.picture();
    const keep = process.env.REPORT_PICTURES;
    if (keep) writeFileSync(join(keep, `report-${look.width}-${look.scheme}.png`), picture);
  });
});
