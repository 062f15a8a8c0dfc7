import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { listed, listText } from '../../src/actions/decision-list-text.ts';
import {
  type DecisionEvent,
  type DecisionState,
  isOver,
  STEPS,
  standingWords,
  stateOf,
} from '../../src/lib/decide/decision-state.ts';
import { decidePageRequest, FORM_LIMIT_BYTES, type PageRequest } from '../../src/lib/decide/page-request.ts';
import { decisionPage } from '../../src/lib/ledger-page/page.ts';
import { type Decision, parseDecision } from '../../src/lib/store/decision-schema.ts';
import { newDecision } from '../../src/lib/store/new-decision.ts';
import { columnsOf } from '../../src/lib/words/columns.ts';
import { byWords } from '../../src/lib/words/decision-words.ts';

const ID = 'd0123abcd';
const AT = '2026-03-01T10:00:00.000Z';
const NOW = Date.parse('2026-03-01T12:00:00.000Z');
const OPTIONS = [
  { id: 'yes', label: 'Yes', does: 'does it', action: 'revive-once-more' },
  { id: 'no', label: 'No', does: 'does nothing', action: 'none' },
];

function made(over: Partial<Decision> = {}): Decision {
  return {
    id: ID,
    kind: 'question',
    key: 'k',
    title: 'Shall it?',
    evidence: ['e'],
    options: OPTIONS,
    raisedAt: AT,
    raisedBy: 'someone',
    ...over,
  };
}
const answer = { option: 'yes', at: AT, by: 'me' };
const closed = { at: AT, reason: 'it is over' };
const began = { startedAt: AT };
const ended = { startedAt: AT, endedAt: AT, verdict: 'done', words: 'w' } as const;

describe('where a decision stands', () => {
  it.each<[DecisionState, Partial<Decision>]>([
    ['open', {}],
    ['open', { reached: 'somebody', raisedAgain: 3 }],
    ['answered', { answer }],
    ['executing', { answer, execution: began }],
    ['executed', { answer, execution: ended }],
    ['closed', { closed }],
    ['closed', { closed, answer }],
    ['executing', { closed, answer, execution: began }],
    ['executed', { closed, answer, execution: ended }],
  ])('%s: %j', (state, over) => {
    expect(stateOf(made(over))).toBe(state);
    expect(isOver(made(over))).toBe(state === 'executed' || state === 'closed');
    expect(standingWords(made(over))).toContain(ID);
  });

  // Rows: state; columns: raise, reach, answer, begin, end, close. + changes, = stays, a number refuses.
  it.each<[DecisionState, string]>([
    ['open', '+ + + 77 77 +'],
    ['answered', '= + 73 + 77 ='],
    ['executing', '= + 77 = + ='],
    ['executed', '= = 77 77 = ='],
    ['closed', '= = 77 77 77 ='],
  ])('%s: %s', (state, expected) => {
    const events: DecisionEvent[] = ['raise', 'reach', 'answer', 'begin', 'end', 'close'];
    const steps = events.map((event) => STEPS[state][event]);
    expect(steps.map((step) => (step === 'change' ? '+' : step === 'stay' ? '=' : step)).join(' ')).toBe(expected);
  });

  it('whatever happens, in whatever order: one answer, one beginning, one end, and never both an answer and a withdrawal', () => {
    const event = fc.constantFrom<DecisionEvent>('raise', 'reach', 'answer', 'begin', 'end', 'close');
    fc.assert(
      fc.property(fc.array(event, { maxLength: 30 }), (events) => {
        let row = made();
        const changes: DecisionEvent[] = [];
        for (const one of events) {
          const before = stateOf(row);
          if (STEPS[before][one] !== 'change') continue;
          changes.push(one);
          if (one === 'answer') row = { ...row, answer };
          if (one === 'begin') row = { ...row, execution: began };
          if (one === 'end') row = { ...row, execution: ended };
          if (one === 'close') row = { ...row, closed };
          expect(['executed', 'closed']).not.toContain(before);
        }
        for (const once of ['answer', 'begin', 'end', 'close'])
          expect(changes.filter((one) => one === once).length).toBeLessThanOrEqual(1);
        expect(row.answer !== undefined && row.closed !== undefined).toBe(false);
        const order = changes.filter((one) => ['answer', 'begin', 'end'].includes(one));
        expect(['answer', 'begin', 'end'].slice(0, order.length)).toEqual(order);
        expect(parseDecision(row, ID)).toMatchObject({ ok: true });
      }),
    );
  });
});

describe('a request to the page', () => {
  const GET: PageRequest = {
    method: 'GET',
    tokenOk: true,
    path: '/',
    host: '127.0.0.1:7070',
    origin: undefined,
    site: 'none',
    contentType: undefined,
    length: undefined,
  };
  const POST: PageRequest = {
    ...GET,
    method: 'POST',
    path: '/answer',
    origin: 'http://127.0.0.1:7070',
    site: 'same-origin',
    contentType: 'application/x-www-form-urlencoded',
    length: '80',
  };

  it.each<[string, PageRequest, string | number]>([
    ['the page', GET, 'page'],
    ['its head', { ...GET, method: 'HEAD' }, 'page'],
    ['without the slash', { ...GET, path: '' }, 'add-slash'],
    ['by the name localhost', { ...GET, host: 'localhost:7070' }, 'page'],
    ['by a forwarded port', { ...GET, host: 'localhost:80' }, 'page'],
    ['without the secret word', { ...GET, tokenOk: false }, 403],
    ['a name that was made to lead here', { ...GET, host: 'evil.example:7070' }, 403],
    ['a name that begins as loopback', { ...GET, host: '127.0.0.1.evil.example' }, 403],
    ['a name that ends as loopback', { ...GET, host: 'evil.example#localhost' }, 403],
    ['no host', { ...GET, host: undefined }, 403],
    ['an empty host', { ...GET, host: '' }, 403],
    ['another page', { ...GET, path: '/other' }, 404],
    ['a way up', { ...GET, path: '/../' }, 404],
    ['a POST to the page', { ...POST, path: '/' }, 405],
    ['DELETE', { ...GET, method: 'DELETE' }, 405],
    ['OPTIONS', { ...POST, method: 'OPTIONS' }, 405],
    ['GET of answer', { ...POST, method: 'GET' }, 405],
    ['an answer', POST, 'answer'],
    [
      'an answer with a charset',
      { ...POST, contentType: 'Application/X-WWW-Form-Urlencoded; charset=utf-8' },
      'answer',
    ],
    ['an answer in pieces', { ...POST, length: undefined }, 'answer'],
    ['the origin hidden by our referrer policy', { ...POST, origin: 'null' }, 'answer'],
    ['no Origin, but Sec-Fetch-Site', { ...POST, origin: undefined }, 'answer'],
    ['Origin, but no Sec-Fetch-Site', { ...POST, site: undefined }, 'answer'],
    ['neither', { ...POST, origin: undefined, site: undefined }, 403],
    ['a hidden origin alone', { ...POST, origin: 'null', site: undefined }, 403],
    ['a page elsewhere', { ...POST, origin: 'http://evil.example', site: 'cross-site' }, 403],
    ['a page elsewhere in an old browser', { ...POST, origin: 'http://evil.example', site: undefined }, 403],
    ['another port of this machine', { ...POST, origin: 'http://127.0.0.1:8000', site: 'same-site' }, 403],
    ['another port, old browser', { ...POST, origin: 'http://127.0.0.1:8000', site: undefined }, 403],
    ['https', { ...POST, origin: 'https://127.0.0.1:7070' }, 403],
    ['an origin that only says so', { ...POST, site: 'cross-site' }, 403],
    ['an answer without the secret word', { ...POST, tokenOk: false }, 403],
    ['an answer to a made name', { ...POST, host: 'evil.example', origin: 'http://evil.example' }, 403],
    ['JSON', { ...POST, contentType: 'application/json' }, 415],
    ['plain text', { ...POST, contentType: 'text/plain' }, 415],
    ['no type', { ...POST, contentType: undefined }, 415],
    ['the longest', { ...POST, length: String(FORM_LIMIT_BYTES) }, 'answer'],
    ['too long', { ...POST, length: String(FORM_LIMIT_BYTES + 1) }, 413],
    ['a length that is none', { ...POST, length: 'x' }, 413],
  ])('%s', (_name, request, expected) => {
    const verdict = decidePageRequest(request);
    expect(verdict.kind === 'refuse' ? verdict.status : verdict.kind).toBe(expected);
  });

  it('nothing without the word and a loopback name; nothing changes but by POST from the same origin', () => {
    const word = (...words: string[]) =>
      fc.option(fc.oneof(fc.constantFrom(...words), fc.string()), { nil: undefined });
    const request = fc.record({
      method: fc.constantFrom('GET', 'POST', 'HEAD', 'PUT', 'OPTIONS'),
      tokenOk: fc.boolean(),
      path: fc.constantFrom('', '/', '/answer', '/answer/', '/x'),
      host: word('127.0.0.1:1', 'localhost', 'evil', 'localhost.evil:1'),
      origin: word('null', 'http://127.0.0.1:1', 'http://localhost', 'http://evil'),
      site: word('same-origin', 'same-site', 'cross-site', 'none'),
      contentType: word('application/x-www-form-urlencoded', 'text/plain'),
      length: word('10', '99999999'),
    });
    fc.assert(
      fc.property(request, (one) => {
        const { kind } = decidePageRequest(one);
        if (kind === 'refuse') return;
        expect(one.tokenOk).toBe(true);
        expect(['127.0.0.1:1', 'localhost']).toContain(one.host);
        if (kind !== 'answer') return;
        expect(one.method).toBe('POST');
        expect(one.site === 'same-origin' || (one.site === undefined && one.origin === `http://${one.host}`)).toBe(
          true,
        );
      }),
      { numRuns: 3000 },
    );
  });
});

/** What a file of a decision may be, said once more in the words of another library. */
const time = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/);
const oracle = z.looseObject({
  id: z.literal(ID),
  kind: z.string(),
  key: z.string(),
  title: z.string(),
  evidence: z.array(z.string()),
  options: z
    .array(
      z.looseObject({
        id: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$/),
        label: z.string(),
        does: z.string(),
        action: z.string(),
      }),
    )
    .min(1),
  raisedAt: time,
  raisedBy: z.string(),
  task: z.string().nullish(),
  raisedAgain: z.int().min(0).nullish(),
  lastRaisedAt: time.nullish(),
  subject: z.record(z.string(), z.unknown()).nullish(),
  reached: z.string().nullish(),
  answer: z
    .looseObject({ option: z.enum(['yes', 'no']), at: time, by: z.string(), note: z.string().optional() })
    .nullish(),
  execution: z
    .looseObject({
      startedAt: time,
      endedAt: time.optional(),
      verdict: z.enum(['done', 'moved-on', 'failed']).optional(),
      words: z.string().optional(),
    })
    .nullish(),
  closed: z.looseObject({ at: time, reason: z.string() }).nullish(),
});

describe('the file of a decision', () => {
  const full = made({
    task: 't',
    raisedAgain: 2,
    lastRaisedAt: AT,
    subject: { a: 1 },
    reached: 'r',
    answer: { ...answer, note: 'n' },
    execution: ended,
    closed,
  });

  it('is read whole', () => {
    expect(parseDecision(full, ID)).toEqual({ ok: true, decision: full });
    expect(parseDecision(made(), ID)).toEqual({ ok: true, decision: made() });
  });

  it.each<[string, unknown]>([
    ['(top)', null],
    ['(top)', []],
    ['(top)', 'd'],
    ['id', { ...made(), id: 'd9999aaaa' }],
    ['id', { ...made(), id: '../x' }],
    ['title', { ...made(), title: 1 }],
    ['title', { ...made(), title: null }],
    ['evidence', { ...made(), evidence: 'e' }],
    ['evidence.1', { ...made(), evidence: ['e', 2] }],
    ['options', { ...made(), options: [] }],
    ['options', { ...made(), options: [OPTIONS[0], OPTIONS[0]] }],
    ['options.0.id', { ...made(), options: [{ ...OPTIONS[0], id: '"><script>' }] }],
    ['options.1.does', { ...made(), options: [OPTIONS[0], { id: 'x', label: 'l', action: 'a' }] }],
    ['raisedAt', { ...made(), raisedAt: 'yesterday' }],
    ['raisedAt', { ...made(), raisedAt: '2026-13-01T10:00:00Z' }],
    ['raisedAgain', { ...made(), raisedAgain: -1 }],
    ['subject', { ...made(), subject: [] }],
    ['answer.option', { ...made(), answer: { ...answer, option: 'maybe' } }],
    ['answer.at', { ...made(), answer: { option: 'yes', by: 'me' } }],
    ['execution', { ...made(), execution: began }],
    ['execution.verdict', { ...made(), answer, execution: { ...ended, verdict: 'perhaps' } }],
    ['closed.reason', { ...made(), closed: { at: AT } }],
  ])('%s is wrong', (field, value) => {
    expect(parseDecision(value, ID)).toMatchObject({ ok: false, field });
  });

  it('never throws, whatever it holds', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => void parseDecision(value, ID)));
  });

  it('with any one field made anything is judged as another library would', () => {
    // Every place in the document, and a value to put there.
    const places = fc.constantFrom(
      ...Object.keys(full).map((name) => [name]),
      ...['option', 'at', 'by', 'note'].map((name) => ['answer', name]),
      ...['startedAt', 'endedAt', 'verdict', 'words'].map((name) => ['execution', name]),
      ...['at', 'reason'].map((name) => ['closed', name]),
      ...['id', 'label', 'does', 'action'].map((name) => ['options', '1', name]),
      ['evidence', '0'],
      ['mine'],
    );
    const values = fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.constantFrom(undefined, AT, 'done', 'no', '2026-03-01', 1.5, -1, 0, [], {}),
    );
    fc.assert(
      fc.property(places, values, (path, value) => {
        const document = JSON.parse(JSON.stringify(full));
        let at = document;
        for (const step of path.slice(0, -1)) at = at[step];
        at[path.at(-1) ?? ''] = value;
        const parsed = parseDecision(document, ID);
        const other = oracle.safeParse(document);
        // What no schema says: two options with one id, an execution without an answer.
        const beyond =
          (path[1] === '1' && value === 'yes') || (path[0] === 'answer' && value == null && path.length < 2);
        if (!beyond) expect([parsed.ok, path, value]).toEqual([other.success, path, value]);
        if (!parsed.ok) expect(parsed.field.split('.')[0]).toBe(beyond ? 'execution' : path[0]);
      }),
      { numRuns: 3000 },
    );
  });

  it('of a new row can always be read again, however long its texts are', () => {
    const long = fc
      .tuple(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 3000 }))
      .map(([s, n]) => s.repeat(n));
    fc.assert(
      fc.property(long, fc.array(long, { maxLength: 50 }), (text, evidence) => {
        const input = { kind: 'k', key: 'k', title: text, evidence, options: OPTIONS, raisedBy: text, task: undefined };
        const row = JSON.stringify(newDecision(ID, input, AT), null, 2);
        expect(Buffer.byteLength(row)).toBeLessThan(1 << 20);
        expect(parseDecision(JSON.parse(row), ID)).toMatchObject({ ok: true });
      }),
      { numRuns: 30 },
    );
    const worst = {
      kind: 'k',
      key: 'k',
      title: '\u0001'.repeat(9999),
      options: OPTIONS,
      raisedBy: '\u0001'.repeat(999),
    };
    const row = newDecision(ID, { ...worst, evidence: Array(99).fill('\u0001'.repeat(9999)) }, AT);
    expect(Buffer.byteLength(JSON.stringify(row, null, 2))).toBeLessThan(1 << 20);
  });
});

/** A row in each state, with one text everywhere that a text from outside can stand. */
function everywhere(text: string): Decision[] {
  const options = OPTIONS.map((one) => ({ ...one, label: text, does: text }));
  const base = made({
    title: text,
    task: text,
    evidence: [text, `${text}\nline`],
    options,
    raisedBy: text,
    reached: text,
  });
  const said = { ...answer, by: text, note: text };
  return [
    base,
    { ...base, answer: said },
    { ...base, answer: said, execution: began },
    { ...base, answer: said, execution: { ...ended, words: text } },
    { ...base, closed: { at: AT, reason: text } },
  ];
}

describe('the page', () => {
  const page = (text: string) =>
    decisionPage({
      decisions: everywhere(text),
      bad: [{ file: text, field: text, problem: text }],
      now: NOW,
      host: text,
      by: text,
      nonce: 'n',
      banner: { good: false, head: text, words: text },
      draft: { id: ID, note: text },
    });
  const tags = (html: string) => html.match(/<[^>]*>/g)?.map((tag) => tag.replace(/"[^"]*"/g, '""'));

  it('has the same tags and attributes whatever the texts are', () => {
    const plain = tags(page('plain'));
    const hostile = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc
        .array(
          fc.constantFrom('<script>', '"', "'", '>', '</textarea>', '</style>', '<!--', '&lt;', '\u202e', '\0', 'x='),
        )
        .map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(hostile, (text) => {
        const html = page(`x${text.replace(/[\r\n]/g, ' ')}x`);
        expect(tags(html)).toEqual(plain);
      }),
    );
  });

  it('has no script, no inline style and no address but its own', () => {
    const html = page('plain');
    expect(html).not.toMatch(/<script|\sstyle=|\son\w+=|javascript:|https?:\/\/(?!www\.w3\.org\/2000\/svg)/i);
  });

  it('says that nothing waits', () => {
    const html = decisionPage({ decisions: [], bad: [], now: NOW, host: 'h', by: 'me', nonce: 'n' });
    expect(html).toContain('Nothing waits for you.');
    expect(html).toContain('no decisions wait on');
    expect(html).not.toContain('<form');
  });
});

describe('who raised or answered', () => {
  it.each([
    ['session 0a1b2c3d-1111-4222-8333-444455556666', 'session 0a1b2c3d'],
    ['person ada', 'person ada'],
    ['session 0a1b2c3d-1111-4222-8333-444455556666 and more', 'session 0a1b2c3d-1111-4222-8333-444455556666 and more'],
    ['session 0a1b2c3d', 'session 0a1b2c3d'],
  ])('%s is shown as %s', (by, shown) => {
    expect(byWords(by)).toBe(shown);
  });
});

describe('the list', () => {
  it('never exceeds the terminal, and lists open ones first', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 120 });
    fc.assert(
      fc.property(text, fc.integer({ min: 60, max: 200 }), (words, columns) => {
        for (const line of listText(listed(everywhere(words)), NOW, columns)
          .split('\n')
          .slice(1))
          expect(columnsOf(line)).toBeLessThanOrEqual(columns);
      }),
    );
    const rows = [made({ closed }), made({ answer }), made({ id: 'd00000002' }), made({ id: 'd00000001' })];
    expect(listed(rows).map((one) => [one.id, stateOf(one)])).toEqual([
      ['d00000002', 'open'],
      ['d00000001', 'open'],
      [ID, 'answered'],
      [ID, 'closed'],
    ]);
  });

  it('shows a row as a line and what it can be answered with', () => {
    expect(listText([made({ task: 'payments' })], NOW, 80)).toBe(
      [
        'ID         STATE  AGE  TASK      TITLE',
        'd0123abcd  open   2h   payments  Shall it?',
        '           yes, no',
      ].join('\n'),
    );
  });
});
