import type { Sourced } from '../reading.ts';
import type { Environment } from '../store/places.ts';
import { safeText } from '../words/safe-text.ts';
import type { ScreenCapture } from './screen.ts';
import { runTmux } from './tmux.ts';

/** A pane's visible screen with its colours, and what tmux said of the pane in the same call. */
export interface PaneScreen extends ScreenCapture {
  panePid: number;
  dead: boolean;
  inMode: boolean;
  attached: number;
}

const FORMAT = [
  'pane_pid',
  'pane_dead',
  'pane_in_mode',
  'session_attached',
  'pane_width',
  'pane_height',
  'cursor_x',
  'cursor_y',
  'cursor_flag',
]
  .map((name) => `#{${name}}`)
  .join(':');

/** Reads one pane's screen and state in one tmux call. A pane that vanished is a failed reading. */
export async function captureScreen(env: Environment, socket: string, paneId: string): Promise<Sourced<PaneScreen>> {
  const outcome = await runTmux(env, socket, [
    'display-message', '-p', '-t', paneId, FORMAT, ';',
    'capture-pane', '-p', '-e', '-t', paneId,
  ]); // biome-ignore format: two tmux commands, a line each
  if (outcome.kind !== 'ended') return { ok: false, why: `tmux: ${outcome.kind}` };
  if (outcome.code !== 0)
    return { ok: false, why: safeText(outcome.stderr.trim(), 120) || `tmux ended with ${outcome.code}` };
  const cut = outcome.stdout.indexOf('\n');
  const fields = outcome.stdout.slice(0, cut).split(':').map(Number);
  const [panePid, dead, inMode, attached, width, height, cursorX, cursorY, cursorFlag] = fields;
  if (
    fields.length !== 9 ||
    panePid === undefined ||
    attached === undefined ||
    width === undefined ||
    height === undefined ||
    cursorX === undefined ||
    cursorY === undefined ||
    fields.some(Number.isNaN)
  ) {
    return { ok: false, why: 'tmux printed a pane state of another shape' };
  }
  return {
    ok: true,
    value: {
      panePid,
      dead: dead === 1,
      inMode: inMode !== 0,
      attached,
      width,
      height,
      cursorX,
      cursorY,
      cursorVisible: cursorFlag === 1,
      ansi: outcome.stdout.slice(cut + 1),
    },
  };
}
