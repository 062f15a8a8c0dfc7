import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readBook, writeBook } from '../../src/lib/store/admission-book.ts';
import { writeAtomic } from '../../src/lib/store/atomic-write.ts';
import { elapsedMs, momentNow } from '../../src/lib/store/boot-clock.ts';
import { loadPolicy } from '../../src/lib/store/config.ts';
import { eachLine } from '../../src/lib/store/each-line.ts';
import { logExitIntent, logExitResult, ownTextMayStand } from '../../src/lib/store/exit-log.ts';
import { appendLine, appendLog, readTail } from '../../src/lib/store/json-lines.ts';
import { makeFolder } from '../../src/lib/store/make-folder.ts';
import { placesOf } from '../../src/lib/store/places.ts';
import { appendSample, readSamples, removeSamplesBefore, type Sample } from '../../src/lib/store/samples.ts';
import { tempFolder } from '../support/script.ts';

const folder = tempFolder();
afterAll(folder.remove);
const path = (name: string) => join(folder.path, name);
const bundled = join(folder.path, 'make-folder.mjs');
beforeAll(() => {
  const entryPoints = [join(import.meta.dirname, '../../src/lib/store/make-folder.ts')];
  return build({ entryPoints, bundle: true, platform: 'node', format: 'esm', outfile: bundled });
});

describe('atomic replace', () => {
  it('makes the folder, keeps to the owner, leaves nothing beside', () => {
    writeAtomic(path('a/b/file'), 'x');
    writeAtomic(path('a/b/file'), 'yy');
    expect(readFileSync(path('a/b/file'), 'utf8')).toBe('yy');
    expect(statSync(path('a/b/file')).mode & 0o777).toBe(0o600);
    expect(readdirSync(path('a/b'))).toEqual(['file']);
  });

  // Needs a mount of its own, which only root can make; `.ci/run` runs as root.
  it.runIf(process.getuid?.() === 0 && process.platform === 'linux')(
    'says ENOSPC on a full disk and keeps the old file',
    () => {
      const small = path('small');
      mkdirSync(small);
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', small]);
      try {
        const file = join(small, 'file');
        writeAtomic(file, 'old');
        expect(() => writeAtomic(file, 'x'.repeat(200_000))).toThrow('ENOSPC');
        expect(readFileSync(file, 'utf8')).toBe('old');
        expect(readdirSync(small)).toEqual(['file']);
        expect(() => {
          for (;;) appendLine(join(small, 'log'), { text: 'y'.repeat(1000) });
        }).toThrow();
        expect(readTail(join(small, 'log')).skipped).toBeLessThanOrEqual(1);
      } finally {
        execFileSync('umount', [small]);
      }
    },
  );
});

describe('a folder', () => {
  it('is made with its parents, and may be there', () => {
    makeFolder(path('deep/er/still'), 0o700);
    makeFolder(path('deep/er/still'));
    expect([path('deep'), path('deep/er/still')].map((one) => statSync(one).mode & 0o777)).toEqual([0o700, 0o700]);
  });

  it('that can’t be made is an error, and not waited for', () => {
    writeFileSync(path('taken'), '');
    expect(() => makeFolder(path('taken'))).toThrow('EEXIST');
    expect(() => makeFolder(path('taken/in'))).toThrow('ENOTDIR');
    symlinkSync(path('nowhere'), path('dangling'));
    expect(() => makeFolder(path('dangling/in'))).toThrow('EEXIST');
  });

  // Node's own way of making parents goes round for ever here: in a process of its own, which can be ended.
  it('in a working folder that was removed meanwhile is an error too', () => {
    const code = `import { mkdirSync, rmdirSync } from 'node:fs';
      import { makeFolder } from ${JSON.stringify(bundled)};
      mkdirSync('gone'); process.chdir('gone'); rmdirSync('../gone');
      try { makeFolder('a/b'); } catch (error) { process.stdout.write(error.code); }`;
    const said = execFileSync(process.execPath, ['--input-type=module', '-e', code], {
      cwd: folder.path,
      timeout: 10_000,
      encoding: 'utf8',
    });
    expect(said).toBe('ENOENT');
  });
});

describe('JSON lines', () => {
  it('lose only the torn one', () => {
    const file = path('log');
    appendLine(file, { n: 1 });
    appendFileSync(file, '{"n": 2, "tor');
    appendLine(file, { n: 3 });
    appendFileSync(file, '[4]\n"five"\n\n{"n":6}');
    expect(readTail(file)).toEqual({ records: [{ n: 1 }, { n: 3 }, { n: 6 }], skipped: 3, cut: false });
  });

  it('a log begins anew at its size, and keeps the one before', () => {
    const file = path('rotated.jsonl');
    for (let n = 0; n < 50; n++) appendLog(file, { n, pad: 'x'.repeat(100) }, 2000);
    expect(statSync(file).size).toBeLessThan(2200);
    const kept = [...readTail(`${file}.1`).records, ...readTail(file).records].map(({ n }) => n);
    expect(kept).toEqual(Array.from({ length: kept.length }, (_, at) => 50 - kept.length + at));
    expect(kept.length).toBeGreaterThan(15);
  });

  it('are read from the end of a large file', () => {
    const file = path('large');
    for (let n = 0; n < 300; n++) appendLine(file, { n, pad: 'x'.repeat(100) });
    const tail = readTail(file, 2000);
    expect(tail.cut).toBe(true);
    expect(tail.records.at(-1)?.n).toBe(299);
    expect(tail.records.length).toBeLessThan(20);
    expect(tail.skipped).toBe(0);
  });

  it('are none where there is no file', () => expect(readTail(path('none')).records).toEqual([]));
});

describe('the config', () => {
  const config = (value: unknown) => {
    writeFileSync(path('config.json'), typeof value === 'string' ? value : JSON.stringify(value));
    return loadPolicy(path('config.json'), true);
  };

  it('overlays the defaults', async () => {
    expect(await config({ cap: { memoryFloor: '5%' }, expire: { idle: '72h', pinned: ['a'] } })).toMatchObject({
      cap: { max: undefined, memoryFloor: 0.05, reservationTtl: 120_000 },
      exit: { wait: 60_000 },
      expire: { idle: 72 * 3_600_000, pinned: ['a'] },
    });
    expect((await config({ cap: { max: 12 } })).cap.max).toBe(12);
  });

  it.each([
    ['a misspelt key', { cap: { maks: 3 } }, 'cap.maks: no such key'],
    ['a misspelt section', { kap: {} }, 'kap: no such key'],
    ['a duration without a unit', { expire: { idle: '48' } }, 'expire.idle: "48" is no duration'],
    ['a duration as a number', { expire: { idle: 48 } }, 'expire.idle: '],
    ['a share without %', { cap: { memoryFloor: '0.1' } }, 'cap.memoryFloor: "0.1" is no share'],
    ['a ceiling of none', { cap: { max: 0 } }, 'cap.max: '],
    ['not JSON', '{"cap": ', 'not JSON'],
    ['not an object', '[]', '(top)'],
  ])('%s is refused by file and field', async (_, value, words) => {
    await expect(config(value)).rejects.toMatchObject({ exitCode: 78, message: expect.stringContaining(words) });
    await expect(config(value)).rejects.toThrow(path('config.json'));
  });

  it('need not be there, unless it was named', async () => {
    expect((await loadPolicy(path('no.json'), false)).roster.timeout).toBe(10_000);
    await expect(loadPolicy(path('no.json'), true)).rejects.toMatchObject({ exitCode: 78 });
  });
});

describe('the admission book', () => {
  it('keeps what other versions wrote', () => {
    const file = path('book.json');
    writeFileSync(
      file,
      JSON.stringify({ generation: 3, endedAtGeneration: 1, reservations: [], ended: [], later: { x: 1 } }),
    );
    const book = readBook(file);
    writeBook(file, { ...book, generation: 4 });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ generation: 4, later: { x: 1 } });
  });

  it.each([
    ['torn', '{"generation": 3, "res'],
    ['a list', '[]'],
    ['without reservations', '{"generation":1,"endedAtGeneration":0}'],
    ['with something that is no reservation', '{"generation":1,"endedAtGeneration":0,"reservations":[{"token":5}]}'],
  ])('%s is an error that names the file, never an empty book', (_, text) => {
    const file = path('bad-book.json');
    writeFileSync(file, text);
    expect(() => readBook(file)).toThrow(
      expect.objectContaining({ exitCode: 65, message: expect.stringContaining(file) }),
    );
  });
});

it('a stepped wall clock does not change how long ago something was', () => {
  const then = momentNow();
  const later = { ...then, mono: then.mono + 5000 };
  for (const step of [-86_400_000, 0, 86_400_000])
    expect(elapsedMs(then, { ...later, wall: then.wall + step })).toBe(5000);
  expect(elapsedMs(then, { wall: then.wall + 7000, mono: 10, boot: 'another' })).toBe(7000);
});

describe('the exit log', () => {
  const places = placesOf({ HOME: path('home') });
  const who = { pid: 5, procStart: 's' };

  it('knows our own text in a box, of that very process, until it was cleared', async () => {
    expect(ownTextMayStand(places, who)).toBe(false);
    const id = await logExitIntent(places, { ...who, sessionId: 'x', path: 'typed' });
    expect(ownTextMayStand(places, who)).toBe(true);
    expect(ownTextMayStand(places, { ...who, procStart: 't' })).toBe(false);
    await logExitResult(places, id, { verdict: 'refused', cleared: false });
    expect(ownTextMayStand(places, who)).toBe(true);
    await logExitResult(places, id, { verdict: 'refused', cleared: true });
    expect(ownTextMayStand(places, who)).toBe(false);
    await logExitIntent(places, { ...who, sessionId: 'x', path: 'stop' });
    expect(ownTextMayStand(places, who)).toBe(false);
  });
});

it('samples are kept by day, read from a moment on, and old days go', () => {
  const places = placesOf({ HOME: path('sampled') });
  const at = (iso: string): Sample => ({
    at: iso,
    live: 1,
    unlisted: 0,
    reserved: 0,
    ceiling: 2,
    totalBytes: 1,
    availableBytes: 1,
    helpersRssBytes: 0,
    sessions: [],
  });
  for (const iso of ['2026-01-01T23:59:00.000Z', '2026-01-02T00:01:00.000Z', '2026-01-05T00:00:00.000Z'])
    appendSample(places, at(iso));
  const dir = join(places.ownDir, 'samples');
  appendFileSync(join(dir, '2026-01-05.jsonl'), '{"at":"2026-01-05T01:00:00Z","live":"many"}\n{"torn');
  writeFileSync(join(dir, 'notes.txt'), 'a person’s');
  const read = readSamples(places, Date.parse('2026-01-02T00:00:00Z'));
  expect(read.samples.map((one) => one.at)).toEqual(['2026-01-02T00:01:00.000Z', '2026-01-05T00:00:00.000Z']);
  expect(read.skipped).toBe(2);
  expect(read.last?.at).toBe('2026-01-05T00:00:00.000Z');
  removeSamplesBefore(places, Date.parse('2026-01-03T00:00:00Z'));
  expect(readdirSync(dir).sort()).toEqual(['2026-01-05.jsonl', 'notes.txt']);
});

it('the lines of a file are those that are in it, however long it is and wherever a chunk ends', () => {
  const file = path('lines.txt');
  const lines = ['', 'é'.repeat(200_000), 'b', 'x'.repeat((1 << 18) - 1), '', 'y'.repeat(1 << 18), 'the end'];
  writeFileSync(file, lines.join('\n'));
  expect([...eachLine(file)]).toEqual(lines);
  writeFileSync(file, `${lines.join('\n')}\n`);
  expect([...eachLine(file)]).toEqual(lines);
  expect([...eachLine(file, 1000)]).toEqual(['', undefined, 'b', undefined, '', undefined, 'the end']);
  expect([...eachLine(path('not there'))]).toEqual([]);
});

it('places follow the environment', () => {
  expect(placesOf({ HOME: '/h' })).toMatchObject({
    claudeDir: '/h/.claude',
    fleetHome: '/h/.claude/jobs',
    configFile: '/h/.config/session-fleet/config.json',
  });
  expect(placesOf({ HOME: '/h', CLAUDE_CONFIG_DIR: '/c', XDG_CONFIG_HOME: '/x' })).toMatchObject({
    fleetHome: '/c/jobs',
    configFile: '/x/session-fleet/config.json',
  });
  expect(placesOf({ HOME: '/h', FLEET_HOME: '/f', FLEET_CONFIG: '/g.json' })).toMatchObject({
    tasksDir: '/f/tasks',
    ownDir: '/f/fleet',
    configFile: '/g.json',
  });
});
