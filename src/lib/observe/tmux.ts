import { existsSync } from 'node:fs';
import type { Sourced } from '../reading.ts';
import type { Environment } from '../store/places.ts';
import { safeText } from '../words/safe-text.ts';
import { boundedRun } from './bounded-run.ts';

/** One pane of one tmux server. */
export interface Pane {
  socket: string;
  /** `%12`; stable for the pane's life, so the only name we act on. */
  paneId: string;
  pid: number;
  dead: boolean;
  /** Copy mode or another mode takes the keys. */
  inMode: boolean;
  /** Clients attached to any session that shows this pane's window. */
  attached: number;
  width: number;
  height: number;
  /** The fleet's own mark (option `@session-fleet` of pane, window or session), or empty. */
  mark: string;
  session: string;
  windowIndex: number;
  startCommand: string;
}

export const TMUX_TIMEOUT_MS = 5000;

// tmux turns `:` in session names into `_`, so it separates; the start command may hold anything and stands last.
const FORMAT = [
  'pane_id',
  'pane_pid',
  'pane_dead',
  'pane_in_mode',
  'session_attached',
  'pane_width',
  'pane_height',
  'window_index',
  '@session-fleet',
  'session_name',
  'pane_start_command',
]
  .map((name) => `#{${name}}`)
  .join(':');

const LINE = /^(%\d+):(\d*):([01]?):(\d*):(\d+):(\d+):(\d+):(\d+):([^:]*):([^:]*):(.*)$/;

/** The panes of one `list-panes -a` answer. A pane of a window that several sessions show is one pane with all their clients. */
export function parsePanes(socket: string, text: string): Sourced<Pane[]> {
  const panes = new Map<string, Pane>();
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const hit = LINE.exec(line);
    if (!hit) return { ok: false, why: `tmux printed a line of another shape: ${safeText(line, 60)}` };
    const [
      ,
      paneId = '',
      pid,
      dead,
      mode,
      attached,
      width,
      height,
      windowIndex,
      mark = '',
      session = '',
      startCommand = '',
    ] = hit;
    const known = panes.get(paneId);
    if (known) {
      known.attached += Number(attached);
      continue;
    }
    panes.set(paneId, {
      socket,
      paneId,
      pid: Number(pid),
      dead: dead === '1',
      inMode: Number(mode) > 0,
      attached: Number(attached),
      width: Number(width),
      height: Number(height),
      windowIndex: Number(windowIndex),
      mark,
      session,
      startCommand,
    });
  }
  return { ok: true, value: [...panes.values()] };
}

/** The tmux command (`$FLEET_TMUX`) against one socket, by argv; `TMUX` of the caller must not choose the server. */
export function runTmux(env: Environment, socket: string, args: readonly string[]) {
  const { TMUX, TMUX_PANE, ...rest } = env;
  return boundedRun(env.FLEET_TMUX || 'tmux', ['-u', '-S', socket, ...args], { timeoutMs: TMUX_TIMEOUT_MS, env: rest });
}

/** All panes of one server, in one call. A socket without a server has none; anything else that fails is a failed reading. */
export async function readPanes(env: Environment, socket: string): Promise<Sourced<Pane[]>> {
  // Where nothing is there is no server, and no need to start a tmux to be told so.
  if (!existsSync(socket)) return { ok: true, value: [] };
  const outcome = await runTmux(env, socket, ['list-panes', '-a', '-F', FORMAT]);
  if (outcome.kind === 'ended' && outcome.code === 0) return parsePanes(socket, outcome.stdout);
  if (
    outcome.kind === 'ended' &&
    /^(no server running on|error connecting to .*(No such file|refused)|no sessions)/.test(outcome.stderr)
  ) {
    return { ok: true, value: [] };
  }
  // A tmux that is not found (cron's PATH is short) tells nothing of the server whose socket is there.
  const why =
    outcome.kind === 'ended'
      ? safeText(outcome.stderr.trim(), 120) || `tmux ended with ${outcome.code}`
      : `tmux: ${outcome.kind === 'failed' ? safeText(outcome.why, 120) : outcome.kind}`;
  return { ok: false, why: `${socket}: ${why}` };
}
