/** Variables by which a claude, started from inside a session, would take itself for that session's child (facts). */
export const SESSION_VARIABLES = [
  'CLAUDECODE',
  'CLAUDE_CODE_CHILD_SESSION',
  'CLAUDE_CODE_SESSION_ID',
  'CLAUDE_CODE_MESSAGING_SOCKET',
  'CLAUDE_CODE_MESSAGING_TOKEN',
  'CLAUDE_CODE_LAUNCHED_BY_SESSION_IDS',
  'CLAUDE_CODE_BRIDGE_SESSION_ID',
  'CLAUDE_CODE_ENTRYPOINT',
  'CLAUDE_PID',
] as const;

// A constant program: the brief and the words reach it as a file's name and as arguments, never as program text. The
// `x` keeps the brief's last newlines, which $( ) would drop. It becomes claude (exec), so no process stands between.
const PROGRAM = `unset ${SESSION_VARIABLES.join(' ')}; b=$(cat -- "$1"; printf x) || exit 66; b=\${b%x}; shift; exec "$@" -- "$b"`;

/**
 * The argv that starts claude with the content of a file as its prompt: past tmux's limit of about 16 KB a command, with no
 * quoting, pasting or typing.
 */
export function launcherArgv(briefFile: string, words: readonly string[]): string[] {
  return ['/bin/sh', '-c', PROGRAM, 'sh', briefFile, ...words];
}
