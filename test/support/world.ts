import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import type { Backend, Places, WorldKind } from './backend.ts';
import { pathBackend } from './backend-path.ts';
import { realBackend } from './backend-real.ts';
import { simBackend } from './backend-sim.ts';
import * as files from './claude-files.ts';
import { leave } from './farewell.ts';
import type { Finished, RunOptions } from './spawned.ts';
import { type Pane, type PaneOptions, Tmux } from './tmux.ts';
import { type Truthy, type UntilOptions, until } from './until.ts';

export type { WorldKind } from './backend.ts';
export type { HookCall, JsonLine, RosterRow } from './claude-files.ts';
export type { Finished, RunOptions } from './spawned.ts';
export type { Pane } from './tmux.ts';
export { until } from './until.ts';

const BACKENDS = { sim: simBackend, real: realBackend, path: pathBackend };

/** How a world is made. */
export interface WorldOptions {
  kind?: WorldKind;
  /** Added to the environment of everything in the world. */
  env?: Record<string, string>;
  /** Laid over settings.json (which has SessionEnd and Stop hooks that log). */
  settings?: files.JsonLine;
}

/** How an interactive session is started. */
export interface InteractiveOptions extends Partial<Omit<PaneOptions, 'server'>> {
  prompt?: string;
  args?: readonly string[];
  /** Start a shell in the pane and claude from it, so that the pane outlives the session. */
  shell?: boolean;
}

/** How a background session is started. */
export interface BackgroundOptions {
  prompt: string;
  name?: string;
  args?: readonly string[];
  cwd?: string;
  env?: Record<string, string>;
}

/** The kinds of world that this run was asked for: `CONTRACT_WORLD=real`, `sim,real`, or nothing for the stand-in. */
export function chosenKinds(): [WorldKind, ...WorldKind[]] {
  const asked = (process.env.CONTRACT_WORLD ?? 'sim').split(',');
  const [first, ...others] = (['sim', 'real'] as const).filter((kind) => asked.includes(kind));
  if (!first) throw new Error(`CONTRACT_WORLD=${asked} is neither sim nor real`);
  return [first, ...others];
}

/**
 * A small machine of its own: HOME, tmux, a claude (the stand-in or the real one) and the sessions started in it.
 * Several can exist side by side. `destroy` leaves nothing behind.
 */
export class World {
  readonly kind: WorldKind;
  readonly root: string;
  readonly home: string;
  readonly configDir: string;
  readonly tmux: Tmux;
  readonly #backend: Backend;
  readonly #panes: Pane[] = [];
  #serial = 0;

  private constructor(kind: WorldKind, places: Places, backend: Backend) {
    this.kind = kind;
    this.root = places.root;
    this.home = places.home;
    this.configDir = places.configDir;
    this.#backend = backend;
    this.tmux = new Tmux((command, args, options) => this.run(command, args, options));
  }

  /** Makes a world; the kind is the one that the environment asks for unless it is given. */
  static async create(options: WorldOptions = {}): Promise<World> {
    const kind = options.kind ?? chosenKinds()[0];
    const root = await mkdtemp(`${await realpath('/tmp')}/sf-`);
    const places = { root, home: `${root}/h`, configDir: `${root}/h/.claude` };
    for (const dir of ['bin', 't', 'tmp', 'u', 'w', 'h/.claude']) await mkdir(`${root}/${dir}`, { recursive: true });
    // A busy machine with a real claude answers late; that is no fault to test unless a test asks for it.
    await writeFile(`${root}/fleet.json`, kind === 'sim' ? '{}' : '{"roster":{"timeout":"40s"}}');
    await files.furnish(places, options.settings ?? {});
    const backend = await BACKENDS[kind](places, options.env ?? {});
    return new World(kind, places, backend);
  }

  /** The environment of every command in this world. */
  get env(): Record<string, string> {
    return { ...this.#backend.env };
  }

  /** The panes that this world has started sessions in. */
  get panes(): readonly Pane[] {
    return this.#panes;
  }

  /** Runs a command inside the world, to its end. */
  run(command: string, args: readonly string[] = [], options: RunOptions = {}): Promise<Finished> {
    return this.#backend.run(command, args, { cwd: this.root, ...options });
  }

  /** Runs `claude ARGS` inside the world. */
  claude(args: readonly string[], options: RunOptions = {}): Promise<Finished> {
    return this.run('claude', args, options);
  }

  /**
   * A new folder for sessions to work in. Those under w/ are trusted from the start, because a later write to
   * .claude.json can be lost to a session that rewrites it; untrusted ones lie under u/.
   */
  async folder(name = `w${++this.#serial}`, { trusted = true } = {}): Promise<string> {
    const dir = `${this.root}/${trusted ? 'w' : 'u'}/${name}`;
    await mkdir(dir, { recursive: true });
    return dir;
  }

  /** Answers the trust dialog for a folder beforehand. */
  trust(dir: string): Promise<void> {
    return files.trustFolder(this, dir);
  }

  /** Starts an interactive session in a pane of its own. It returns as soon as the pane exists. */
  async startInteractive(options: InteractiveOptions = {}): Promise<Pane> {
    const { prompt, args = [], shell = false, cwd = await this.folder(), name = `s${++this.#serial}` } = options;
    const argv = ['claude', ...args, ...(prompt === undefined ? [] : [prompt])];
    const pane = await this.tmux.start(shell ? ['bash', '--norc', '--noprofile'] : argv, { ...options, name, cwd });
    this.#panes.push(pane);
    if (shell) {
      await this.submit(pane, argv.map(quoted).join(' '));
    }
    return pane;
  }

  /** Starts a background session, as `claude --bg` does; `id` is its short id, read from the output. */
  async startBackground(options: BackgroundOptions): Promise<Finished & { id: string }> {
    const { prompt, name, args = [], cwd = await this.folder(), env = {} } = options;
    const words = ['--bg', ...(name === undefined ? [] : ['--name', name]), ...args, prompt];
    const done = await this.claude(words, { cwd, env });
    return { ...done, id: /backgrounded · (\w+)/.exec(done.stdout)?.[1] ?? '' };
  }

  /** The roster, read with `claude agents --json`. */
  async roster(all = false): Promise<files.RosterRow[]> {
    const done = await this.claude(['agents', '--json', ...(all ? ['--all'] : [])]);
    if (done.code !== 0) throw new Error(`claude agents --json: exit ${done.code}: ${done.stderr}`);
    return JSON.parse(done.stdout) as files.RosterRow[];
  }

  /** Waits for a roster row and returns it: the pane's own, or the one that a predicate picks. */
  row(
    which: Pane | ((row: files.RosterRow) => boolean),
    wanted: Partial<files.RosterRow> = {},
    options: UntilOptions = {},
  ): Promise<files.RosterRow> {
    const picks = typeof which === 'function' ? which : (row: files.RosterRow) => row.pid === which.pid;
    const fits = (row: files.RosterRow) =>
      picks(row) && Object.entries(wanted).every(([key, value]) => row[key as keyof files.RosterRow] === value);
    return this.until(async () => (await this.roster(true)).find(fits), {
      what: `a roster row ${JSON.stringify(wanted)}`,
      evidence: () => (typeof which === 'function' ? this.#rosterText() : this.screen(which)),
      timeout: 30_000,
      ...options,
    });
  }

  /**
   * Waits until a session has answered `turns` messages and is idle again, and returns its roster row. Idle alone does
   * not do: a session is idle for a moment before it takes up its first prompt.
   */
  async answered(which: Pane | ((row: files.RosterRow) => boolean), turns = 1): Promise<files.RosterRow> {
    return this.until(
      async () => {
        const row = await this.row(which, { status: 'idle' });
        const lines = await this.transcript(row.sessionId ?? '');
        return lines.filter(files.endsTurn).length >= turns && row;
      },
      { what: `${turns} answers`, timeout: 30_000 },
    );
  }

  async #rosterText(): Promise<string> {
    return JSON.stringify(await this.roster(true), null, 1);
  }

  /** What stands on a pane's screen. */
  screen(pane: Pane): Promise<string> {
    return this.tmux.screen(pane);
  }

  /** Waits until the screen shows something, and returns the screen. */
  shows(pane: Pane, text: string | RegExp, options: UntilOptions = {}): Promise<string> {
    const found = (screen: string) => (typeof text === 'string' ? screen.includes(text) : text.test(screen));
    return this.until(
      async () => {
        const screen = await this.screen(pane);
        return found(screen) && screen;
      },
      { what: `${text} on the screen`, evidence: () => this.screen(pane), ...options },
    );
  }

  /** Presses keys by tmux's names (`Enter`, `Escape`, `C-u`). */
  keys(pane: Pane, ...keys: string[]): Promise<void> {
    return this.tmux.keys(pane, keys);
  }

  /** Types text literally, without Enter. */
  type(pane: Pane, text: string): Promise<void> {
    return this.tmux.type(pane, text);
  }

  /** Types text, waits until it is on the screen, then presses Enter. */
  async submit(pane: Pane, text: string): Promise<void> {
    const firstWord = text.slice(0, 30);
    const before = (await this.screen(pane)).split(firstWord).length;
    await this.type(pane, text);
    await this.until(async () => (await this.screen(pane)).split(firstWord).length > before, {
      what: `the typed ${firstWord}`,
      evidence: () => this.screen(pane),
    });
    await this.keys(pane, 'Enter');
  }

  /** Attaches a real tmux client to a pane's session, from inside another tmux server of this world. */
  async attachClient(pane: Pane): Promise<{ detach(): Promise<void> }> {
    const viewer = await this.tmux.start(
      ['env', '-u', 'TMUX', 'tmux', '-L', 'default', 'attach-session', '-t', `=${pane.session}`],
      { name: `viewer${++this.#serial}`, cwd: this.root, server: 'viewers' },
    );
    const attached = async () => Number(await this.tmux.value(pane, 'session_attached')) > 0;
    await this.until(attached, { what: 'an attached client' });
    return {
      detach: async () => {
        await this.tmux.command(['kill-session', '-t', `=${viewer.session}`], 'viewers');
        await this.until(async () => !(await attached()), { what: 'the client to be gone' });
      },
    };
  }

  /** Opens a background session in a pane with `claude attach`. */
  async attachBackground(id: string): Promise<Pane> {
    const pane = { name: `attach${++this.#serial}`, cwd: `${this.root}/w`, remain: true };
    return this.tmux.start(['claude', 'attach', id], pane);
  }

  /** Every hook call so far, in order. */
  async hookLog(): Promise<files.HookCall[]> {
    return (await files.jsonLines(`${this.home}/hooks.jsonl`)) as unknown as files.HookCall[];
  }

  /** The lines of a session's transcript; none when there is none. */
  async transcript(sid: string): Promise<files.JsonLine[]> {
    const file = await this.transcriptFile(sid);
    return file === undefined ? [] : files.jsonLines(file);
  }

  /** Where a session's transcript lies, if it has one. */
  transcriptFile(sid: string): Promise<string | undefined> {
    return files.findTranscript(this, sid);
  }

  /** The transcript's size in bytes, 0 when there is none. */
  async transcriptBytes(sid: string): Promise<number> {
    const file = await this.transcriptFile(sid);
    return file === undefined ? 0 : (await stat(file)).size;
  }

  /** Claude's own note on a live process, `sessions/<pid>.json`, if it is there. */
  async sessionFile(pid: number): Promise<files.JsonLine | undefined> {
    const file = `${this.configDir}/sessions/${pid}.json`;
    return existsSync(file) ? (JSON.parse(await readFile(file, 'utf8')) as files.JsonLine) : undefined;
  }

  /** Polls until something is so; the real claude gets twice the time. */
  until<T>(read: () => Promise<T> | T, options: UntilOptions = {}): Promise<Truthy<T>> {
    const patience = this.kind === 'sim' ? 1 : 2;
    return until(read, {
      interval: this.kind === 'sim' ? 60 : 150,
      ...options,
      timeout: patience * (options.timeout ?? 15_000),
    });
  }

  /** Ends everything that lives in this world and removes its files. Throws when something would not go. */
  async destroy(): Promise<void> {
    const left = await leave(this);
    await this.#backend.stop();
    await rm(this.root, { recursive: true, force: true, maxRetries: 3 });
    if (left.length > 0) throw new Error(`these processes would not go: ${left.join(' ')}`);
  }
}

function quoted(word: string): string {
  return /^[\w./:=-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
