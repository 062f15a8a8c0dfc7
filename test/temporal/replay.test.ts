import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleWorkflowCode, DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tempFolder } from '../support/script.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const HISTORIES = join(ROOT, 'test/fixtures/histories');
const names = readdirSync(HISTORIES).filter((name) => name.endsWith('.json'));
const logger = new DefaultLogger('ERROR', () => {});
// Beside node_modules, where the workflow's own library is found.
const temp = tempFolder(join(ROOT, 'node_modules'));

/** The workflow as a worker bundles it, with its sources changed by `edit`. */
async function bundled(name: string, edit: (source: string, file: string) => string = (source) => source) {
  const outfile = join(temp.path, `${name}.cjs`);
  await build({
    entryPoints: [join(ROOT, 'src/lib/temporal/workflow.ts')],
    outfile,
    bundle: true,
    format: 'cjs',
    platform: 'node',
    external: ['@temporalio/*'],
    plugins: [
      {
        name: 'edit',
        setup: ({ onLoad }) => {
          onLoad({ filter: /src\/lib\/.*\.ts$/ }, ({ path }) => ({
            contents: edit(readFileSync(path, 'utf8'), path),
            loader: 'ts',
          }));
        },
      },
    ],
  });
  return bundleWorkflowCode({ workflowsPath: outfile, logger });
}

type Bundle = Awaited<ReturnType<typeof bundled>>;
const replay = (workflowBundle: Bundle, name: string) =>
  Worker.runReplayHistory({ workflowBundle }, JSON.parse(readFileSync(join(HISTORIES, name), 'utf8')));

/** Which histories a changed workflow breaks. */
async function broken(workflowBundle: Bundle): Promise<string[]> {
  const failed: string[] = [];
  for (const name of names) {
    try {
      await replay(workflowBundle, name);
    } catch (error) {
      expect(error).toMatchObject({ name: 'DeterminismViolationError' });
      failed.push(name.replace('.json', ''));
    }
  }
  return failed;
}

beforeAll(() => {
  Runtime.install({ logger, telemetryOptions: { logging: { forward: { level: 'ERROR' } } } });
});
afterAll(() => temp.remove());

describe('watchers that were recorded on a real server go on with today’s workflow', () => {
  let today: Bundle;
  beforeAll(async () => {
    today = await bundled('today');
  });
  it.each(names)('%s', (name) => replay(today, name));
});

// Else anything could pass the test above.
it.each<[string, string, string, string, string[]]>([
  [
    'waits before it looks',
    'lib/temporal/workflow.ts',
    'const look = await probe(watch);',
    'await condition(() => false, 1); const look = await probe(watch);',
    names.map((name) => name.replace('.json', '')),
  ],
  [
    'does not write its end',
    'lib/temporal/workflow.ts',
    'await close(watch, end);',
    '',
    names.map((name) => name.replace('.json', '')).filter((name) => !/cancelled|new-run-1/.test(name)),
  ],
  [
    'revives once more a day',
    'lib/decide/watcher/tick.ts',
    'if (recent >= policy.max)',
    'if (recent > policy.max)',
    ['spends-its-revivals'],
  ],
  [
    'wakes once more',
    'lib/decide/watcher/tick.ts',
    'memory.nudges >= policy.nudges',
    'memory.nudges > policy.nudges',
    ['fails-wedged'],
  ],
])('a workflow that %s breaks them', async (name, file, from, to, histories) => {
  let edits = 0;
  const changed = await bundled(name.replaceAll(' ', '-'), (source, path) => {
    if (!path.endsWith(file)) return source;
    edits += 1;
    expect(source).toContain(from);
    return source.replace(from, to);
  });
  expect(edits).toBe(1);
  expect(await broken(changed)).toEqual(histories);
});
