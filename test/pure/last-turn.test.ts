import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lastTurnIn } from '../../src/lib/observe/last-turn.ts';

const FOLDER = join(import.meta.dirname, '../fixtures/transcripts');

/** The lines of a recorded tail of the real binary's. */
function recorded(name: string): string[] {
  return readFileSync(join(FOLDER, `${name}.jsonl`), 'utf8').split('\n');
}

const line = (record: object) => JSON.stringify(record);
const said = (text: string, fields: object = {}) =>
  line({ type: 'assistant', message: { model: 'claude-opus-5-5', content: [{ type: 'text', text }] }, ...fields });
const AT = '2026-10-08T10:00:00.000Z';

/** An error of the API, as older versions wrote it: with words alone. */
const failed = (text: string, fields: object = {}) =>
  line({
    type: 'assistant',
    timestamp: AT,
    isApiErrorMessage: true,
    message: { model: '<synthetic>', content: [{ type: 'text', text }] },
    ...fields,
  });

describe('recorded tails', () => {
  const cases: Record<string, object> = {
    'auth-key': { kind: 'failed', cause: 'auth', words: 'Invalid API key · Fix external API key' },
    'auth-login': { kind: 'failed', cause: 'auth', words: 'OAuth token revoked · Please run /login' },
    'not-logged-in': { kind: 'failed', cause: 'auth', words: 'Not logged in · Please run /login' },
    'limit-5h': {
      kind: 'failed',
      cause: 'limit',
      words: expect.stringMatching(/^You've hit your 5-hour limit · resets/),
    },
    'limit-background': { kind: 'failed', cause: 'limit', resetsAt: expect.any(Number) },
    'limit-week': { kind: 'failed', cause: 'limit', words: expect.stringMatching(/^You've hit your weekly limit/) },
    credit: { kind: 'failed', cause: 'credit', words: 'Credit balance is too low' },
    overloaded: { kind: 'failed', cause: 'transient', words: expect.stringMatching(/^API Error: 529 Overloaded/) },
    broken: { kind: 'failed', cause: 'transient', words: expect.stringMatching(/^API Error: 500/) },
    'throttled-key': { kind: 'failed', cause: 'transient', words: expect.stringMatching(/Request rejected \(429\)/) },
    'throttled-login': { kind: 'failed', cause: 'transient', words: expect.stringMatching(/not your usage limit/) },
    recovered: { kind: 'answered' },
    'limit-continued': { kind: 'answered' },
    // Killed while it tried again, then resumed: "No response requested." is no answer.
    'killed-and-resumed': { kind: 'failed', cause: 'auth' },
    // It has not given up yet.
    retrying: { kind: 'none' },
  };
  it.each(Object.entries(cases))('%s', (name, expected) => {
    expect(lastTurnIn(recorded(name))).toMatchObject(expected);
  });

  it('is a table of all of them', () => {
    const names = readdirSync(FOLDER).filter((name) => name.endsWith('.jsonl'));
    expect(names.map((name) => name.slice(0, -6)).sort()).toEqual(Object.keys(cases).sort());
  });

  it('takes the reset from the record, to the second, and the time of the failure', () => {
    const last = lastTurnIn(recorded('limit-week'));
    if (last.kind !== 'failed') throw new Error('not failed');
    const shown = /"resetsAt":(\d+)/.exec(recorded('limit-week').join())?.[1];
    expect(last.resetsAt).toBe(Number(shown) * 1000);
    expect(last.at).toMatch(/^2026-11-30T22:/);
  });
});

describe('by words, where a version wrote no fields', () => {
  it.each<[string, string, string | undefined]>([
    ['Claude AI usage limit reached|1791460800', 'limit', '2026-10-08T12:00:00.000Z'],
    [
      'Claude usage limit reached. Your limit will reset at 3pm (America/Santiago).',
      'limit',
      '2026-10-08T18:00:00.000Z',
    ],
    ['5-hour limit reached ∙ resets 3pm', 'limit', undefined],
    ['Weekly limit reached ∙ resets Oct 9, 5pm (Europe/Berlin)', 'limit', '2026-10-09T15:00:00.000Z'],
    ["You've hit your limit · resets 3pm (Europe/Berlin)", 'limit', '2026-10-08T13:00:00.000Z'],
    ['You’ve hit your session limit · resets 11am (Europe/Berlin)', 'limit', '2026-10-09T09:00:00.000Z'],
    ["You've reached your Fable limit.", 'limit', undefined],
    ["You're out of extra usage · resets 9pm (UTC)", 'limit', '2026-10-08T21:00:00.000Z'],
    ['Credit balance is too low', 'credit', undefined],
    ["You're out of usage credits. /model to switch models.", 'credit', undefined],
    ['Invalid API key · Please run /login', 'auth', undefined],
    ['API Error: 401 {"type":"error","error":{"type":"authentication_error"}} · Please run /login', 'auth', undefined],
    ['OAuth token has expired · Please run /login', 'auth', undefined],
    ['Please run /login · API Error: 403', 'auth', undefined],
    ['API Error: Server is temporarily limiting requests (not your usage limit)', 'transient', undefined],
    ['API Error: Request rejected (429)', 'transient', undefined],
    ['API Error: 529 {"type":"error","error":{"type":"overloaded_error"}}', 'transient', undefined],
    ['Context limit reached · /compact or /clear to continue', 'transient', undefined],
    ['Prompt is too long', 'transient', undefined],
  ])('%s', (text, cause, resets) => {
    const last = lastTurnIn([failed(text)]);
    expect(last).toMatchObject({ kind: 'failed', cause, words: text, at: AT });
    const resetsAt = last.kind === 'failed' ? last.resetsAt : undefined;
    expect(resetsAt === undefined ? undefined : new Date(resetsAt).toISOString()).toBe(resets);
  });

  it('also without the mark, when claude itself said it; its filling is neither', () => {
    const synthetic = { model: '<synthetic>', content: 'Claude AI usage limit reached|1791460800' };
    expect(lastTurnIn([line({ type: 'assistant', timestamp: AT, message: synthetic })])).toMatchObject({
      cause: 'limit',
    });
    const filling = line({ type: 'assistant', message: { ...synthetic, content: 'No response requested.' } });
    expect(lastTurnIn([filling])).toEqual({ kind: 'none' });
    expect(lastTurnIn([failed('Not logged in'), filling])).toMatchObject({ cause: 'auth' });
  });
});

describe('fields before words', () => {
  const words = "You've hit your limit · resets 3pm (UTC)";
  it.each<[object, string]>([
    [{ error: 'server_error' }, 'transient'],
    [{ error: 'authentication_failed' }, 'auth'],
    [{ error: 'oauth_org_not_allowed' }, 'auth'],
    [{ error: 'billing_error' }, 'credit'],
    [{ error: 'rate_limit' }, 'limit'],
    [{ error: 'rate_limit', apiErrorIsTransient: true }, 'transient'],
    [{ error: 'rate_limit', apiError: 'model_requires_usage_credits' }, 'credit'],
    [{ error: 'invalid_request' }, 'transient'],
    [{ error: 'invalid_request', apiErrorStatus: 401 }, 'auth'],
    [{ error: 'invalid_request', apiErrorStatus: 403 }, 'auth'],
    [{ error: 'invalid_request', apiErrorStatus: 403, apiError: 'dlp_request_denied' }, 'transient'],
    [{ error: 'invalid_request', apiErrorStatus: 403, apiError: 'network_edge_blocked' }, 'transient'],
    [{ error: 'invalid_request', apiError: 'org_disabled_credential' }, 'auth'],
    [{ error: 'of a later version' }, 'transient'],
    [{ error: 'constructor', apiError: '__proto__' }, 'transient'],
  ])('%j', (fields, cause) => {
    expect(lastTurnIn([failed(words, fields)])).toMatchObject({ kind: 'failed', cause });
  });

  it('a rejected quota is a limit in whatever words; far into an error nobody looks', () => {
    const quotaLimits = { status: 'rejected', resetsAt: 1791460800, rateLimitType: 'five_hour' };
    const worded = failed('Your org is out of usage · contact your admin', { error: 'rate_limit', quotaLimits });
    expect(lastTurnIn([worded])).toMatchObject({ cause: 'limit', resetsAt: 1791460800000 });
    expect(lastTurnIn([failed(`${'x '.repeat(300)}usage limit reached`)])).toMatchObject({ cause: 'transient' });
  });

  it('a reset that is no plausible time is taken from the words; one under paid overage is none', () => {
    const quota = (more: object) =>
      failed(words, { error: 'rate_limit', quotaLimits: { status: 'rejected', ...more } });
    const byWords = { cause: 'limit', resetsAt: Date.parse('2026-10-08T15:00:00Z') };
    expect(lastTurnIn([quota({ resetsAt: 5 })])).toMatchObject(byWords);
    expect(lastTurnIn([quota({ resetsAt: 'soon' })])).toMatchObject(byWords);
    expect(lastTurnIn([quota({ resetsAt: 1791460800, isUsingOverage: true })])).not.toHaveProperty('resetsAt');
  });
});

describe('the last record that ends a turn decides', () => {
  const limit = failed("You've hit your limit");
  const later = [
    line({ type: 'user', message: { role: 'user', content: 'go on' } }),
    line({ type: 'queue-operation', operation: 'enqueue', content: 'mail' }),
    line({ type: 'system', subtype: 'api_error', error: { status: 401 } }),
    line({ type: 'last-prompt', lastPrompt: 'the assistant' }),
    said('working on it', { isSidechain: true }),
    '{"type":"assistant","message":{"content":"torn',
    '',
  ];

  it('messages, queue, state, a sub-agent and a torn line end no failure', () => {
    for (let count = 0; count <= later.length; count += 1) {
      expect(lastTurnIn([said('ok'), limit, ...later.slice(0, count)])).toMatchObject({ cause: 'limit' });
    }
  });

  it('an answer does, also one that only calls a tool', () => {
    const call = line({ type: 'assistant', message: { stop_reason: 'tool_use', content: [{ type: 'tool_use' }] } });
    expect(lastTurnIn([limit, ...later, said('ok'), ...later])).toEqual({ kind: 'answered' });
    expect(lastTurnIn([limit, call])).toEqual({ kind: 'answered' });
  });

  it('a sub-agent’s failure is not the session’s', () => {
    expect(lastTurnIn([said('ok'), failed('Not logged in', { isSidechain: true })])).toEqual({ kind: 'answered' });
  });
});

it('words of people, tools and the model never count', () => {
  const phrases = fc.constantFrom(
    'Claude AI usage limit reached|1791460800',
    "You've hit your limit · resets 3pm (UTC)",
    'Invalid API key · Please run /login',
    'Credit balance is too low',
    '"isApiErrorMessage":true,"error":"rate_limit"',
    'API Error: 401',
  );
  const content = fc.oneof(
    phrases,
    phrases.map((text) => [{ type: 'text', text }]),
    phrases.map((text) => [{ type: 'tool_result', content: text }]),
    phrases.map((text) => [{ type: 'tool_use', input: { command: failed(text) } }]),
  );
  const ordinary = fc.record({
    type: fc.constantFrom('user', 'assistant', 'attachment', 'queue-operation', 'system', 'last-prompt'),
    message: fc.record({ role: fc.constantFrom('user', 'assistant'), model: fc.constant('claude-opus-5-5'), content }),
    content: phrases,
    attachment: fc.record({ prompt: phrases }),
    toolUseResult: phrases.map((text) => failed(text)),
  });
  fc.assert(
    fc.property(fc.array(ordinary, { maxLength: 8 }), (records) => {
      expect(lastTurnIn(records.map(line)).kind).toMatch(/^(answered|none)$/);
    }),
  );
});

it('whatever the lines hold, there is an answer, of one short printable line', () => {
  const anything = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.json(),
    fc.json().map((json) => `{"type":"assistant","isApiErrorMessage":true,"timestamp":${json},"message":${json}}`),
    fc.json().map((json) => `{"type":"assistant","isApiErrorMessage":true,"error":${json},"quotaLimits":${json}}`),
    fc
      .record({ text: fc.string({ unit: 'binary' }), at: fc.string() })
      .map(({ text, at }) => failed(text, { timestamp: at })),
  );
  fc.assert(
    fc.property(fc.array(anything, { maxLength: 6 }), (lines) => {
      const last = lastTurnIn(lines);
      if (last.kind !== 'failed') return;
      expect(last.words.length).toBeLessThanOrEqual(160);
      expect(last.words).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
      expect(last.at ?? AT).toMatch(/^[+-]?\d{4,6}-\d\d-\d\dT[\d:.]+Z$/);
    }),
    { numRuns: 500 },
  );
});
