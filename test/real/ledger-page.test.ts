import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, request } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  answerDecision,
  beginExecution,
  closeDecision,
  raiseDecision,
  readDecision,
} from '../../src/lib/store/decisions.ts';
import { placesOf } from '../../src/lib/store/places.ts';
import { Chromium, chromiumCommand, type Page } from '../support/chromium.ts';
import { CONTRASTS } from '../support/contrasts.ts';
import { start, tempFolder } from '../support/script.ts';
import { until } from '../support/until.ts';

const BIN = join(import.meta.dirname, '..', '..', 'bin', 'decision-ledger.cjs');
const HOSTILE = `</title></textarea><script>document.title='owned'</script><img src=x onerror="alert(1)">"'><b>&amp;`;

let folder: ReturnType<typeof tempFolder>;
let server: Awaited<ReturnType<typeof serve>>;
beforeEach(async () => {
  folder = tempFolder();
  server = await serve();
});
afterEach(async () => {
  await server.stop();
  folder.remove();
});

/** `decision-ledger serve`, as its users start it. */
async function serve() {
  const env = { PATH: process.env.PATH, HOME: folder.path, USER: 'ada', LANG: 'C.UTF-8' };
  const running = start(process.execPath, [BIN, 'serve', '--by', 'ada'], env);
  const url = await until(() => /^http:.*\n/.exec(running.said.stdout)?.[0].trim(), { what: 'the address' });
  const { port, pathname } = new URL(url);
  const stop = async () => {
    running.child.kill();
    return running.done;
  };
  return { url, port: Number(port), path: pathname, pid: running.child.pid, said: running.said, stop };
}

const places = () => placesOf({ HOME: folder.path });
const dir = () => join(places().ownDir, 'decisions');
/** How many sockets a process has open. */
const socketsOf = (pid: number | undefined) =>
  readdirSync(`/proc/${pid}/fd`).filter((fd) => readlinkOf(`/proc/${pid}/fd/${fd}`).startsWith('socket:')).length;
/** Every file of the ledger with its text. */
const snapshot = () =>
  existsSync(dir()) ? readdirSync(dir()).map((name) => [name, readFileSync(join(dir(), name), 'utf8')]) : [];

async function raise(over: object = {}): Promise<string> {
  const { decision } = await raiseDecision(places(), {
    kind: 'revival-limit',
    key: `k${Math.random()}`,
    title: 'The Driver of payments died 5 times in 6 h',
    task: 'payments',
    evidence: ['its last words: “I wait for the bank”', 'revived 5 times since 08:12; the limit is 5'],
    options: [
      {
        id: 'revive-once-more',
        label: 'Revive it once more',
        does: 'starts its conversation again and counts from zero',
        action: 'revive-once-more',
      },
      { id: 'leave-parked', label: 'Leave it parked', does: 'does nothing; the task stays parked', action: 'none' },
    ],
    raisedBy: 'supervisor-sweep',
    ...over,
  });
  return decision.id;
}

function readlinkOf(file: string): string {
  try {
    return readlinkSync(file);
  } catch {
    // Closed since the listing.
    return '';
  }
}

interface Reply {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

interface Ask {
  method?: string;
  path?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** One HTTP request with exactly these headers. */
function ask({ method = 'GET', path = server.path, headers = {}, body }: Ask = {}): Promise<Reply> {
  return new Promise((done, fail) => {
    const sent = request({ host: '127.0.0.1', port: server.port, method, path, headers, agent: false }, (reply) => {
      let text = '';
      reply.setEncoding('utf8').on('data', (chunk) => (text += chunk));
      reply.on('end', () => done({ status: reply.statusCode ?? 0, headers: reply.headers, text }));
      reply.on('error', fail);
    });
    sent.on('error', fail);
    sent.end(body);
  });
}

/** A form as the page's own sends it, with other headers laid over. */
function post(fields: Record<string, string>, headers: Record<string, string> = {}, path = `${server.path}answer`) {
  const body = new URLSearchParams(fields).toString();
  return ask({
    method: 'POST',
    path,
    body,
    headers: {
      'Content-Type': 'application/x-www-form-urlencoded',
      'Content-Length': String(Buffer.byteLength(body)),
      Origin: 'null',
      'Sec-Fetch-Site': 'same-origin',
      ...headers,
    },
  });
}

describe('who may see the page', () => {
  it('is told nothing without the secret word, which has 256 bits and is new each time', async () => {
    await raise();
    expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[A-Za-z0-9_-]{43}\/$/);
    const word = server.path.slice(1, -1);
    const flipped = `${word.slice(0, -2)}${word.at(-2) === 'A' ? 'B' : 'A'}${word.at(-1)}`;
    const paths = [
      '/',
      '/x',
      `/${word.slice(1)}/`,
      `/${word}A/`,
      `/${flipped}/`,
      `//${word}/`,
      `/?${word}`,
      '/favicon.ico',
    ];
    for (const path of [...paths, `${server.url}`, '*', '/%00/', `/${word.toUpperCase()}/`]) {
      const { status, text } = await ask({ path });
      expect([path, status, text]).toEqual([path, 403, 'forbidden\n']);
    }
    const other = await serve();
    expect(other.path).not.toBe(server.path);
    expect((await ask({ path: other.path })).status).toBe(403);
    await other.stop();
    expect((await ask()).status).toBe(200);
    expect((await ask({ path: `/${word}` })).headers.location).toBe(server.path);
    // Nothing about it on a terminal but the address.
    expect(server.said).toEqual({ stdout: `${server.url}\n`, stderr: '' });
  });

  it('listens on 127.0.0.1 alone', async () => {
    const addresses = Object.values(networkInterfaces()).flatMap((all) => all?.map(({ address }) => address) ?? []);
    for (const host of new Set([...addresses, '127.0.0.2', '::1'])) {
      const reached = await new Promise<boolean>((done) => {
        const socket = connect({ host, port: server.port, timeout: 3000 });
        const end = (yes: boolean) => {
          socket.destroy();
          done(yes);
        };
        socket
          .once('connect', () => end(true))
          .once('error', () => end(false))
          .once('timeout', () => end(false));
      });
      expect([host, reached]).toEqual([host, host === '127.0.0.1']);
    }
  });

  it.each(['evil.example', 'evil.example:80', '127.0.0.1.evil.example', '[::1]', '0.0.0.0', '169.254.169.254'])(
    'not by a name that was made to lead here: %s',
    async (Host) => {
      const id = await raise();
      expect(await ask({ headers: { Host } })).toMatchObject({ status: 403, text: 'forbidden\n' });
      const posted = await post({ decision: id, option: 'leave-parked' }, { Host, Origin: `http://${Host}` });
      expect(posted.status).toBe(403);
      expect(readDecision(places(), id).answer).toBeUndefined();
    },
  );

  it('by localhost and by a forwarded port', async () => {
    for (const Host of ['localhost', 'LOCALHOST:8080', '127.0.0.1:8080'])
      expect((await ask({ headers: { Host } })).status).toBe(200);
  });

  it('the page lets the browser do nothing but show it and send its form', async () => {
    const { headers, text } = await ask();
    const policy = String(headers['content-security-policy']);
    const [, nonce] =
      /^default-src 'none'; style-src 'nonce-([A-Za-z0-9+/=]{24})'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/.exec(
        policy,
      ) ?? [];
    expect(nonce, policy).toBeDefined();
    expect(text).toContain(`<style nonce="${nonce}">`);
    expect((await ask()).text).not.toContain(nonce);
    const wanted = {
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'content-type': 'text/html; charset=utf-8',
    };
    expect(headers).toMatchObject(wanted);
    for (const path of ['/', `${server.path}other`])
      expect((await ask({ path })).headers).toMatchObject({
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'content-security-policy': expect.stringContaining("default-src 'none'"),
      });
  });
});

describe('what may change something', () => {
  it('no GET, whatever is asked', async () => {
    const id = await raise();
    const before = snapshot();
    const query = `?decision=${id}&option=leave-parked`;
    for (const method of ['GET', 'HEAD'])
      for (const path of [
        '',
        'answer',
        `answer${query}`,
        query,
        `?answered=${id}`,
        `?answered=../../x`,
        '?answered=',
        'x',
      ])
        expect([200, 404, 405]).toContain((await ask({ method, path: `${server.path}${path}` })).status);
    for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE'])
      expect((await ask({ method, path: `${server.path}answer${query}` })).status).toBe(405);
    expect(snapshot()).toEqual(before);
  });

  it.each<[string, number, Record<string, string>]>([
    ['a page elsewhere', 403, { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' }],
    ['another port of this machine', 403, { Origin: 'http://127.0.0.1:1', 'Sec-Fetch-Site': 'same-site' }],
    ['a hidden origin from elsewhere', 403, { Origin: 'null', 'Sec-Fetch-Site': 'cross-site' }],
    ['typed into the address bar', 403, { Origin: 'null', 'Sec-Fetch-Site': 'none' }],
    ['another sort of form', 415, { 'Content-Type': 'text/plain' }],
    ['a multipart form', 415, { 'Content-Type': 'multipart/form-data; boundary=x' }],
  ])('not %s', async (_name, status, headers) => {
    const id = await raise();
    const before = snapshot();
    expect((await post({ decision: id, option: 'leave-parked' }, headers)).status).toBe(status);
    expect((await post({ decision: id, option: 'leave-parked' }, {}, '/wrong/answer')).status).toBe(403);
    expect(snapshot()).toEqual(before);
  });

  it('not without Origin and Sec-Fetch-Site', async () => {
    const id = await raise();
    const body = `decision=${id}&option=leave-parked`;
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded', 'Content-Length': String(body.length) };
    expect((await ask({ method: 'POST', path: `${server.path}answer`, headers, body })).status).toBe(403);
    const old = { ...headers, Origin: `http://127.0.0.1:${server.port}` };
    expect((await ask({ method: 'POST', path: `${server.path}answer`, headers: old, body })).status).toBe(303);
    expect(readDecision(places(), id)).toMatchObject({ answer: { option: 'leave-parked' } });
  });

  it('not a body that is too long, said or not', async () => {
    const id = await raise();
    const before = snapshot();
    const path = `${server.path}answer`;
    const fields = { decision: id, option: 'leave-parked', note: 'x'.repeat(50_000) };
    expect((await post(fields)).status).toBe(413);
    const chunked = {
      'Content-Type': 'application/x-www-form-urlencoded',
      Origin: 'null',
      'Sec-Fetch-Site': 'same-origin',
      'Transfer-Encoding': 'chunked',
    };
    const body = new URLSearchParams(fields).toString();
    expect((await ask({ method: 'POST', path, headers: chunked, body })).status).toBe(413);
    // One that never ends is cut off.
    const endless = await new Promise<number>((done) => {
      let sent = 0;
      const socket = connect(server.port, '127.0.0.1');
      const more = () => {
        while (socket.write(`4000\r\n${'x'.repeat(0x4000)}\r\n`)) sent += 0x4000;
      };
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${Object.entries(chunked)
          .map(([name, value]) => `${name}: ${value}\r\n`)
          .join('')}\r\n`,
      );
      socket
        .on('drain', more)
        .on('error', () => {})
        .on('close', () => done(sent));
      more();
    });
    expect(endless).toBeLessThan(100 << 20);
    expect((await post({ decision: id, option: 'leave-parked', note: 'x'.repeat(4001) })).status).toBe(400);
    expect(snapshot()).toEqual(before);
    // The longest note that may be given takes nine bytes for each of its characters.
    expect((await post({ decision: id, option: 'leave-parked', note: '字'.repeat(4000) })).status).toBe(303);
  });

  it('answers what is no form of this page in a line', async () => {
    const id = await raise();
    for (const fields of [{}, { decision: id }, { option: 'x' }, { decision: '', option: '' }])
      expect(await post(fields as Record<string, string>)).toMatchObject({
        status: 400,
        text: 'not a form of this page\n',
      });
    expect((await post({ decision: 'd00000000', option: 'x' })).status).toBe(404);
    expect((await post({ decision: '../../../etc/passwd', option: 'x' })).status).toBe(404);
    const { status, text } = await post({ decision: id, option: 'maybe', note: '</textarea>mine' });
    expect(status).toBe(400);
    expect(text).toContain('Your answer was not taken.');
    // What was typed is not lost.
    expect(text).toContain('&#60;/textarea&#62;mine</textarea>');
  });

  it('an answer is stored, and the browser is sent to a page that says what follows', async () => {
    const id = await raise();
    const { status, headers, text } = await post({ decision: id, option: 'revive-once-more', note: 'one\r\ntwo ' });
    expect([status, headers.location, text]).toEqual([303, `./?answered=${id}`, '']);
    expect(readDecision(places(), id).answer).toMatchObject({
      option: 'revive-once-more',
      by: 'ada',
      note: 'one\ntwo',
    });
    const after = await ask({ path: `${server.path}?answered=${id}` });
    expect(after.text).toContain('Answered: Revive it once more.');
    expect(after.text).toContain('at its next sweep the Supervisor starts its conversation again');
    expect(after.text).toContain('Answered, not executed yet');
  });

  it('of many answers at once one is taken; the others are told which', async () => {
    const id = await raise();
    const options = ['revive-once-more', 'leave-parked'];
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, at) => post({ decision: id, option: options[at % 2] ?? '', note: `note ${at}` })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([303, ...Array(9).fill(409)]);
    const { answer } = readDecision(places(), id);
    expect(answer?.note).toBe(`note ${replies.findIndex(({ status }) => status === 303)}`);
    for (const { status, text } of replies)
      if (status === 409) expect(text).toContain(`${id} is answered already: ${answer?.option}, by ada`);
    await beginExecution(places(), id);
    expect(await post({ decision: id, option: 'leave-parked' })).toMatchObject({
      status: 409,
      text: expect.stringContaining('is being executed'),
    });
  });
});

describe('what cannot hold it up', () => {
  it('clients that are slow, silent or many are let go of, and others are served meanwhile', async () => {
    await raise();
    const sockets: Socket[] = [];
    const open = (text: string) =>
      new Promise<number>((done) => {
        const began = performance.now();
        const socket = connect(server.port, '127.0.0.1', () => void socket.write(text));
        sockets.push(socket);
        socket.on('error', () => {}).on('close', () => done(performance.now() - began));
        socket.resume();
      });
    const head = `POST ${server.path}answer HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: null\r\nSec-Fetch-Site: same-origin\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 500\r\n\r\n`;
    // One that asks for a long page and reads none of it.
    for (let at = 0; at < 45; at++) await raise({ evidence: Array(40).fill('x'.repeat(300).concat('\n').repeat(13)) });
    const before = socketsOf(server.pid);
    const deaf = connect(
      server.port,
      '127.0.0.1',
      () => void deaf.write(`GET ${server.path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`),
    );
    sockets.push(deaf.on('error', () => {}).pause());
    await until(() => socketsOf(server.pid) > before, { what: 'the one that does not read' });
    const silent = open('');
    const halfHead = open(`GET ${server.path} HTTP/1.1\r\nHost: 127`);
    const halfBody = open(`${head}decision=`);
    // One that goes on saying something is no better.
    const dripping = open(`GET ${server.path} HTTP/1.1\r\n`);
    const drip = setInterval(() => sockets.at(-1)?.write('X-A: b\r\n'), 500);
    expect((await ask()).status).toBe(200);
    expect(await halfHead).toBeLessThan(8_000);
    expect(await dripping).toBeLessThan(8_000);
    clearInterval(drip);
    expect(await halfBody).toBeLessThan(13_000);
    expect(await silent).toBeLessThan(18_000);
    await until(() => socketsOf(server.pid) <= before, {
      what: 'the one that does not read to be let go of',
      // Node asks twice whether anything has moved.
      timeout: 40_000,
    });
    const crowd = Array.from({ length: 200 }, () => open(''));
    await until(async () => (await ask()).status === 200, { what: 'a page behind a crowd', timeout: 30_000 });
    for (const socket of sockets) socket.destroy();
    await Promise.all(crowd);
    const long = `GET ${server.path}?${'x'.repeat(20_000)} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`;
    expect(await open(long)).toBeLessThan(5_000);
    expect((await ask()).status).toBe(200);
    expect(server.said.stderr).toBe('');
  }, 120_000);

  it('a bad file is named on the page, and the others are shown', async () => {
    const id = await raise();
    writeFileSync(join(dir(), 'd00000001.json'), '{');
    const { status, text } = await ask();
    expect(status).toBe(200);
    expect(text).toContain('A file can’t be read.');
    expect(text).toContain('d00000001.json: (file): not JSON');
    expect(text).toContain(`id="${id}"`);
  });

  it('a ledger that can’t be read is said, and the page is back when it can', async () => {
    mkdirSync(places().ownDir, { recursive: true });
    writeFileSync(dir(), '');
    expect((await ask()).status).toBe(500);
    rmSync(dir());
    expect((await ask()).status).toBe(200);
  });

  it('hostile texts stand on the page as text', async () => {
    const options = [{ id: 'a', label: HOSTILE, does: HOSTILE, action: HOSTILE }];
    const texts = { title: HOSTILE, task: HOSTILE, evidence: [HOSTILE, `a\n${HOSTILE}`], raisedBy: HOSTILE, options };
    await raise(texts);
    const answered = await raise(texts);
    await answerDecision(places(), answered, { option: 'a', by: HOSTILE, note: HOSTILE });
    await closeDecision(places(), await raise(texts), HOSTILE);
    const { text } = await ask({ path: `${server.path}?answered=${answered}` });
    expect(text).not.toMatch(/<script|<img|<b>&amp;/);
    expect(text).toContain('&#60;script&#62;document.title=&#39;owned&#39;');
  });
});

const command = chromiumCommand();
// Where it is said to be there, its absence is a fault and no reason to skip.
describe.skipIf(command === undefined && process.env.CHROMIUM_REQUIRED !== '1')('in Chromium', () => {
  let browser: Chromium;
  let page: Page;
  beforeAll(() => {
    if (command === undefined) throw new Error('no chromium on PATH, and CHROMIUM_REQUIRED=1');
    browser = new Chromium(command);
  });
  afterAll(() => browser?.close());
  beforeEach(async () => {
    page = await browser.page();
  });
  /** It has asked only its own server, and has had nothing to complain of. */
  const isQuiet = () => {
    expect(page.requests.filter((url) => !url.startsWith(server.url) && !url.startsWith('data:image/svg'))).toEqual([]);
    expect(page.requests.length).toBeGreaterThan(0);
    expect(page.complaints).toEqual([]);
  };

  it('a person reads a decision, presses an answer with a note, and sees that it was taken', async () => {
    const id = await raise();
    const other = await raise({ title: 'Another question' });
    await page.open(server.url);
    const before = await page.text();
    expect(before).toContain('2 decisions wait');
    expect(before).toContain('The Driver of payments died 5 times in 6 h');
    expect(before).toContain('revived 5 times since 08:12; the limit is 5');
    expect(before).toContain('starts its conversation again and counts from zero');
    expect(await page.value('document.title')).toMatch(/^\(2\) Decisions on /);
    await page.type(`#${id}-note`, 'the bank is back – “go” <b>');
    await page.press(`#${id} button[value="revive-once-more"]`);
    expect(readDecision(places(), id).answer).toMatchObject({
      option: 'revive-once-more',
      by: 'ada',
      note: 'the bank is back – “go” <b>',
    });
    expect(readDecision(places(), other).answer).toBeUndefined();
    const after = await page.text();
    expect(after).toContain('Answered: Revive it once more.');
    expect(after).toContain('1 decision waits');
    expect(after).toContain('“the bank is back – “go” <b>”');
    expect(await page.value('location.pathname + location.search')).toBe(`${server.path}?answered=${id}`);
    // Loading it again answers nothing again.
    const stands = snapshot();
    await page.open(await page.value('location.href'));
    expect(snapshot()).toEqual(stands);
    isQuiet();
  });

  it('who comes second is told, by the page', async () => {
    const id = await raise();
    await page.open(server.url);
    await answerDecision(places(), id, { option: 'leave-parked', by: 'bob' });
    await page.press(`#${id} button[value="revive-once-more"]`);
    const text = await page.text();
    expect(text).toContain('Your answer was not taken.');
    expect(text).toContain('leave-parked, by bob');
    expect(page.complaints.filter((words) => !words.includes('409'))).toEqual([]);
    expect(readDecision(places(), id).answer?.by).toBe('bob');
  });

  it('hostile texts are shown and do nothing', async () => {
    const options = [{ id: 'a', label: HOSTILE, does: HOSTILE, action: 'record' }];
    const id = await raise({ title: HOSTILE, task: HOSTILE, evidence: [HOSTILE, `a\n${HOSTILE}`], options });
    await page.open(server.url);
    expect(await page.text()).toContain(`<script>document.title='owned'</script>`);
    expect(await page.value('document.title')).not.toBe('owned');
    expect(await page.value('document.querySelectorAll("script, img").length')).toBe(0);
    await page.type(`#${id}-note`, HOSTILE);
    await page.press(`#${id} button`);
    expect(readDecision(places(), id).answer?.note).toBe(HOSTILE);
    expect(await page.value('document.querySelectorAll("script, img").length')).toBe(0);
    isQuiet();
  });

  it('a page elsewhere can neither send the form nor frame the page', async () => {
    const id = await raise();
    const before = snapshot();
    const fields = `<input name=decision value="${id}"><input name=option value="leave-parked">`;
    const form = `<form method=post action="${server.url}answer">${fields}<button>x</button></form>`;
    // Another port of this machine is the nearest that a stranger can come.
    const stranger = createServer(({ url }, response) => {
      response.setHeader('Content-Type', 'text/html');
      response.end(`<!doctype html>${url === '/form' ? form : `<iframe src="${server.url}"></iframe>`}`);
    });
    await new Promise<void>((done) => stranger.listen(0, '127.0.0.1', done));
    const at = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}`;
    try {
      for (const address of [`${at}/form`, `data:text/html,${encodeURIComponent(form)}`]) {
        await page.open(address);
        await page.press('button');
        expect(await page.text()).toContain('this did not come from the page of decisions');
      }
      await page.open(`${at}/frame`);
      await until(() => page.complaints.some((words) => words.includes('frame-ancestors')), {
        what: 'the frame to be refused',
        evidence: () => page.complaints.join('\n'),
      });
      expect(snapshot()).toEqual(before);
    } finally {
      stranger.closeAllConnections();
      stranger.close();
    }
  });

  it.each([
    { width: 1200, height: 900, scheme: 'light' },
    { width: 1200, height: 900, scheme: 'dark' },
    { width: 390, height: 844, scheme: 'light' },
    { width: 390, height: 844, scheme: 'dark' },
  ] as const)(
    'fits a window of $width, $scheme: nothing sticks out, buttons are large enough, text can be read',
    async (look) => {
      await showcase();
      await page.look(look);
      await page.open(server.url);
      expect(await page.value('document.documentElement.scrollWidth')).toBeLessThanOrEqual(look.width);
      const heights = await page.value<number[]>(
        '[...document.querySelectorAll("button")].map((one) => one.offsetHeight)',
      );
      expect(heights.length).toBeGreaterThan(3);
      for (const height of heights) expect(height).toBeGreaterThanOrEqual(44);
      const contrasts = await page.value<[string, number][]>(CONTRASTS);
      expect(contrasts.length).toBeGreaterThan(10);
      expect(contrasts.filter(([, ratio]) => ratio < 4.5)).toEqual([]);
      const tree = await page.call('Accessibility.getFullAXTree');
      const nodes = tree.nodes as { role?: { value: string }; name?: { value: string } }[];
      for (const { role, name } of nodes)
        if (['button', 'textbox', 'link', 'heading'].includes(role?.value ?? ''))
          expect([role?.value, name?.value]).not.toEqual([role?.value, '']);
      const picture = await page.picture();
      expect(picture.subarray(1, 4).toString()).toBe('PNG');
      const keep = process.env.LEDGER_PICTURES;
      if (keep) writeFileSync(join(keep, `ledger-${look.width}-${look.scheme}.png`), picture);
      isQuiet();
    },
  );
});

/** Decisions as they come: of a sweep, of a Driver, with long words and screens; some answered, some over. */
async function showcase(): Promise<void> {
  await raise();
  await raise({
    title: 'Many Drivers are read dead at once',
    task: undefined,
    evidence: [
      '7 of 9 Drivers are read dead, more than half',
      '2 sweeps in a row have exited, revived and parked nothing because of it',
      'NAME        STATE  SINCE\npayments    dead   12:04\nrefunds     dead   12:04\na-task-with-a-very-long-name-that-goes-on-and-on-without-any-space-in-it  dead  12:05',
    ],
    options: [
      {
        id: 'clear-breaker',
        label: 'The reading is right',
        does: 'lets the Supervisor go on with these tasks, at its usual pace',
        action: 'clear-breaker',
      },
      { id: 'look-again', label: 'Seen to it', does: 'asks again if it is still so', action: 'look-again' },
      { id: 'hold', label: 'Keep holding', does: 'does nothing to these sessions while it lasts', action: 'none' },
    ],
  });
  const answered = await raise({ title: 'Which bank first?', task: 'refunds' });
  await answerDecision(places(), answered, { option: 'leave-parked', by: 'ada', note: 'ask me again on Monday' });
  await closeDecision(places(), await raise({ title: 'The roster of sessions can’t be read' }), 'it is over');
  writeFileSync(join(dir(), 'd00000001.json'), '{');
}
