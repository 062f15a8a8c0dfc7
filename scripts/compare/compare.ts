import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { World } from '../../test/support/world.ts';
import { admission } from './admission.ts';
import { leavingBackground, leavingPanes } from './leaving.ts';
import { messages } from './messages.ts';
import { markdown, type Row } from './table.ts';

// npm run compare: what people do without this toolkit, and what it does, on the same sessions of the real Claude Code (the
// one of test/e2e; the stand-in where that is not installed). `--write` puts the tables into docs/comparison.md.

const real = existsSync('test/e2e/node_modules/@anthropic-ai/claude-code/package.json');
const parts: [title: string, head: string, rows: (world: World) => Promise<Row[]>][] = [
  ['An interactive session is to go', 'way', leavingPanes],
  ['A background session is to go', 'way', leavingBackground],
  ['A session is to be told something', 'way', messages],
  ['No more sessions than the machine can hold', 'way', admission],
];
const only = process.argv.slice(2).filter((word) => !word.startsWith('--'));

const sections = new Map<string, string>();
for (const [title, head, rows] of parts) {
  if (only.length > 0 && !only.some((word) => title.includes(word))) continue;
  const world = await World.create({ kind: real ? 'real' : 'sim' });
  try {
    // A tmux server ends with its last session, and one that is ending takes no new one.
    await world.tmux.start(['sleep', '86400'], { name: 'keeper', cwd: world.root });
    sections.set(title, `### ${title}\n\n${markdown(head, await rows(world))}\n\n`);
    process.stdout.write(sections.get(title) ?? '');
  } finally {
    await world.destroy();
  }
}

const version = real
  ? `Claude Code ${JSON.parse(readFileSync('test/e2e/node_modules/@anthropic-ai/claude-code/package.json', 'utf8')).version}`
  : 'the stand-in';
if (process.argv.includes('--write')) {
  const file = 'docs/comparison.md';
  const text = readFileSync(file, 'utf8');
  // What was not asked for this time stays as it was.
  const before = new Map(
    text.split(/^(?=### |<!-- end -->)/m).map((part) => [/^### (.*)/.exec(part)?.[1] ?? '', part]),
  );
  const all = parts.map(([title]) => sections.get(title) ?? before.get(title) ?? '');
  const table = `<!-- table -->\n\n${version}, on ${process.platform}.\n\n${all.join('')}<!-- end -->`;
  writeFileSync(
    file,
    text.replace(/<!-- table -->[\s\S]*<!-- end -->/, () => table),
  );
}
