import type { JsonLine, RosterRow, World } from '../support/world.ts';

/** A message whose answer is that Bash call. */
export function bashCall(input: { command: string; run_in_background?: boolean }): string {
  return `CALL:Bash:${JSON.stringify({ description: 't', ...input })}END`;
}

/** What was said to a session, in order: the text of each user line. */
export function userTexts(lines: JsonLine[]): string[] {
  return lines.filter((line) => line.type === 'user').map((line) => textOf(line));
}

/** The text of a transcript line's message. */
export function textOf(line: JsonLine): string {
  const { content } = line.message as { content: string | { text?: string; content?: string }[] };
  return typeof content === 'string' ? content : content.map((block) => block.text ?? block.content ?? '').join('\n');
}

/** A row's sid; a row without one is an error. */
export function sidOf(row: RosterRow): string {
  if (!row.sessionId) throw new Error(`no sessionId in ${JSON.stringify(row)}`);
  return row.sessionId;
}

/** The reasons of the SessionEnd hooks that ran for a sid. */
export async function endReasons(world: World, sid: string): Promise<(string | undefined)[]> {
  const calls = await world.hookLog();
  return calls
    .filter((call) => call.session_id === sid && call.hook_event_name === 'SessionEnd')
    .map(({ reason }) => reason);
}
