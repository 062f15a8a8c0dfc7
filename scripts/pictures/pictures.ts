import { mkdirSync, writeFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { bashCall } from '../../test/contract/facts.ts';
import { Chromium, chromiumCommand } from '../../test/support/chromium.ts';
import { fleet } from '../../test/support/fleet-commands.ts';
import { makeReport } from '../../test/support/made-report.ts';
import { World } from '../../test/support/world.ts';
import { terminalPicture } from './terminal.ts';

// npm run pictures: the pictures of the README, of a fleet of stand-ins with made samples.

const COLUMNS = 96;
const OUT = 'docs/pictures';

const world = await World.create({ kind: 'sim', env: { CLAUDE_SIM_SPARES: '0' } });
mkdirSync(OUT, { recursive: true });
try {
  makeReport(`${world.configDir}/jobs`, 7 * 288, Date.now(), totalmem());
  await status();
  await report();
} finally {
  await world.destroy();
}

async function status(): Promise<void> {
  const cwd = await world.folder('shop');
  for (const [name, prompt] of [
    ['payments', 'hi'],
    ['refunds', 'SLOW20 please'],
    ['migration', bashCall({ command: 'make migrate' })],
  ] as const) {
    const pane = await world.startInteractive({
      name,
      prompt,
      cwd,
      args: ['--name', name, '--permission-mode', 'manual'],
    });
    await world.row(pane);
  }
  for (const name of ['nightly', 'review', 'docs']) await world.startBackground({ name, prompt: 'hi', cwd });
  await fleet(world, 'session-cap', ['admit', '--for', 'release-notes']);
  await world.row((row) => row.name === 'migration', { status: 'waiting' });
  const command = `${process.execPath} bin/session-cap.cjs status --max 12; echo shown; sleep 60`;
  const pane = await world.tmux.start(['bash', '--norc', '-c', command], {
    name: 'terminal',
    cwd: process.cwd(),
    width: COLUMNS,
    height: 30,
  });
  await world.shows(pane, 'shown');
  const { stdout } = await world.run('tmux', ['capture-pane', '-e', '-p', '-t', pane.id]);
  const screen = `$ session-cap status\n${stdout.slice(0, stdout.indexOf('shown'))}`;
  writeFileSync(`${OUT}/status.svg`, terminalPicture('session-cap status', screen, COLUMNS));
}

async function report(): Promise<void> {
  const command = chromiumCommand();
  if (command === undefined) throw new Error('the report’s picture needs a Chromium on PATH, or in CHROMIUM');
  const file = `${world.root}/report.html`;
  await fleet(world, 'session-cap', ['report', '--html', file]);
  const browser = new Chromium(command);
  try {
    const page = await browser.page();
    for (const scheme of ['light', 'dark'] as const) {
      await page.look({ width: 980, height: 1240, scheme });
      await page.open(`file://${file}`);
      writeFileSync(`${OUT}/report-${scheme}.png`, await page.picture({ beyondViewport: false }));
    }
  } finally {
    await browser.close();
  }
}
