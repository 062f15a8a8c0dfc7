import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { generatedFiles, SPECS } from '../../scripts/generate/all.ts';
import { parseWords } from '../../src/lib/cli/parse.ts';
import { COMMON_OPTIONS } from '../../src/lib/cli/spec.ts';
import { EXIT } from '../../src/lib/errors.ts';
import { DOCUMENTS } from '../../src/schemas/documents.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

it.each([...generatedFiles(manifest.version)])(
  '%s stands as it is generated (else: npm run generate)',
  (name, content) => {
    expect(readFileSync(join(ROOT, name), 'utf8')).toBe(content);
  },
);

it('every command has a launcher, and npm finds its man page', () => {
  expect(Object.keys(manifest.bin).sort()).toEqual(SPECS.map(({ name }) => name).sort());
  expect(manifest.man.sort()).toEqual(SPECS.map(({ name }) => `man/${name}.1`).sort());
});

describe.each(
  SPECS.flatMap((spec) => spec.actions.map((action) => [`${spec.name} ${action.name}`.trim(), spec, action] as const)),
)('%s', (_, spec, action) => {
  const help = parseWords(spec, [...(action.name === '' ? [] : [action.name]), '--help'], '0');

  it('says in its help what it takes, how it is used and how it ends', () => {
    const text = help.kind === 'print' ? help.text : '';
    for (const { long } of [...action.options, ...COMMON_OPTIONS]) expect(text).toContain(`--${long}`);
    for (const { name } of action.args) expect(text).toContain(name);
    for (const code of Object.keys(action.exits)) expect(text).toMatch(new RegExp(`^  ${code} `, 'm'));
    expect(text).toContain('examples:');
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(180);
  });

  it('ends only with codes of the one table', () => {
    const codes: number[] = Object.values(EXIT);
    for (const code of Object.keys(action.exits)) expect(codes).toContain(Number(code));
  });

  it('prints a document that is published', () => {
    if (action.schema !== undefined) expect(Object.keys(DOCUMENTS)).toContain(action.schema);
  });
});

describe('words', () => {
  const [cap, exit] = SPECS;
  if (cap === undefined || exit === undefined) throw new Error('specs');
  const parsed = (words: string[]) => parseWords(cap, words, '0');

  it('are parsed to their types', () => {
    expect(
      parsed(['admit', '--for', 'x', '--ttl', '90s', '--max', '3', '--memory-floor', '5%', '--json']),
    ).toMatchObject({
      kind: 'run',
      action: { name: 'admit' },
      invocation: { options: { for: 'x', ttl: 90_000, max: 3, memoryFloor: 0.05 }, json: true, quiet: false },
    });
    expect(parsed(['run', '--for', 'x', '--', 'claude', '--bg', '-x', 'a b'])).toMatchObject({
      invocation: { args: ['claude', '--bg', '-x', 'a b'], options: { for: 'x' } },
    });
    expect(parseWords(exit, ['abc', '--wait', '5s', '--dry-run'], '0')).toMatchObject({
      invocation: { args: ['abc'], options: { wait: 5000, dryRun: true } },
    });
  });

  it.each([
    [[]],
    [['frob']],
    [['admit', '--ttl', '90']],
    [['admit', '--max', '-1']],
    [['admit', '--memory-floor', '0.1']],
    [['admit', '--frob']],
    [['admit', 'extra']],
    [['release']],
    [['run', '--for', 'x']],
    [['report', '--html', '']],
  ])('%j is a usage error in one line', (words) => {
    expect(() => parsed(words)).toThrow(
      expect.objectContaining({ exitCode: 64, message: expect.not.stringContaining('\n') }),
    );
  });

  it('version and help end well', () => {
    expect(parsed(['--version'])).toEqual({ kind: 'print', text: '0\n' });
    expect(parsed(['--help'])).toMatchObject({
      kind: 'print',
      text: expect.stringContaining('session-cap COMMAND --help'),
    });
  });
});
