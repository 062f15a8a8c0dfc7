import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Chromium, chromiumCommand, type Page } from '../support/chromium.ts';
import { CONTRASTS, PLOT_WORDS } from '../support/contrasts.ts';
import { makeReport } from '../support/made-report.ts';
import { tempFolder } from '../support/script.ts';
import { finished } from '../support/spawned.ts';

const BIN = join(import.meta.dirname, '..', '..', 'bin', 'session-cap.cjs');
const command = chromiumCommand();
if (command === undefined && process.env.CHROMIUM_REQUIRED === '1')
  throw new Error('CHROMIUM_REQUIRED=1, and there is none');

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
