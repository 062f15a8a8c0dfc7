/** One thing that a timer runs. */
export interface Entry {
  /** What it is called in unit names and in `status`. */
  name: string;
  command: string;
  args: readonly string[];
  everySeconds: number;
}

/** What keeps a fleet, and how often (design §7, §9 and §11). */
export const ENTRIES: readonly Entry[] = [
  { name: 'sweep', command: 'supervisor-sweep', args: ['--quiet'], everySeconds: 60 },
  { name: 'watch', command: 'task-watcher', args: ['tick', '--all', '--quiet'], everySeconds: 60 },
  { name: 'lanes', command: 'lane-nudge', args: ['tick', '--quiet'], everySeconds: 60 },
  { name: 'sample', command: 'session-cap', args: ['sample', '--quiet'], everySeconds: 300 },
  { name: 'claims', command: 'task-claim', args: ['reap', '--quiet'], everySeconds: 300 },
  { name: 'reap', command: 'session-cap', args: ['reap', '--quiet'], everySeconds: 600 },
  { name: 'expire', command: 'session-cap', args: ['expire', '--quiet'], everySeconds: 1800 },
];

/** Everything that is worked out from this machine, and that the files are made of. */
export interface Plan {
  entries: readonly Entry[];
  /** The runner's own path. */
  runner: string;
  node: string;
  /** The folder of the launchers. */
  binDir: string;
  /** Where the runner writes how each entry ended. */
  stateDir: string;
  /** The environment that every entry gets, PATH first: a timer gives almost none. */
  env: Readonly<Record<string, string>>;
  /** Tells this fleet's entries from another's. */
  fleetHome: string;
}

/** A word for sh, quoted whatever it holds. */
export function shWord(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
