import { fleet, stagehand } from '../../test/support/fleet-commands.ts';
import type { World } from '../../test/support/world.ts';
import type { Row } from './table.ts';

const CALLERS = 10;
const CEILING = 2;

/** Shell lines that start a background session unless the fleet is full; $1 is its name, $MAX the ceiling. */
const WAYS: Record<string, string> = {
  'no limit': 'exec claude --bg --name "$1" hi',
  '`claude agents --json \\| jq length`, then start': `
n=$(claude agents --json | jq length)
[ "$n" -lt "$MAX" ] && exec claude --bg --name "$1" hi`,
  'the same under `flock`': `
exec 9> "$HOME/lock"; flock 9
n=$(claude agents --json | jq length)
[ "$n" -lt "$MAX" ] && exec claude --bg --name "$1" hi`,
};

/** How many of ten starts at once, two below the ceiling or fewer, become sessions. */
export async function admission(world: World): Promise<Row[]> {
  const rows: Row[] = [];
  // `--bg` starts nothing in a folder that nobody has trusted.
  const cwd = await world.folder();
  for (const [name, script] of Object.entries(WAYS)) {
    const command = stagehand(world, `start${rows.length}`, `MAX=${CEILING}${script}`);
    rows.push(await tried(world, name, (who) => world.run(command, [who], { cwd })));
  }
  const ours = (who: string) =>
    fleet(
      world,
      'session-cap',
      ['run', '--for', who, '--max', String(CEILING), '--', 'claude', '--bg', '--name', who, 'hi'],
      {},
      cwd,
    );
  rows.push(await tried(world, '`session-cap run`', ours));
  return rows;
}

async function tried(world: World, name: string, start: (who: string) => Promise<unknown>): Promise<Row> {
  const whos = Array.from({ length: CALLERS }, (_, at) => `caller${at}`);
  await Promise.all(whos.map(start));
  const live = async () => (await world.roster()).filter((row) => row.pid !== undefined);
  // A start that was let through late shows up late.
  let most = 0;
  for (const began = Date.now(); Date.now() - began < 10_000; ) {
    most = Math.max(most, (await live()).length);
    await new Promise((done) => setTimeout(done, 500));
  }
  for (const { id } of await live()) if (id !== undefined) await world.claude(['stop', id]);
  await world.until(async () => (await live()).length === 0, { what: 'the started sessions to be gone' });
  const ok = most <= CEILING && most > 0;
  return {
    name,
    cells: { [`sessions, of ${CALLERS} starts at once with a ceiling of ${CEILING}`]: { ok, words: String(most) } },
  };
}
