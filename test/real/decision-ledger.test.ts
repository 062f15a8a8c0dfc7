import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statfsSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  answerDecision,
  beginExecution,
  closeDecision,
  endExecution,
  noteReached,
  raiseDecision,
  readDecision,
  readDecisions,
} from '../../src/lib/store/decisions.ts';
import { placesOf } from '../../src/lib/store/places.ts';
import { DOCUMENTS } from '../../src/schemas/documents.ts';
import { spec } from '../../src/specs/decision-ledger.ts';
import { run, start, tempFolder } from '../support/script.ts';
import { until } from '../support/until.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const BIN = join(ROOT, 'bin', 'decision-ledger.cjs');
const SID = '7b6a75ce-4d13-4fd3-9f0a-03291e1657ff';
const DAY_MS = 86_400_000;

let folder: ReturnType<typeof tempFolder>;
beforeEach(() => {
  folder = tempFolder();
});
afterEach(() => folder.remove());

const env = () => ({ PATH: process.env.PATH, HOME: folder.path, USER: 'ada', LANG: 'C.UTF-8' });
const places = () => placesOf({ HOME: folder.path });
const dir = () => join(places().ownDir, 'decisions');
const fileOf = (id: string) => join(dir(), `${id}.json`);
const stored = (id: string) => JSON.parse(readFileSync(fileOf(id), 'utf8'));
const ledger = (...words: string[]) => run(process.execPath, [BIN, ...words], env());
/** What lies in the ledger, archive aside. */
const names = () => readdirSync(dir()).filter((name) => name !== 'archive');
const idOf = (at: number) => `d${at.toString(16).padStart(8, '0')}`;

const QUESTION = {
  kind: 'question',
  key: 'k',
  title: 'Which bank first?',
  evidence: ['both offer a test account'],
  options: [
    { id: 'nord', label: 'Nordbank', does: 'tells the Driver', action: 'tell-driver' },
    { id: 'wait', label: 'Neither', does: 'nothing', action: 'none' },
  ],
  raisedBy: 'a test',
};
const raise = async (over: object = {}) => (await raiseDecision(places(), { ...QUESTION, ...over })).decision.id;

/** A row that ended so many days ago, put there by hand. */
function over(id: string, days: number, more: object = {}): void {
  const at = new Date(Date.now() - days * DAY_MS).toISOString();
  const row = { ...QUESTION, id, key: id, raisedAt: at, closed: { at, reason: 'it is over' }, ...more };
  mkdirSync(dir(), { recursive: true });
  writeFileSync(fileOf(id), JSON.stringify(row));
}

describe('raising', () => {
  it('20 processes that raise one key make one row, which all of them are told', async () => {
    const words = ['raise', '--title', 'Stop?', '--option', 'y=Yes', '--option', 'n=No', '--key', 'one', '--json'];
    const done = await Promise.all(Array.from({ length: 20 }, () => ledger(...words)));
    expect(done.map(({ code, stderr }) => [code, stderr])).toEqual(done.map(() => [0, '']));
    const documents = done.map(({ stdout }) => JSON.parse(stdout));
    expect(new Set(documents.map(({ id }) => id)).size).toBe(1);
    expect(documents.filter(({ raised }) => raised)).toHaveLength(1);
    expect(names()).toEqual([`${documents[0].id}.json`]);
    expect(stored(documents[0].id)).toMatchObject({ raisedAgain: 19, options: [{ id: 'y' }, { id: 'n' }] });
  });

  it('again gives an open row the new evidence, an answered one nothing, and makes a second one when it is over', async () => {
    const id = await raise();
    expect(await raise({ evidence: ['newer'] })).toBe(id);
    expect(await raise({ evidence: [] })).toBe(id);
    expect(stored(id)).toMatchObject({ evidence: ['newer'], raisedAgain: 2, lastRaisedAt: expect.any(String) });
    await answerDecision(places(), id, { option: 'nord', by: 'me' });
    const before = stored(id);
    expect(await raise({ evidence: ['newest'] })).toBe(id);
    expect(stored(id)).toEqual(before);
    await beginExecution(places(), id);
    await endExecution(places(), id, { verdict: 'done', words: 'sent' });
    const next = await raise();
    expect(next).not.toBe(id);
    expect(await raise({ key: 'other' })).not.toBe(next);
  });

  it.each([
    ['no title', { title: '  ' }],
    ['no key', { key: '' }],
    ['too long a key', { key: 'x'.repeat(501) }],
    ['no option', { options: [] }],
    ['an option that is no word', { options: [{ ...QUESTION.options[0], id: 'a b' }] }],
    ['two options of one id', { options: [QUESTION.options[0], QUESTION.options[0]] }],
  ])('%s is refused, and nothing is written', async (_name, wrong) => {
    await expect(raise(wrong)).rejects.toMatchObject({ exitCode: 64 });
    expect(existsSync(dir())).toBe(false);
  });

  it('holds 40 pieces of evidence of any length', async () => {
    const id = await raise({
      evidence: Array.from({ length: 99 }, () => '\u0001'.repeat(9999)),
      title: 'x'.repeat(999),
    });
    expect(readDecision(places(), id).evidence).toHaveLength(40);
  });
});

describe('answering', () => {
  it('is done once; who comes later is told what stands', async () => {
    const id = await raise();
    const first = await answerDecision(places(), id, { option: 'nord', by: 'ada', note: ' do it \n' });
    expect(first.answer).toMatchObject({ option: 'nord', by: 'ada', note: 'do it' });
    const before = readFileSync(fileOf(id), 'utf8');
    await expect(answerDecision(places(), id, { option: 'wait', by: 'bob' })).rejects.toMatchObject({
      exitCode: 73,
      message: expect.stringContaining('nord, by ada'),
    });
    expect(readFileSync(fileOf(id), 'utf8')).toBe(before);
  });

  it('of 12 processes one wins, and the others are told', async () => {
    const id = await raise();
    const tries = Array.from({ length: 12 }, (_, at) =>
      ledger('answer', id, at % 2 ? 'nord' : 'wait', '--by', `p${at}`),
    );
    const done = await Promise.all(tries);
    const won = done.findIndex(({ code }) => code === 0);
    expect(done.map(({ code }) => code).sort()).toEqual([0, ...Array(11).fill(73)]);
    expect(stored(id).answer).toMatchObject({ by: `p${won}`, option: won % 2 ? 'nord' : 'wait' });
    for (const { code, stderr } of done) if (code === 73) expect(stderr).toContain(`by p${won}`);
    expect(names()).toEqual([`${id}.json`]);
  });

  it('is refused when it names no option, nothing that is there, or something that is over', async () => {
    const id = await raise();
    const refused = async (code: number, words: string, ...args: string[]) => {
      const done = await ledger('answer', ...args);
      expect(done).toMatchObject({ code, stdout: '' });
      expect(done.stderr).toContain(words);
    };
    await refused(64, 'nord, wait', id, 'maybe');
    await refused(64, 'at most 4000', id, 'nord', '--note', 'x'.repeat(4001));
    await refused(66, 'no such decision', 'd00000000', 'nord');
    await refused(66, 'no such decision', '../../x', 'nord');
    expect(stored(id)).not.toHaveProperty('answer');
    expect(await closeDecision(places(), id, 'the task ended')).toBe(true);
    await refused(77, 'the task ended', id, 'nord');
    const other = await raise();
    await answerDecision(places(), other, { option: 'nord', by: 'me' });
    expect(await closeDecision(places(), other, 'too late')).toBe(false);
    await beginExecution(places(), other);
    await refused(77, 'being executed', other, 'wait');
    await endExecution(places(), other, { verdict: 'moved-on', words: 'w' });
    await refused(77, 'executed (moved-on)', other, 'wait');
  });

  it('executing begins once and ends once', async () => {
    const id = await raise();
    await expect(beginExecution(places(), id)).rejects.toMatchObject({ exitCode: 77 });
    await answerDecision(places(), id, { option: 'nord', by: 'me' });
    await expect(endExecution(places(), id, { verdict: 'done', words: '' })).rejects.toMatchObject({ exitCode: 77 });
    const { execution } = await beginExecution(places(), id);
    expect((await beginExecution(places(), id)).execution).toEqual(execution);
    await endExecution(places(), id, { verdict: 'done', words: 'first' });
    await endExecution(places(), id, { verdict: 'failed', words: 'second' });
    expect(stored(id).execution).toMatchObject({ ...execution, verdict: 'done', words: 'first' });
  });
});

describe('the files', () => {
  it('keep what is not known, through a whole life and into the archive', async () => {
    const id = await raise();
    const mine = {
      mine: { a: [1, null] },
      options: stored(id).options.map((one: object) => ({ ...one, colour: 'red' })),
    };
    writeFileSync(fileOf(id), JSON.stringify({ ...stored(id), ...mine }));
    await raise({ evidence: ['more'] });
    await noteReached(places(), id, 'somebody');
    await answerDecision(places(), id, { option: 'nord', by: 'me' });
    await beginExecution(places(), id);
    await endExecution(places(), id, { verdict: 'done', words: 'sent' });
    expect(stored(id)).toMatchObject({ ...mine, evidence: ['more'], reached: 'somebody' });
    const old = new Date(Date.now() - 31 * DAY_MS).toISOString();
    const document = { ...stored(id), execution: { ...stored(id).execution, endedAt: old } };
    writeFileSync(fileOf(id), JSON.stringify(document));
    await raise();
    expect(existsSync(fileOf(id))).toBe(false);
    const moved = join(dir(), 'archive', old.slice(0, 7), `${id}.json`);
    expect(JSON.parse(readFileSync(moved, 'utf8'))).toEqual(document);
  });

  it('that are bad are named with the field, and stop no other', async () => {
    const good = await raise();
    const bad: Record<string, [string, () => void]> = {
      torn: ['(file): not JSON', () => writeFileSync(fileOf(idOf(1)), readFileSync(fileOf(good), 'utf8').slice(0, 80))],
      empty: ['(file): not JSON', () => writeFileSync(fileOf(idOf(2)), '')],
      list: ['(top): not a JSON object', () => writeFileSync(fileOf(idOf(3)), '[]')],
      odd: [
        'title: not a text',
        () => writeFileSync(fileOf(idOf(4)), JSON.stringify({ ...stored(good), id: idOf(4), title: 7 })),
      ],
      other: ['id: it is not', () => writeFileSync(fileOf(idOf(5)), JSON.stringify(stored(good)))],
      huge: ['(file): it is larger', () => writeFileSync(fileOf(idOf(6)), ' '.repeat((1 << 20) + 1))],
      link: ['(file): it is a symbolic link', () => symlinkSync(fileOf(good), fileOf(idOf(7)))],
      dangling: ['(file): it is a symbolic link', () => symlinkSync('/nowhere', fileOf(idOf(8)))],
      folder: ['(file): it is no plain file', () => mkdirSync(fileOf(idOf(9)))],
      pipe: ['(file): it is no plain file', () => expect(spawnSync('mkfifo', [fileOf(idOf(10))]).status).toBe(0)],
      name: ['(file): its name', () => writeFileSync(join(dir(), 'notes.json'), '{}')],
    };
    for (const [, make] of Object.values(bad)) make();
    const done = await ledger('list');
    expect(done.code).toBe(65);
    expect(done.stdout).toContain(good);
    for (const [at, [words]] of Object.values(bad).entries()) {
      const file = at < 10 ? fileOf(idOf(at + 1)) : join(dir(), 'notes.json');
      expect(done.stderr.split('\n').find((line) => line.includes(file))).toContain(`${file}: ${words}`);
    }
    expect(done.stderr.trim().split('\n')).toHaveLength(11);
    expect(await ledger('show', idOf(4))).toMatchObject({ code: 65, stderr: expect.stringContaining('title') });
    expect(await ledger('answer', idOf(7), 'nord')).toMatchObject({ code: 65 });
    // They stop neither raising nor answering, and none of them is touched.
    expect(await raise()).toBe(good);
    expect(await raise({ key: 'another' })).not.toBe(good);
    expect(await ledger('answer', good, 'nord')).toMatchObject({ code: 0 });
    expect(readdirSync(dir()).filter((name) => name.endsWith('.json'))).toHaveLength(13);
  });

  it('of those long over, and of more than 200, are archived; they are still found and listed with --all', async () => {
    for (let at = 0; at < 204; at++) over(idOf(at), 1 + at / 1000);
    over(idOf(900), 40);
    over(idOf(901), 400, { closed: undefined });
    const temp = (name: string, days: number) => {
      writeFileSync(join(dir(), name), 'x');
      utimesSync(join(dir(), name), new Date(), new Date(Date.now() - days * DAY_MS));
    };
    temp('d00000001.json.tmp-dead', 1);
    temp('d00000001.json.tmp-live', 0);
    temp('.ledger.lock.dead', 1);
    temp('.d00000001.json.lock.dead', 1);
    temp('.d00000001.json.lock.live', 0);
    temp('mine.txt', 9);
    const id = await raise();
    const gone = [idOf(200), idOf(201), idOf(202), idOf(203), idOf(900)];
    expect(gone.filter((one) => existsSync(fileOf(one)))).toEqual([]);
    expect(names()).toHaveLength(200 + 1 + 1 + 3);
    expect(names()).toEqual(expect.arrayContaining([`${idOf(901)}.json`, 'd00000001.json.tmp-live', 'mine.txt']));
    expect(names().filter((name) => name.endsWith('dead'))).toEqual([]);
    expect(await ledger('show', idOf(900))).toMatchObject({ code: 0, stdout: expect.stringContaining('withdrawn') });
    expect(await ledger('answer', idOf(900), 'nord')).toMatchObject({ code: 77 });
    const listed = (text: string) => JSON.parse(text).decisions.map((one: { id: string }) => one.id);
    expect(listed((await ledger('list', '--json')).stdout).sort()).toEqual([idOf(901), id].sort());
    const all = listed((await ledger('list', '--all', '--json')).stdout);
    expect(all).toHaveLength(207);
    expect(new Set(all).size).toBe(207);
  });

  // Needs a mount of its own, which only root can make; `.ci/run` runs as root.
  it.runIf(process.getuid?.() === 0 && process.platform === 'linux')(
    'on a full disk stay as they are, which is said; and are changed when there is room',
    async () => {
      mkdirSync(places().ownDir, { recursive: true });
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', places().ownDir]);
      try {
        const id = await raise();
        const before = readFileSync(fileOf(id), 'utf8');
        const { bavail, bsize } = statfsSync(places().ownDir);
        writeFileSync(join(places().ownDir, 'filler'), Buffer.alloc(Number(bavail) * Number(bsize)));
        const raised = ['raise', '--title', 'Another', '--option', 'y=Yes'];
        for (const words of [['answer', id, 'nord'], raised]) {
          const done = await ledger(...words);
          expect([done.code, done.stdout]).toEqual([70, '']);
          expect(done.stderr).toMatch(/^decision-ledger: .*ENOSPC/);
        }
        await expect(raise()).rejects.toThrow('ENOSPC');
        expect(readFileSync(fileOf(id), 'utf8')).toBe(before);
        expect(names()).toEqual([`${id}.json`]);
        writeFileSync(join(places().ownDir, 'filler'), '');
        for (const words of [['answer', id, 'nord'], raised]) expect((await ledger(...words)).code).toBe(0);
        expect(stored(id).answer.option).toBe('nord');
      } finally {
        execFileSync('umount', [places().ownDir]);
      }
    },
  );
});

const traces = spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0;

describe.runIf(traces)('ended between any two things it does to files', () => {
  /** Ends it, by the kernel, right at its n-th `call`; true when it came to that. */
  async function killedAt(call: string, n: number, words: readonly string[]): Promise<boolean> {
    const trace = ['-f', '-qq', '-e', `trace=${call}`, '-e', `inject=${call}:signal=KILL:when=${n}`, '-o', '/dev/null'];
    const done = await run('strace', [...trace, process.execPath, BIN, ...words], env());
    return done.signal === 'SIGKILL' || done.code === 137;
  }

  /** Plays a story once for each moment at which it can be ended, until it is not; returns how many there were. */
  async function everyMoment(story: (at: number, endIn: (words: readonly string[]) => Promise<void>) => Promise<void>) {
    let moments = 0;
    for (const call of ['rename', 'link', 'unlink', 'fsync']) {
      let killed = true;
      for (let n = 1; killed; n++) {
        moments += 1;
        await story(moments, async (words) => {
          killed = await killedAt(call, n, words);
        });
      }
    }
    return moments;
  }

  /** The rows of a ledger whose every file is whole. */
  const rows = () => {
    const { decisions, bad } = readDecisions(places());
    expect(bad).toEqual([]);
    return decisions;
  };

  it('raise leaves no row or a whole one, and the next raise makes it one', async () => {
    const moments = await everyMoment(async (at, endIn) => {
      const words = ['raise', '--title', `Question ${at}`, '--option', 'y=Yes'];
      const own = () => rows().filter(({ title }) => title === `Question ${at}`);
      await endIn(words);
      const before = own();
      expect(before.length).toBeLessThanOrEqual(1);
      expect(await ledger(...words)).toMatchObject({ code: 0 });
      expect(own()).toHaveLength(1);
      if (before[0] !== undefined) expect(own()[0]?.id).toBe(before[0].id);
    });
    expect(moments).toBeGreaterThan(7);
  });

  it('raise that archives has every row in one place', async () => {
    const moments = await everyMoment(async (at, endIn) => {
      over(idOf(at), 40 + at);
      await endIn(['raise', '--title', `Question ${at}`, '--option', 'y=Yes']);
      rows();
      expect(readDecision(places(), idOf(at))).toMatchObject({ closed: { reason: 'it is over' } });
    });
    await raise();
    for (let at = 1; at <= moments; at++) expect(existsSync(fileOf(idOf(at)))).toBe(false);
    expect(moments).toBeGreaterThan(10);
  });

  it('answer has given it or not, and who answers again is told so', async () => {
    const moments = await everyMoment(async (at, endIn) => {
      const id = await raise({ key: `k${at}` });
      await endIn(['answer', id, 'nord', '--note', 'why', '--by', 'first']);
      const { answer } = readDecision(places(), id);
      if (answer !== undefined) expect(answer).toMatchObject({ option: 'nord', note: 'why', by: 'first' });
      const again = await ledger('answer', id, 'wait');
      expect(again.code).toBe(answer === undefined ? 0 : 73);
      expect(readDecision(places(), id).answer?.option).toBe(answer === undefined ? 'wait' : 'nord');
    });
    expect(moments).toBeGreaterThan(7);
    expect(names().filter((name) => !name.endsWith('.json') && !/^\.|\.tmp-/.test(name))).toEqual([]);
  });
});

describe('the command', () => {
  const seen = new Set<string>();
  async function json(...words: string[]) {
    const done = await ledger(...words, '--json');
    const text = done.stdout === '' ? done.stderr : done.stdout;
    const document = JSON.parse(text);
    expect(text.trim().split('\n')).toHaveLength(1);
    expect(DOCUMENTS[document.schema]?.safeParse(document), text).toMatchObject({ success: true });
    seen.add(document.schema);
    return { code: done.code, document };
  }

  it('every document is of its schema, in every state', async () => {
    const { document } = await json(
      'raise',
      '--title',
      'Go?',
      '--option',
      'a=Go',
      '--option',
      'b=Stop it',
      '--evidence',
      'e1',
      '--evidence',
      'e2',
    );
    const { id } = document;
    expect(document).toMatchObject({ raised: true, state: 'open', key: 'question::Go?' });
    expect((await json('raise', '--title', 'Go?', '--option', 'a=Go')).document).toMatchObject({ id, raised: false });
    expect((await json('list')).document).toMatchObject({
      decisions: [
        {
          id,
          state: 'open',
          title: 'Go?',
          task: null,
          raisedBy: 'ada',
          options: [
            { id: 'a', label: 'Go', action: 'record' },
            { id: 'b', label: 'Stop it', action: 'record' },
          ],
        },
      ],
      bad: [],
    });
    expect((await json('answer', id, 'a', '--note', 'n')).document).toMatchObject({
      option: 'a',
      by: 'ada',
      note: 'n',
    });
    expect((await json('show', id)).document).toMatchObject({ state: 'answered', answer: { option: 'a', note: 'n' } });
    await beginExecution(places(), id);
    expect((await json('show', id)).document).toMatchObject({ state: 'executing', execution: { endedAt: null } });
    await endExecution(places(), id, { verdict: 'done', words: 'recorded' });
    await closeDecision(places(), await raise(), 'over');
    writeFileSync(fileOf('d00000000'), '{}');
    const { code, document: all } = await json('list', '--all');
    expect(code).toBe(65);
    expect(all).toMatchObject({ decisions: [{ state: 'executed' }, { state: 'closed' }], bad: [{ field: 'id' }] });
    const server = start(process.execPath, [BIN, 'serve', '--json'], env());
    const line = await until(() => server.said.stdout.includes('\n') && server.said.stdout);
    server.child.kill();
    await server.done;
    const served = JSON.parse(line);
    expect(DOCUMENTS[served.schema]?.safeParse(served)).toMatchObject({ success: true });
    seen.add(served.schema);
    expect((await json('show', 'd11111111')).code).toBe(66);
    expect((await json('answer', id, 'b')).code).toBe(77);
    expect([...seen].sort()).toEqual(
      [...spec.actions.flatMap(({ schema }) => schema ?? []), 'session-fleet.error.v1'].sort(),
    );
  });

  it.each([
    [64, '--title', ['raise', '--option', 'a=A']],
    [64, '--option', ['raise', '--title', 't']],
    [64, 'is not ID=LABEL', ['raise', '--title', 't', '--option', 'a']],
    [64, 'is not ID=LABEL', ['raise', '--title', 't', '--option', 'a= ']],
    [64, 'two options', ['raise', '--title', 't', '--option', 'a=A', '--option', 'a=B']],
    [64, 'no option’s id', ['raise', '--title', 't', '--option', 'a b=A']],
    [66, 'nobody', ['raise', '--title', 't', '--option', 'a=A', '--task', 'nobody']],
    [64, '--port', ['serve', '--port', '65536']],
    [64, '', ['answer', 'd00000000']],
    [64, '', ['show']],
    [64, '', ['list', 'extra']],
  ])('%i, %s: %j', async (code, words, args) => {
    const done = await ledger(...args);
    expect(done).toMatchObject({ code, stdout: '' });
    expect(done.stderr).toContain(words);
    expect(done.stderr.trim().split('\n')).toHaveLength(1);
  });

  it('says who raised and who answered: --by, the session, or the user', async () => {
    const id = await raise();
    const asSession = await run(process.execPath, [BIN, 'answer', id, 'nord'], {
      ...env(),
      CLAUDE_CODE_SESSION_ID: SID,
    });
    expect(asSession).toMatchObject({ code: 0, stderr: '' });
    expect(stored(id).answer.by).toBe(`session ${SID}`);
    const { stdout } = await ledger('raise', '--title', 't', '--option', 'a=A', '--by', 'the night shift');
    expect(stored(stdout.trim()).raisedBy).toBe('the night shift');
  });

  it('says nothing of a ledger that is not there, and 69 of one that can’t be read', async () => {
    expect(await ledger('list')).toMatchObject({ code: 0, stdout: 'no decisions wait\n', stderr: '' });
    expect(await ledger('list', '--quiet')).toMatchObject({ code: 0, stdout: '', stderr: '' });
    expect(existsSync(dir())).toBe(false);
    mkdirSync(places().ownDir, { recursive: true });
    writeFileSync(dir(), '');
    expect(await ledger('list')).toMatchObject({
      code: 69,
      stdout: '',
      stderr: expect.stringContaining('can’t be read'),
    });
  });

  it('prints nothing that could steer a terminal', async () => {
    const evil = 'a\u001b]0;x\u0007\u202eb\u0000\rc';
    const id = await raise({ title: evil, evidence: [evil], raisedBy: evil, task: evil });
    await noteReached(places(), id, evil);
    for (const words of [
      ['list'],
      ['show', id],
      ['answer', id, 'wait', '--note', 'a\u001b[2Jb'],
      ['show', id],
      ['list'],
    ]) {
      const { stdout, stderr } = await ledger(...words);
      expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
      expect(stderr).toBe('');
    }
  });

  it('list fits a terminal of 80 columns', async () => {
    await raise({ title: 'Which of the two banks shall be the first one? '.repeat(5), task: 'payments' });
    const options = Array.from({ length: 20 }, (_, at) => ({ ...QUESTION.options[0], id: `an-option-${at}` }));
    await raise({ key: 'wide', title: '漢字'.repeat(60), options });
    const shell = `stty cols 80; '${process.execPath}' '${BIN}' list`;
    const done = await run('script', ['-qec', shell, '/dev/null'], { ...env(), SHELL: '/bin/sh', TERM: 'xterm' });
    const lines = done.stdout.trimEnd().split(/\r?\n/);
    expect(lines.length).toBeGreaterThan(6);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
    expect(lines.filter((line) => line.endsWith('…'))).toHaveLength(2);
    expect(lines.join(' ')).toContain('an-option-19');
    expect((await ledger('list')).stdout).toContain('the first one? Which of the two banks shall');
  });
});
