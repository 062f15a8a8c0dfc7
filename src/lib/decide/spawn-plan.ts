/** How a session is started: in a tmux pane, or by Claude Code's own daemon. */
export type SpawnKind = 'interactive' | 'background';

export interface SpawnRequest {
  kind: SpawnKind;
  /** The claude command. */
  claude: string;
  /** Chosen beforehand; an interactive start honours it, a background one picks its own. */
  sessionId: string;
  /** Unique on this machine: by it a background start is found again when its output was never read. */
  name: string;
  /** Continue this conversation instead of beginning one. */
  resume?: string;
  /**
   * The conversation is a background session's, which keeps the options it was started with: given any again, claude makes a
   * copy of it instead (seen on 2.1.328).
   */
  savedOptions?: boolean;
  /** Further words for claude, as its user gave them (and as a resume must be given them again). */
  args: readonly string[];
  permissionMode?: string;
  /** Accepts the warning of bypass mode, for a person who asked for that mode. */
  settings?: Record<string, unknown>;
}

/**
 * The words of the claude command, without the prompt, which stands behind `--`: so no option that takes many words can
 * swallow it and no leading dash makes it an option. A start whose own words hold `--` would put words before ours.
 */
export function spawnWords(request: SpawnRequest): string[] {
  const { kind, claude, sessionId, name, resume, args, permissionMode, settings } = request;
  if (kind === 'background' && resume !== undefined && request.savedOptions)
    return [claude, '--bg', '--resume', resume];
  return [
    claude,
    ...(kind === 'background' ? ['--bg'] : []),
    ...(resume !== undefined ? ['--resume', resume] : kind === 'interactive' ? ['--session-id', sessionId] : []),
    ...(resume === undefined ? ['--name', name] : []),
    ...(permissionMode === undefined ? [] : ['--permission-mode', permissionMode]),
    ...(settings === undefined ? [] : ['--settings', JSON.stringify(settings)]),
    ...args,
  ];
}

/** Options of ours that a user's own words must not repeat, and words that would change what a start is. */
const RESERVED = [
  '--bg',
  '--background',
  '--session-id',
  '--resume',
  '-r',
  '--continue',
  '-c',
  '--name',
  '-n',
  '-p',
  '--print',
  '--fork-session',
  '--bare',
  '--',
];

/** The first word among a user's claude arguments that a start can't have; undefined when there is none. */
export function reservedWord(args: readonly string[]): string | undefined {
  return args.find((word) => RESERVED.includes(word.split('=', 1)[0] ?? ''));
}

/** Linux takes no argument above this many bytes (MAX_ARG_STRLEN), its ending NUL included. */
export const MAX_BRIEF_BYTES = 131_071;

/** Why a text can be no session's prompt; undefined when it can. */
export function briefProblem(brief: string): string | undefined {
  if (brief.trim() === '') return 'it is empty';
  if (brief.includes('\0')) return 'it holds a NUL byte';
  const bytes = new TextEncoder().encode(brief).length;
  if (bytes > MAX_BRIEF_BYTES)
    return `it has ${bytes} bytes, and ${MAX_BRIEF_BYTES} is the most that a command can be given`;
  return undefined;
}
