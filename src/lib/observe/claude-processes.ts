import { basename } from 'node:path';
import type { ProcessInfo, ProcessTable } from './process-table.ts';

/**
 * What a claude process is. Only `session` and `background-session` are sessions; counting the rest over-counts (facts:
 * one background session brings a pty host, and the daemon keeps spares warm).
 */
export type ClaudeRole =
  | 'session'
  | 'background-session'
  | 'daemon'
  | 'pty-host'
  | 'spare'
  | 'attach'
  | 'agents-view'
  | 'print'
  | 'tool';

export interface ClaudeProcess extends ProcessInfo {
  role: ClaudeRole;
  args: string[];
  /** Short id in `claude attach <id>`. */
  attachedTo?: string;
}

const SUBCOMMANDS = new Set(
  'agents attach auth auto-mode config doctor gateway install logs mcp migrate-installer plugin plugins project respawn rm rc remote-control server setup-token stop ultrareview update upgrade'.split(
    ' ',
  ),
);

// With one of these the command does something short and ends.
const ONE_SHOT = ['--help', '-h', '--version', '-v', '--bg', '--background'];

const INTERPRETERS = new Set(['node', 'nodejs', 'bun']);

/** The words after the program of a claude command line, or undefined when it is no claude. `also`: another name of it. */
export function claudeArgs(argv: readonly string[], also = 'claude'): string[] | undefined {
  const [program = '', script = ''] = argv;
  const named = (word: string) => ['claude', basename(also)].includes(basename(word));
  if (named(program)) return argv.slice(1);
  // An npm install of an older version, or a script: `node …/claude ARGS`, `node …/claude-code/cli.js ARGS`.
  if (INTERPRETERS.has(basename(program)) && (named(script) || /claude-code\/cli\.m?js$/.test(script)))
    return argv.slice(2);
  return undefined;
}

/** The role that a claude command line shows. A live background session runs under argv `bg-spare` or `--session-id …`. */
export function roleOf(args: readonly string[]): ClaudeRole {
  const [first = ''] = args;
  if (first === 'daemon') return 'daemon';
  if (first === 'bg-pty-host' || args.includes('--bg-pty-host')) return 'pty-host';
  if (first === 'bg-spare' || args.includes('--bg-spare')) return 'spare';
  if (first === 'attach') return 'attach';
  if (first === 'agents' && !args.includes('--json')) return 'agents-view';
  if (SUBCOMMANDS.has(first)) return 'tool';
  if (args.some((word) => ONE_SHOT.includes(word))) return 'tool';
  const end = args.indexOf('--');
  const options = end < 0 ? args : args.slice(0, end);
  return options.includes('-p') || options.includes('--print') ? 'print' : 'session';
}

/**
 * Every claude process of the table that belongs to the fleet of `claudeDir`, with its role, but for those the roster
 * lists (`listed`): what they are is known, and reading their words would cost a file each.
 */
export function claudeProcesses(
  table: ProcessTable,
  fleet: { claudeDir: string; command: string; listed: ReadonlySet<number> },
): ClaudeProcess[] {
  const found: ClaudeProcess[] = [];
  for (const info of table.byPid.values()) {
    if (info.zombie || fleet.listed.has(info.pid) || !looksLikeClaude(info.comm, fleet.command)) continue;
    const args = claudeArgs(table.argv(info.pid) ?? [], fleet.command);
    if (args === undefined || configDirOf(table, info.pid) !== fleet.claudeDir) continue;
    let role = roleOf(args);
    // Its pty host is its parent: what runs right under one is a background session, live or spare.
    const parent = role === 'session' ? table.argv(info.ppid) : undefined;
    const hosted = parent !== undefined && roleOf(claudeArgs(parent, fleet.command) ?? []) === 'pty-host';
    if (hosted) role = 'background-session';
    found.push({ ...info, role, args, ...(role === 'attach' && args[1] !== undefined ? { attachedTo: args[1] } : {}) });
  }
  return found;
}

function looksLikeClaude(comm: string, command: string): boolean {
  // Node ≥ 22 calls its main thread MainThread, and that is what the kernel shows.
  return ['claude', 'node', 'nodejs', 'bun', 'MainThread', basename(command).slice(0, 15)].includes(comm);
}

function configDirOf(table: ProcessTable, pid: number): string | undefined {
  const environ = table.environ(pid);
  if (environ === undefined) return undefined;
  const home = environ.get('HOME');
  return environ.get('CLAUDE_CONFIG_DIR') || (home === undefined ? undefined : `${home.replace(/\/+$/, '')}/.claude`);
}
