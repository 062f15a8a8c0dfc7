import type { Finished, RunOptions } from './spawned.ts';

/** A pane of a world's private tmux: everything is addressed by its id, never by a name that could match another. */
export interface Pane {
  /** The tmux session's name. */
  readonly session: string;
  /** The pane id (`%3`). */
  readonly id: string;
  /** The process that the pane was started with. */
  readonly pid: number;
}

/** How a pane is made. */
export interface PaneOptions {
  name: string;
  cwd: string;
  width?: number;
  height?: number;
  env?: Record<string, string>;
  /** Keep the pane on the screen after its process has ended (`pane_dead=1`). */
  remain?: boolean;
  /** The tmux server: the default one, or another of the world's own. */
  server?: string;
}

type Run = (command: string, args: readonly string[], options?: RunOptions) => Promise<Finished>;

/** The tmux servers of one world. */
export class Tmux {
  readonly #run: Run;

  constructor(run: Run) {
    this.#run = run;
  }

  /** Runs tmux with these words on the named server, and gives its output; an exit other than 0 is an error. */
  async command(args: readonly string[], server = 'default'): Promise<string> {
    const done = await this.#run('tmux', ['-f', '/dev/null', '-L', server, ...args]);
    if (done.code !== 0) throw new Error(`tmux ${args.join(' ')}: ${done.stderr.trim()}`);
    return done.stdout;
  }

  /** Starts `argv` in a detached session of its own. One word goes through the shell, as tmux does it. */
  async start(argv: readonly string[], options: PaneOptions): Promise<Pane> {
    const { name, cwd, width = 120, height = 40, env = {}, remain = false, server } = options;
    const words = ['new-session', '-d', '-P', '-F', '#{pane_id} #{pane_pid}', '-s', name, '-c', cwd];
    words.push('-x', String(width), '-y', String(height));
    for (const [key, value] of Object.entries(env)) words.push('-e', `${key}=${value}`);
    words.push(...argv.map(escapeSeparator));
    if (remain) words.push(';', 'set-option', '-w', '-t', `=${name}:`, 'remain-on-exit', 'on');
    const [id = '', pid = ''] = (await this.command(words, server)).trim().split(' ');
    return { session: name, id, pid: Number(pid) };
  }

  /** What stands on the pane's screen. */
  async screen(pane: Pane, server?: string): Promise<string> {
    return this.command(['capture-pane', '-p', '-t', pane.id], server);
  }

  /** Presses keys by tmux's names (`Enter`, `Escape`, `C-u`). */
  async keys(pane: Pane, keys: readonly string[], server?: string): Promise<void> {
    await this.command(['send-keys', '-t', pane.id, '--', ...keys], server);
  }

  /** Types text literally, without Enter. */
  async type(pane: Pane, text: string, server?: string): Promise<void> {
    await this.command(['send-keys', '-t', pane.id, '-l', '--', escapeSeparator(text)], server);
  }

  /** One format value of a pane, such as `pane_dead` or `pane_current_command`; undefined when the pane is gone. */
  async value(pane: Pane, format: string, server?: string): Promise<string | undefined> {
    const listed = await this.command(['list-panes', '-a', '-F', `#{pane_id} #{${format}}`], server).catch(() => '');
    const line = listed.split('\n').find((candidate) => candidate.startsWith(`${pane.id} `));
    return line?.slice(pane.id.length + 1);
  }
}

/** tmux reads a word that ends in `;` as the end of a command. */
function escapeSeparator(word: string): string {
  return word.endsWith(';') ? `${word.slice(0, -1)}\\;` : word;
}
