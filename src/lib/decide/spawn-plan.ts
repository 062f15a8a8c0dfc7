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

/** What Claude Code takes out of a prompt (seen on 2.1.328), and characters like it. A NUL is refused elsewhere. */
const UNSEEN = /(?![\n\t\0])[\p{Cc}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb\u{13430}-\u{1343f}]/u;

/**
 * Unseen characters that change what is seen, where Claude Code is known to keep them: the joiners and selectors in an emoji, and
 * the joiners between letters of Arabic script (Persian words have them) and after a virama. It keeps more, by rules of its own;
 * what is not surely kept is taken out, or its transcript would not show the brief.
 */
const KEPT = new RegExp(
  [
    String.raw`(?<=\p{Extended_Pictographic}[\u{1f3fb}-\u{1f3ff}]?\ufe0f?)\u200d(?=\p{Extended_Pictographic})`,
    String.raw`(?<=\p{Extended_Pictographic}|[#*0-9](?=\ufe0f\u20e3))\ufe0f`,
    String.raw`(?<=(?=\p{L})\p{Script=Arabic})\u200c(?=(?=\p{L})\p{Script=Arabic})`,
    String.raw`(?<=[\u094d\u09cd\u0d4d])[\u200c\u200d](?=\p{L})`,
    `(${UNSEEN.source})`,
  ].join('|'),
  'gu',
);

/**
 * A brief as Claude Code keeps it: every line break is a newline, and what is neither seen nor a break is taken out (control
 * characters, a byte order mark, a joiner that joins nothing). Given it like this, its transcript shows it byte for byte.
 */
export function plainBrief(text: string): string {
  return text
    .replace(/\r\n|[\r\v\f\u0085\u2028\u2029]/g, '\n')
    .replace(KEPT, (found, unseen?: string) => (unseen === undefined ? found : ''));
}

/** A first word that Claude Code takes for a command, and runs or refuses without telling it to the session. */
const COMMAND = /^\s*\/[^\s/]*(?:\s|$)/;

/** Why a text can be no session's prompt; undefined when it can. */
export function briefProblem(brief: string): string | undefined {
  if (brief.trim() === '') return 'it is empty';
  if (brief.includes('\0')) return 'it holds a NUL byte';
  if (COMMAND.test(brief))
    return `it begins with ${brief.trimStart().split(/\s/, 1)[0]}, which would be run as a command`;
  const bytes = new TextEncoder().encode(brief).length;
  if (bytes > MAX_BRIEF_BYTES)
    return `it has ${bytes} bytes, and ${MAX_BRIEF_BYTES} is the most that a command can be given`;
  return undefined;
}
