import { parseScreen } from './cells.ts';

/**
 * Whether a screen of `claude agents` shows its list, with the box for a new session empty below it. When a session is
 * opened from it, that session's own screen takes its place. The box of the list has a plain space behind its sign.
 */
export function showsAgentsList(ansi: string): boolean {
  return parseScreen(ansi).some((row) => row.text.startsWith('❯ describe a task for a new session'));
}
