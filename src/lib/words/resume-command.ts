/**
 * The shell line that brings a conversation back, in the folder it ran in; background sessions come back as such. A
 * folder whose name holds control characters is left out rather than printed.
 */
export function resumeCommand(sessionId: string, cwd: string | undefined, background: boolean): string {
  const command = `claude --resume ${sessionId}${background ? ' --bg' : ''}`;
  if (cwd === undefined || /[\u0000-\u001f\u007f-\u009f]/.test(cwd)) return command;
  return `cd ${shellWord(cwd)} && ${command}`;
}

/** One word of a POSIX shell line. */
export function shellWord(word: string): string {
  return /^[A-Za-z0-9_./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
