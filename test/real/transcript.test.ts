import { mkdirSync, realpathSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { silenceOf } from '../../src/lib/observe/silence.ts';
import { queuedIn, readTranscript } from '../../src/lib/observe/transcript.ts';
import { projectSlug } from '../../src/lib/observe/transcript-places.ts';
import { tempFolder } from '../support/script.ts';

const SID = '7b6a75ce-4d13-4fd3-9f0a-03291e1657ff';
const OTHER = '00000000-4d13-4fd3-9f0a-03291e1657ff';
const folder = tempFolder();
afterAll(folder.remove);
let made = 0;
const line = (fields: object) => `${JSON.stringify(fields)}\n`;

/** A config dir with transcripts: path below projects/ → text. */
function config(files: Record<string, string>): string {
  const dir = join(folder.path, `claude-${made++}`);
  for (const [name, text] of Object.entries(files)) {
    const file = join(dir, 'projects', name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  return dir;
}

describe('where a transcript is', () => {
  it('follows the slug rule', () => {
    expect(projectSlug('/tmp/my_proj.v2 ünï')).toBe('-tmp-my-proj-v2--n-');
    fc.assert(fc.property(fc.string(), (cwd) => /^[A-Za-z0-9-]*$/.test(projectSlug(cwd))));
  });

  it('is by the real path of the folder', () => {
    const real = join(folder.path, 'real_dir');
    const link = join(folder.path, 'link');
    mkdirSync(real);
    symlinkSync(real, link);
    const dir = config({ [`${projectSlug(realpathSync(real))}/${SID}.jsonl`]: line({ sessionId: SID }) });
    expect(readTranscript(dir, SID, link)).toMatchObject({ kind: 'found' });
  });

  it('is found in a folder of another name too: a slug over 200 characters, a session that moved', () => {
    const dir = config({
      [`-long-and-a-hash-1x2y/${SID}.jsonl`]: line({ sessionId: SID }),
      [`-other/${OTHER}.jsonl`]: line({ sessionId: OTHER }),
    });
    expect(readTranscript(dir, SID, `/${'x'.repeat(300)}`)).toMatchObject({ kind: 'found' });
    expect(readTranscript(dir, SID)).toMatchObject({ kind: 'found' });
  });

  it('is none, or not to be known, rather than a guess', () => {
    const dir = config({ [`-a/${SID}.jsonl`]: line({ sessionId: OTHER }), [`-b/${OTHER}.jsonl`]: '' });
    expect(readTranscript(dir, '11111111-4d13-4fd3-9f0a-03291e1657ff')).toEqual({ kind: 'none' });
    expect(readTranscript(dir, SID)).toMatchObject({ kind: 'unknown' });
    expect(readTranscript(dir, '../../../etc/passwd')).toEqual({ kind: 'none' });
    expect(readTranscript(join(dir, 'nowhere'), SID)).toEqual({ kind: 'none' });
  });

  it('two of them, of which one is a copy of another’s: the one that names the session', () => {
    const dir = config({
      [`-a/${SID}.jsonl`]: line({ sessionId: OTHER }),
      [`-b/${SID}.jsonl`]: line({ sessionId: OTHER }) + line({ sessionId: SID }),
    });
    expect(readTranscript(dir, SID)).toMatchObject({ kind: 'found', file: expect.stringContaining('-b') });
    const copies = config({
      [`-a/${SID}.jsonl`]: line({ sessionId: SID }),
      [`-b/${SID}.jsonl`]: line({ sessionId: SID }),
    });
    expect(readTranscript(copies, SID)).toMatchObject({ kind: 'unknown' });
  });
});

describe('how long it has been silent', () => {
  const session = (cwd: string) => ({
    pid: 1,
    procStart: 's',
    listed: true,
    kind: 'background' as const,
    sessionId: SID,
    cwd,
    rssBytes: 0,
  });
  const age = (file: string, ms: number) => utimesSync(file, new Date(), new Date(Date.now() - ms));

  it('counts its sub-agents’ writes, however deep', () => {
    const dir = config({
      [`-w/${SID}.jsonl`]: line({ sessionId: SID }),
      [`-w/${SID}/subagents/agent-1.jsonl`]: '{}',
      [`-w/${SID}/subagents/deep/agent-2.jsonl`]: '{}',
    });
    const at = (name: string) => join(dir, 'projects', '-w', name);
    age(at(`${SID}.jsonl`), 100 * 3_600_000);
    age(at(`${SID}/subagents/agent-1.jsonl`), 90 * 3_600_000);
    age(at(`${SID}/subagents/deep/agent-2.jsonl`), 3_600_000);
    const silence = silenceOf(session('/w'), dir, Date.now());
    expect(silence.ok && Math.round(silence.idleMs / 3_600_000)).toBe(1);
  });

  it('can’t be told of a write in the future', () => {
    const dir = config({ [`-w/${SID}.jsonl`]: '' });
    age(join(dir, 'projects', '-w', `${SID}.jsonl`), -3_600_000);
    expect(silenceOf(session('/w'), dir, Date.now())).toMatchObject({ ok: false });
  });

  it('costs a stat and two pieces of a 355 MB transcript', () => {
    const dir = config({ [`-w/${SID}.jsonl`]: line({ sessionId: SID }) });
    const file = join(dir, 'projects', '-w', `${SID}.jsonl`);
    truncateSync(file, 355 << 20);
    const before = process.resourceUsage().maxRSS;
    expect(readTranscript(dir, SID, '/w')).toMatchObject({ kind: 'found', bytes: 355 << 20 });
    expect(process.resourceUsage().maxRSS - before).toBeLessThan(50_000);
  });
});

describe('the queue, by the end of the transcript', () => {
  const op = (operation: string) => line({ type: 'queue-operation', operation });
  it.each([
    ['nothing said', line({ type: 'user' }), 0],
    ['put in and taken', op('enqueue') + op('dequeue'), 0],
    ['two put in, one taken', op('enqueue') + op('enqueue') + op('dequeue'), 1],
    ['taken what was put in before the piece we read', op('dequeue') + op('enqueue'), 1],
    ['removed', op('enqueue') + op('remove'), 0],
    ['all popped', op('enqueue') + op('enqueue') + op('popAll'), 0],
    ['an operation of a newer version', op('enqueue') + op('reorder'), undefined],
    ['a torn first line', `ue"}\n${op('enqueue')}`, 1],
  ])('%s: %s', (_, text, queued) => expect(queuedIn(text)).toBe(queued));

  it('is seen behind a record of state as long as they come, and is untold when one record hides it all', () => {
    const state = (bytes: number) => line({ type: 'attachment', text: 'x'.repeat(bytes) });
    const queuedBehind = (bytes: number) =>
      readTranscript(
        config({ [`-w/${SID}.jsonl`]: `${line({ type: 'user', sessionId: SID })}${op('enqueue')}${state(bytes)}` }),
        SID,
        '/w',
      );
    expect(queuedBehind(80 << 10)).toMatchObject({ queued: 1 });
    expect(queuedBehind(2 << 20)).toMatchObject({ queued: undefined });
  });
});
