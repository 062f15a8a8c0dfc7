import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { appendCompacted, compact, readLog, readRecords } from '../../src/lib/store/compacted-log.ts';
import { logMailIntent, logMailResult, mailFile, readMail } from '../../src/lib/store/mail-log.ts';
import { placesOf } from '../../src/lib/store/places.ts';
import { ownIdentity } from '../../src/lib/store/process-identity.ts';
import { buildScript, run, tempFolder } from '../support/script.ts';

const folder = tempFolder();
let script = '';
beforeAll(() => {
  script = buildScript('append-log.ts', folder.path);
});
afterAll(folder.remove);

const traces = spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0;
const iso = (agoMs = 0) => new Date(Date.now() - agoMs).toISOString();
const line = (record: object) => `${JSON.stringify(record)}\n`;
const DAY = 86_400_000;
const log = (name: string, more: object = {}) => ({
  file: join(folder.path, name),
  settledMs: DAY,
  openMs: 2 * DAY,
  maxBytes: 1 << 20,
  settles: ({ verdict }: Record<string, unknown>) => verdict === 'delivered',
  ...more,
});
const runs = () => false;

/** Ids of intents, and those without a result, in a log. */
function idsIn(file: string) {
  const records = readRecords(file);
  const of = (step: string) => new Set(records.filter((one) => one.step === step).map(({ id }) => String(id)));
  return { intents: of('intent'), results: of('result') };
}

describe('a log that is compacted', () => {
  it('keeps what is not settled and the settled of late, as they stand; a torn last line spoils itself alone', async () => {
    const one = log('kept');
    const old = [
      line({ at: iso(3 * DAY), step: 'intent', id: 'old-settled' }),
      line({ at: iso(3 * DAY), step: 'result', id: 'old-settled', verdict: 'delivered' }),
      line({ at: iso(1.5 * DAY), step: 'intent', id: 'open', mine: { kept: [1] } }),
      line({ at: iso(1.5 * DAY), step: 'result', id: 'open', verdict: 'unconfirmed' }),
      line({ note: 'of somebody' }),
      line({ at: iso(), step: 'intent', id: 'late' }),
      line({ at: iso(), step: 'result', id: 'late', verdict: 'delivered' }),
    ].join('');
    writeFileSync(one.file, `${old}{"at":"2026-`);
    await appendCompacted(one, { at: iso(), step: 'intent', id: 'behind-the-torn' }, runs);
    await compact(one, runs);
    expect(existsSync(one.file)).toBe(false);
    expect(readRecords(one.file).map(({ id, mine }) => [id, mine])).toEqual([
      ['open', { kept: [1] }],
      ['open', undefined],
      [undefined, undefined],
      ['late', undefined],
      ['late', undefined],
      ['behind-the-torn', undefined],
    ]);
    expect(readdirSync(folder.path).filter((name) => name.startsWith('kept.') && name !== 'kept.kept')).toEqual([]);
  });

  it('loses no line of 50 processes that append while it is compacted again and again', {
    timeout: 120_000,
  }, async () => {
    const { file } = log('many');
    let done = false;
    const everSeen = new Set<string>();
    const missed: string[] = [];
    const reading = (async () => {
      // What was read once is there at each later look.
      while (!done) {
        const { intents } = idsIn(file);
        for (const id of everSeen) if (!intents.has(id)) missed.push(id);
        for (const id of intents) everSeen.add(id);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    })();
    const ends = await Promise.all(Array.from({ length: 50 }, (_, n) => run('node', [script, file, `p${n}`, '20'])));
    done = true;
    await reading;
    expect(ends.map(({ code, stderr }) => [code, stderr])).toEqual(ends.map(() => [0, '']));
    expect(missed).toEqual([]);
    const { intents, results } = idsIn(file);
    expect(intents.size).toBe(1000);
    expect(results.size).toBe(500);
    expect(existsSync(`${file}.kept`)).toBe(true);
  });

  it('goes on with one that was interrupted, and writes nothing over it', async () => {
    const one = log('interrupted');
    writeFileSync(`${one.file}.kept`, line({ at: iso(), step: 'intent', id: 'a' }));
    writeFileSync(`${one.file}.old`, line({ at: iso(), step: 'intent', id: 'b' }));
    writeFileSync(one.file, line({ at: iso(), step: 'intent', id: 'c' }));
    expect([...idsIn(one.file).intents]).toEqual(['a', 'b', 'c']);
    await compact(one, runs);
    expect([...idsIn(one.file).intents]).toEqual(['a', 'b', 'c']);
    expect(existsSync(`${one.file}.old`)).toBe(false);
    await compact(one, runs);
    expect([...idsIn(one.file).intents]).toEqual(['a', 'b', 'c']);
  });

  it('counts a line that stands in two pieces once, where it stood first', async () => {
    const one = log('twice');
    const intent = line({ at: iso(), step: 'intent', id: 'a' });
    writeFileSync(`${one.file}.kept`, intent + line({ at: iso(), step: 'result', id: 'a', verdict: 'delivered' }));
    writeFileSync(`${one.file}.old`, intent);
    expect(readLog(one.file).map(({ record }) => record?.step)).toEqual(['intent', 'result']);
  });

  it('that can’t be compacted still takes what is appended', async () => {
    const one = log('stuck', { compactBytes: 1 });
    writeFileSync(one.file, line({ at: iso(), step: 'intent', id: 'a' }));
    // The kept piece can't be replaced: a folder stands in its place.
    spawnSync('mkdir', ['-p', `${one.file}.kept/x`]);
    await appendCompacted(one, { at: iso(), step: 'intent', id: 'b' }, runs);
    expect(readFileSync(existsSync(one.file) ? one.file : `${one.file}.old`, 'utf8')).toContain('"b"');
  });
});

describe.runIf(traces)('a compaction that is killed', () => {
  it.each([
    ['right after the log was put aside', 'rename', 1],
    ['right after the kept piece was replaced', 'rename', 2],
    ['before the kept piece was synced', 'fsync', 1],
    ['right after the one put aside was removed', 'unlink', 2],
  ])('%s has lost nothing, and the next one ends it', async (name, call, when) => {
    const file = join(folder.path, `killed-${call}-${when}`);
    writeFileSync(`${file}.kept`, line({ at: iso(), step: 'intent', id: 'a' }));
    writeFileSync(file, line({ at: iso(), step: 'intent', id: 'b' }));
    const inject = ['-f', '-qq', '-o', '/dev/null', '-e', `inject=${call}:signal=KILL:when=${when}`];
    const killed = await run('strace', [...inject, process.execPath, script, file, 'x', '0']);
    expect(killed.code === 0 && killed.signal === null, name).toBe(false);
    appendFileSync(file, line({ at: iso(), step: 'intent', id: 'c' }));
    expect([...idsIn(file).intents].sort()).toEqual(['a', 'b', 'c']);
    for (let again = 0; again < 2; again++)
      expect(await run('node', [script, file, 'x', '0'])).toMatchObject({ code: 0 });
    expect([...idsIn(file).intents].sort()).toEqual(['a', 'b', 'c']);
    expect(existsSync(`${file}.old`)).toBe(false);
  });
});

describe('the mail log', () => {
  const places = placesOf({ HOME: folder.path });
  const intent = (id: string, more: object = {}) =>
    logMailIntent(places, {
      id,
      sessionId: '7b6a75ce-4d13-4fd3-9f0a-03291e1657ff',
      pid: 5,
      procStart: 's',
      senderPid: 6,
      route: 'socket',
      transcriptBytes: 100,
      text: `text of ${id}`,
      ...more,
    });

  it('stays small, and knows an unsettled message however much was sent since', { timeout: 60_000 }, async () => {
    await intent('open-1');
    const text = 'x'.repeat(30_000);
    for (let n = 0; n < 600; n++) {
      await intent(`many-${n}`, { text });
      await logMailResult(places, `many-${n}`, { verdict: 'delivered', words: '', cleared: true });
    }
    const size = (name: string) => statSync(name, { throwIfNoEntry: false })?.size ?? 0;
    const file = mailFile(places);
    expect(size(file) + size(`${file}.kept`)).toBeLessThan(13 << 20);
    const mails = readMail(places);
    const open = mails.find(({ id }) => id === 'open-1');
    expect([open?.text, open?.result]).toEqual(['text of open-1', undefined]);
    expect(mails.at(-1)).toMatchObject({ id: 'many-599', result: { verdict: 'delivered' } });
  });

  it('keeps a text that may stand in a box for as long as that process runs', async () => {
    const file = mailFile(places);
    const old = {
      ...ownIdentity(),
      at: iso(200 * DAY),
      step: 'intent',
      sessionId: 'x',
      senderPid: 6,
      transcriptBytes: 0,
    };
    appendFileSync(file, line({ ...old, id: 'typed-1', route: 'typed', text: 't' }));
    appendFileSync(file, line({ ...old, id: 'typed-2', route: 'typed', text: 't', procStart: 'gone' }));
    renameSync(file, `${file}.old`);
    writeFileSync(file, ' '.repeat(5 << 20));
    await intent('last-1');
    const ids = readMail(places).map(({ id }) => id);
    expect(ids).toContain('typed-1');
    expect(ids).not.toContain('typed-2');
  });
});
