import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { tempFolder } from './script.ts';
import { until } from './until.ts';

/** The Chromium of this machine: `$CHROMIUM`, or what is on PATH; undefined when there is none. */
export function chromiumCommand(): string | undefined {
  const names = process.env.CHROMIUM
    ? [process.env.CHROMIUM]
    : ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
  return names.find((name) => spawnSync(name, ['--version'], { timeout: 20_000 }).status === 0);
}

type Json = Record<string, unknown>;
interface Message {
  id?: number;
  sessionId?: string;
  method?: string;
  params?: Json;
  result?: Json;
  error?: { message: string };
}

/** What is needed to run without a screen and to call nobody. */
const ARGUMENTS = [
  '--headless=new',
  '--remote-debugging-pipe',
  '--no-first-run',
  '--no-default-browser-check',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--hide-scrollbars',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
];

/** A headless Chromium, driven by its DevTools protocol over two pipes (no port, no driver). */
export class Chromium {
  readonly #child: ChildProcess;
  readonly #profile = tempFolder();
  readonly #waiting = new Map<number, (message: Message) => void>();
  readonly #listeners: ((message: Message) => void)[] = [];
  #last = 0;

  constructor(command: string) {
    // The sandbox wants a user of its own, which root in a container is not.
    const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
    const args = [...ARGUMENTS, ...sandbox, `--user-data-dir=${this.#profile.path}`, 'about:blank'];
    this.#child = spawn(command, args, {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
      // A group of its own: Chromium is many processes.
      detached: true,
      env: { PATH: process.env.PATH, HOME: this.#profile.path, LANG: 'C.UTF-8' },
    });
    let rest = '';
    (this.#child.stdio[4] as Readable).setEncoding('utf8').on('data', (chunk: string) => {
      const texts = (rest + chunk).split('\0');
      rest = texts.pop() ?? '';
      for (const text of texts) this.#take(JSON.parse(text));
    });
  }

  #take(message: Message): void {
    if (message.id === undefined) for (const listener of this.#listeners) listener(message);
    else this.#waiting.get(message.id)?.(message);
  }

  /** Calls a method of the protocol and returns its result. */
  async call(method: string, params: Json = {}, sessionId?: string): Promise<Json> {
    this.#last += 1;
    const id = this.#last;
    const { error, result } = await new Promise<Message>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`Chromium did not answer ${method} in 30 s`)), 30_000);
      this.#waiting.set(id, (message) => {
        clearTimeout(timer);
        this.#waiting.delete(id);
        resolve(message);
      });
      const message = { id, method, params, ...(sessionId === undefined ? {} : { sessionId }) };
      (this.#child.stdio[3] as Writable).write(`${JSON.stringify(message)}\0`);
    });
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result ?? {};
  }

  on(listener: (message: Message) => void): void {
    this.#listeners.push(listener);
  }

  /** A new tab. */
  async page(): Promise<Page> {
    const { targetId } = await this.call('Target.createTarget', { url: 'about:blank' });
    const { sessionId } = await this.call('Target.attachToTarget', { targetId, flatten: true });
    const page = new Page(this, String(sessionId));
    for (const domain of ['Page', 'Network', 'Runtime', 'Log', 'Audits', 'DOM', 'Accessibility'])
      await page.call(`${domain}.enable`);
    return page;
  }

  /** Ends it and all its processes, and removes its profile. */
  async close(): Promise<void> {
    const gone = new Promise((done) => this.#child.once('exit', done));
    const ended = this.#child.exitCode !== null || this.#child.signalCode !== null;
    await this.call('Browser.close').catch(() => {});
    if (!ended) await gone;
    try {
      if (this.#child.pid !== undefined) process.kill(-this.#child.pid, 'SIGKILL');
    } catch {
      // All of them have ended.
    }
    await until(() => {
      this.#profile.remove();
      return true;
    });
  }
}

export interface Look {
  width: number;
  height: number;
  scheme: 'light' | 'dark';
}

/** One tab, with all that it asked for and all that it complained of. */
export class Page {
  readonly requests: string[] = [];
  readonly complaints: string[] = [];
  readonly #browser: Chromium;
  readonly #session: string;
  #loads = 0;

  constructor(browser: Chromium, session: string) {
    this.#browser = browser;
    this.#session = session;
    browser.on(({ method, params = {}, sessionId }) => {
      if (sessionId !== session) return;
      if (method === 'Page.loadEventFired') this.#loads += 1;
      if (method === 'Network.requestWillBeSent') this.requests.push(String((params.request as Json).url));
      if (method === 'Log.entryAdded') this.complaints.push(String((params.entry as Json).text));
      if (method === 'Audits.issueAdded') this.complaints.push(String((params.issue as Json).code));
      if (method === 'Runtime.consoleAPICalled' || method === 'Runtime.exceptionThrown')
        this.complaints.push(JSON.stringify(params));
    });
  }

  call(method: string, params: Json = {}): Promise<Json> {
    return this.#browser.call(method, params, this.#session);
  }

  /** Does what loads a page, and waits until it is loaded. */
  async #loaded(act: () => Promise<unknown>): Promise<void> {
    const before = this.#loads;
    await act();
    await until(() => this.#loads > before, { what: 'the page to load' });
  }

  open(url: string): Promise<void> {
    return this.#loaded(() => this.call('Page.navigate', { url }));
  }

  /** The value of an expression in the page. */
  async value<T>(expression: string): Promise<T> {
    const { result, exceptionDetails } = await this.call('Runtime.evaluate', { expression, returnByValue: true });
    if (exceptionDetails !== undefined) throw new Error(`${expression}: ${JSON.stringify(exceptionDetails)}`);
    return (result as { value: T }).value;
  }

  text(): Promise<string> {
    return this.value('document.body.innerText');
  }

  /** Clicks with the mouse what a selector finds, and waits for the page that comes of it. */
  press(selector: string): Promise<void> {
    return this.#loaded(async () => {
      const [x, y] = await this.#middleOf(selector);
      for (const type of ['mousePressed', 'mouseReleased'])
        await this.call('Input.dispatchMouseEvent', { type, x, y, button: 'left', clickCount: 1 });
    });
  }

  /** Types into the field that a selector finds. */
  async type(selector: string, text: string): Promise<void> {
    const [x, y] = await this.#middleOf(selector);
    for (const type of ['mousePressed', 'mouseReleased'])
      await this.call('Input.dispatchMouseEvent', { type, x, y, button: 'left', clickCount: 1 });
    await this.call('Input.insertText', { text });
  }

  async #middleOf(selector: string): Promise<[number, number]> {
    const { root } = await this.call('DOM.getDocument');
    const { nodeId } = root as { nodeId: number };
    const found = await this.call('DOM.querySelector', { nodeId, selector });
    if (found.nodeId === 0) throw new Error(`the page has no ${selector}`);
    await this.call('DOM.scrollIntoViewIfNeeded', { nodeId: found.nodeId });
    const { model } = await this.call('DOM.getBoxModel', { nodeId: found.nodeId });
    const [left = 0, top = 0, , , right = 0, bottom = 0] = (model as { content: number[] }).content;
    return [(left + right) / 2, (top + bottom) / 2];
  }

  /** Shows the page in a window of that size and colour scheme. */
  async look({ width, height, scheme }: Look): Promise<void> {
    const metrics = { width, height, deviceScaleFactor: 1, mobile: width < 600 };
    await this.call('Emulation.setDeviceMetricsOverride', metrics);
    await this.call('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: scheme }] });
  }

  /** The whole page as PNG, or what its window shows. */
  async picture({ beyondViewport = true } = {}): Promise<Buffer> {
    const { data } = await this.call('Page.captureScreenshot', { captureBeyondViewport: beyondViewport });
    return Buffer.from(String(data), 'base64');
  }
}
