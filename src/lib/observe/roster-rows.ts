import type { Sourced } from '../reading.ts';
import { isSessionId, isShortId } from '../words/session-id.ts';

/**
 * One row of `claude agents --json`, as far as it can be trusted: a field of the wrong type or shape is absent, never
 * guessed. A row is a session only with a pid (of 96 rows measured, 28 had one: the rest were finished background records).
 */
export interface RosterRow {
  kind: 'interactive' | 'background' | 'unknown';
  pid?: number;
  /** Short id of a background session. */
  id?: string;
  sessionId?: string;
  name?: string;
  cwd?: string;
  /** Milliseconds since 1970. */
  startedAt?: number;
  /** `idle`, `busy`, `waiting`, or a word of a newer version. */
  status?: string;
  waitingFor?: string;
  /** The daemon's word for a background job; says nothing of liveness. */
  state?: string;
}

const MAX_ROWS = 20_000;

/**
 * The rows of one roster answer. Refuses (ok: false) what is not a JSON array of objects: empty output, a torn
 * document, the agent list that is printed when agent view is disabled. An empty array is an answer: no session.
 */
export function parseRoster(text: string): Sourced<RosterRow[]> {
  if (text.trim() === '') return { ok: false, why: 'the roster is empty output' };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { ok: false, why: 'the roster is not JSON' };
  }
  return rosterOf(value);
}

/** The rows of a roster document that is JSON already; see parseRoster. */
export function rosterOf(value: unknown): Sourced<RosterRow[]> {
  if (!Array.isArray(value)) return { ok: false, why: 'the roster is not a JSON array' };
  if (value.length > MAX_ROWS) return { ok: false, why: `the roster has more than ${MAX_ROWS} rows` };
  const rows: RosterRow[] = [];
  for (const item of value) {
    if (typeof item !== 'object' || item === null || Array.isArray(item)) {
      return { ok: false, why: 'the roster holds something that is no row' };
    }
    const row = item as Record<string, unknown>;
    if (!('kind' in row) && !('sessionId' in row) && !('pid' in row)) {
      return { ok: false, why: 'the roster lists no sessions (agent view disabled?)' };
    }
    rows.push(parseRow(row));
  }
  return { ok: true, value: rows };
}

function parseRow(row: Record<string, unknown>): RosterRow {
  const out: RosterRow = { kind: row.kind === 'interactive' || row.kind === 'background' ? row.kind : 'unknown' };
  if (typeof row.pid === 'number' && Number.isInteger(row.pid) && row.pid > 0 && row.pid < 2 ** 31) out.pid = row.pid;
  if (typeof row.id === 'string' && isShortId(row.id)) out.id = row.id;
  if (typeof row.sessionId === 'string' && isSessionId(row.sessionId)) out.sessionId = row.sessionId;
  if (typeof row.startedAt === 'number' && Number.isFinite(row.startedAt)) out.startedAt = row.startedAt;
  for (const field of ['name', 'cwd', 'status', 'waitingFor', 'state'] as const) {
    const value = row[field];
    if (typeof value === 'string' && value !== '') out[field] = value.slice(0, 4096);
  }
  return out;
}
