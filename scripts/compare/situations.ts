import { bashCall, sidOf } from '../../test/contract/facts.ts';
import type { Pane, World } from '../../test/support/world.ts';

/** What somebody has typed and not sent. */
export const DRAFT = 'do not lose this';

interface Situation {
  prompt: string;
  /** The status that the roster gives once it is there. */
  status: string;
  draft?: boolean;
}

/** What sessions of a fleet are in at any time. A pending command makes the file `ran` if it is approved. */
export const SITUATIONS: Record<string, Situation> = {
  idle: { prompt: 'hi', status: 'idle' },
  'at a permission prompt': { prompt: bashCall({ command: 'touch ran' }), status: 'waiting' },
  'in a turn': { prompt: 'SLOW20 please', status: 'busy' },
  'with a draft in its box': { prompt: 'hi', status: 'idle', draft: true },
};

export function wanted(situation: string): Situation {
  const found = SITUATIONS[situation];
  if (found === undefined) throw new Error(`no situation ${situation}`);
  return found;
}

/** An interactive session that is in a situation. */
export async function paneIn(world: World, situation: string): Promise<{ cwd: string; sid: string; pane: Pane }> {
  const { prompt, status, draft } = wanted(situation);
  const cwd = await world.folder();
  const pane = await world.startInteractive({ prompt, cwd, args: ['--permission-mode', 'manual'] });
  const row = status === 'idle' ? await world.answered(pane) : await world.row(pane, { status });
  if (status === 'waiting') await world.shows(pane, /❯ 1\. Yes/);
  if (draft) {
    await world.type(pane, DRAFT);
    await world.shows(pane, DRAFT);
  }
  return { cwd, sid: sidOf(row), pane };
}
