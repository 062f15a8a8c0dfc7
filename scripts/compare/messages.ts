import { existsSync } from 'node:fs';
import { userTexts } from '../../test/contract/facts.ts';
import { fleet } from '../../test/support/fleet-commands.ts';
import { isAlive } from '../../test/support/processes.ts';
import type { Pane, World } from '../../test/support/world.ts';
import { DRAFT, paneIn, SITUATIONS, wanted } from './situations.ts';
import type { Cell, Row } from './table.ts';

const TEXT = 'the build is green again';

type Way = (world: World, pane: Pane, sid: string) => Promise<unknown>;

const WAYS: Record<string, Way> = {
  '`tmux send-keys TEXT Enter`': (world, pane) => world.run('tmux', ['send-keys', '-t', pane.id, TEXT, 'Enter']),
  '`tmux paste-buffer`, then Enter': async (world, pane) => {
    await world.run('tmux', ['set-buffer', '-b', 'message', TEXT]);
    await world.run('tmux', ['paste-buffer', '-p', '-b', 'message', '-t', pane.id]);
    await world.run('tmux', ['send-keys', '-t', pane.id, 'Enter']);
  },
  '`session-msg send`': (world, _pane, sid) => fleet(world, 'session-msg', ['send', sid, TEXT, '--wait', '5s']),
};

/** What each way of telling an interactive session something does in each situation. */
export async function messages(world: World): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [name, way] of Object.entries(WAYS)) {
    const cells: Record<string, Cell> = {};
    for (const situation of Object.keys(SITUATIONS)) {
      const { cwd, sid, pane } = await paneIn(world, situation);
      await way(world, pane, sid);
      cells[situation] = await outcome(world, { pane, sid, cwd, draft: wanted(situation).draft === true });
      if (isAlive(pane.pid)) await world.run('kill', ['-9', String(pane.pid)]);
    }
    rows.push({ name, cells });
  }
  return rows;
}

interface Told {
  pane: Pane;
  sid: string;
  cwd: string;
  draft: boolean;
}

/** What came of it once it arrived, or after half a minute. */
async function outcome(world: World, { pane, sid, cwd, draft }: Told): Promise<Cell> {
  const began = Date.now();
  let text: string | undefined;
  let queued = false;
  while (Date.now() - began < 25_000 && !existsSync(`${cwd}/ran`)) {
    const lines = await world.transcript(sid);
    const waiting = lines.filter(({ type, operation }) => type === 'queue-operation' && operation === 'enqueue');
    text = userTexts(lines).find((one) => one.includes(TEXT));
    queued = text === undefined && waiting.some(({ content }) => String(content).includes(TEXT));
    if (text !== undefined || queued) break;
    await new Promise((done) => setTimeout(done, 300));
  }
  const bad: string[] = [];
  if (existsSync(`${cwd}/ran`)) bad.push('**the pending command ran**');
  if (draft && (text?.includes(DRAFT) ?? false)) bad.push('**the draft was sent with it**');
  else if (draft && !(await world.screen(pane)).includes(DRAFT)) bad.push('**draft lost**');
  if (text === undefined && !queued && bad.length === 0) bad.push('did not arrive');
  return { ok: bad.length === 0, words: bad.length > 0 ? bad.join(', ') : queued ? 'queued' : 'arrived' };
}
