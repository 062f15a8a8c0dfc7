import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRoster } from '../../src/lib/observe/roster-rows.ts';

const SID = '7b6a75ce-4d13-4fd3-9f0a-03291e1657ff';
const row = (fields: object) =>
  JSON.stringify([{ kind: 'interactive', pid: 7, sessionId: SID, status: 'idle', ...fields }]);

describe('what is no roster', () => {
  it.each([
    ['empty output', ''],
    ['white space', ' \n'],
    ['garbage', 'Error: no'],
    ['a torn document', '[{"pid": 12, "sess'],
    ['an object', '{"sessions": []}'],
    ['a list of sub-agents (agent view disabled)', '[{"agentType":"Explore","source":"built-in"}]'],
    ['a list of words', '["a"]'],
    ['null', 'null'],
  ])('%s', (_, text) => expect(parseRoster(text).ok).toBe(false));

  it('more rows than a machine can have', () => {
    expect(parseRoster(JSON.stringify(Array.from({ length: 20_001 }, () => ({ pid: 1 })))).ok).toBe(false);
  });
});

describe('rows', () => {
  it('an empty array is an answer: no session', () => expect(parseRoster('[]')).toEqual({ ok: true, value: [] }));

  it.each([
    ['a pid that is no pid', { pid: -1 }, 'pid'],
    ['a pid as text', { pid: '12' }, 'pid'],
    ['a session id that is a path', { sessionId: '../../x' }, 'sessionId'],
    ['a status that is a number', { status: 3 }, 'status'],
    ['a start that is no number', { startedAt: 'yesterday' }, 'startedAt'],
  ])('%s is absent', (_, fields, name) => {
    const parsed = parseRoster(row(fields));
    expect(parsed.ok && parsed.value[0]).not.toHaveProperty(name);
  });

  it('keeps unknown statuses and states as words, and unknown kinds as unknown', () => {
    const parsed = parseRoster(row({ kind: 'cloud', status: 'dreaming', state: 'blocked' }));
    expect(parsed.ok && parsed.value[0]).toMatchObject({ kind: 'unknown', status: 'dreaming', state: 'blocked' });
  });

  it('never throws, whatever the JSON', () => {
    fc.assert(fc.property(fc.json(), (text) => void parseRoster(text)));
    fc.assert(
      fc.property(
        fc.array(fc.dictionary(fc.constantFrom('pid', 'id', 'sessionId', 'kind', 'status', 'name'), fc.jsonValue())),
        (rows) => {
          const parsed = parseRoster(JSON.stringify(rows));
          if (!parsed.ok) return;
          for (const one of parsed.value) {
            if (one.pid !== undefined) expect(one.pid).toBeGreaterThan(0);
            if (one.sessionId !== undefined) expect(one.sessionId).toMatch(/^[0-9a-f-]{36}$/);
          }
        },
      ),
    );
  });
});
