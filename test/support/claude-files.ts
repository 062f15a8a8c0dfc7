import { mkdir, readdir, readFile, rename, rmdir, writeFile } from 'node:fs/promises';
import type { Places } from './backend.ts';
import { until } from './until.ts';

/** One row of `claude agents --json`. */
export interface RosterRow {
  pid?: number;
  id?: string;
  cwd: string;
  kind: string;
  startedAt: number;
  sessionId?: string;
  name?: string;
  status?: string;
  waitingFor?: string;
  state?: string;
}

/** One line of a transcript, or one hook call: fields vary by kind. */
export type JsonLine = Record<string, unknown>;

/** What a hook got on stdin. */
export interface HookCall {
  session_id: string;
  transcript_path: string;
  cwd: string;
  hook_event_name: string;
  reason?: string;
}

/** Writes the files that a fresh config dir needs: onboarding done, the stub's key approved, hooks that log. */
export async function furnish(places: Places, settings: JsonLine): Promise<void> {
  const log = { type: 'command', command: `printf '%s\\n' "$(cat)" >> "$HOME/hooks.jsonl"` };
  const hooks = { SessionEnd: [{ hooks: [log] }], Stop: [{ hooks: [log] }] };
  await writeFile(`${places.configDir}/settings.json`, JSON.stringify({ hooks, ...settings }, null, 2));
  const state = {
    hasCompletedOnboarding: true,
    customApiKeyResponses: { approved: ['-stub-not-a-real-key'], rejected: [] },
    projects: { [`${places.root}/w`]: { hasTrustDialogAccepted: true } },
  };
  await writeFile(`${places.home}/.claude.json`, JSON.stringify(state, null, 2));
}

/** Answers the trust dialog for a folder beforehand, under the lock that claude itself takes for this file. */
export async function trustFolder(places: Places, dir: string): Promise<void> {
  const file = `${places.home}/.claude.json`;
  const lock = `${file}.lock`;
  await until(() => mkdir(lock).then(() => true), { what: lock, interval: 20 });
  try {
    const state = JSON.parse(await readFile(file, 'utf8')) as { projects?: Record<string, JsonLine> };
    state.projects = { ...state.projects, [dir]: { ...state.projects?.[dir], hasTrustDialogAccepted: true } };
    await writeFile(`${file}.new`, JSON.stringify(state, null, 2));
    await rename(`${file}.new`, file);
  } finally {
    await rmdir(lock);
  }
}

/** True for the transcript line that ends a turn: an answer that calls no tool. */
export function endsTurn(line: JsonLine): boolean {
  return line.type === 'assistant' && (line.message as { stop_reason?: string }).stop_reason === 'end_turn';
}

/** The whole lines of a JSONL file; none when it does not exist. */
export async function jsonLines(file: string): Promise<JsonLine[]> {
  const text = await readFile(file, 'utf8').catch(() => '');
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  return whole
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as JsonLine);
}

/** The file of a session's transcript, wherever its folder's slug put it. */
export async function findTranscript(places: Places, sid: string): Promise<string | undefined> {
  const projects = `${places.configDir}/projects`;
  for (const slug of await readdir(projects).catch(() => [])) {
    const names: string[] = await readdir(`${projects}/${slug}`).catch(() => []);
    if (names.includes(`${sid}.jsonl`)) return `${projects}/${slug}/${sid}.jsonl`;
  }
  return undefined;
}
