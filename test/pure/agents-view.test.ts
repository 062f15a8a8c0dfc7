import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { showsAgentsList } from '../../src/lib/observe/screen/agents-view.ts';

const folder = join(import.meta.dirname, '..', 'fixtures', 'screens');
const recorded = readdirSync(folder).filter((name) => name.endsWith('.json'));

it.each(recorded)('%s', (name) => {
  const list = /^agents-.*agents-view\.\d+x\d+\.json$/.test(name);
  expect(showsAgentsList(JSON.parse(readFileSync(join(folder, name), 'utf8')).ansi)).toBe(list);
});

it('recorded both', () => {
  expect(recorded.some((name) => name.startsWith('attached.'))).toBe(true);
  expect(recorded.some((name) => name.startsWith('agents-'))).toBe(true);
});
