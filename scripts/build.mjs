// Bundles each command into dist/: one CommonJS file with its words, and one for each action that it loads on demand, so
// that a call parses only what it uses. CommonJS because Node starts it faster than ES modules (docs/benchmarks.md).
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'esbuild';

const root = new URL('..', import.meta.url).pathname;
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const sources = (folder) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${folder}/${name}`);

/** What is imported dynamically becomes a file of its own in dist/lazy/. */
const lazy = new Set(
  [
    ...sources('src/actions'),
    'src/lib/store/config-schema.ts',
    'src/lib/report/html.ts',
    'src/lib/observe/macos-processes.ts',
    'src/lib/temporal/client.ts',
    'src/lib/claims/postgres.ts',
  ].map((name) => join(root, name)),
);
const split = (here) => ({
  name: 'split',
  setup(builder) {
    builder.onResolve({ filter: /\.ts$/ }, ({ path, kind, resolveDir }) => {
      if (kind !== 'dynamic-import' || !lazy.has(join(resolveDir, path))) return undefined;
      return { path: `${here}/${basename(path, '.ts')}.cjs`, external: true };
    });
  },
});

const common = {
  absWorkingDir: root,
  bundle: true,
  format: 'cjs',
  platform: 'node',
  target: 'node20.19',
  minify: true,
  supported: { 'dynamic-import': false },
  outExtension: { '.js': '.cjs' },
  define: { __FLEET_VERSION__: JSON.stringify(version) },
  mainFields: ['module', 'main'],
  external: ['pg-native'],
  metafile: true,
  logLevel: 'warning',
};

// Made beside it and put in its place at the end: whoever runs the commands meanwhile finds them whole.
const next = `dist.next-${process.pid}`;
const built = [
  await build({ ...common, entryPoints: ['src/launch.ts'], outdir: next }),
  await build({ ...common, entryPoints: sources('src/commands'), outdir: next, plugins: [split('./lazy')] }),
  await build({
    ...common,
    entryPoints: [...lazy],
    outdir: `${next}/lazy`,
    outbase: 'src',
    entryNames: '[name]',
    plugins: [split('.')],
  }),
  // Temporal's worker bundles this once more, with the installed version of its own library, at each start.
  await build({
    ...common,
    entryPoints: ['src/lib/temporal/workflow.ts'],
    outdir: `${next}/lazy`,
    external: ['@temporalio/*'],
    minify: false,
  }),
];

// The bundles hold other people's work: their licences go with it.
const inputs = built.flatMap(({ metafile }) => Object.keys(metafile.inputs));
const libraries = new Set(inputs.flatMap((name) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(name)?.[1] ?? []));
const licences = [...libraries].sort().map((name) => {
  const folder = join(root, 'node_modules', name);
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  return `${name}\n${'='.repeat(name.length)}\n\n${file === undefined ? '' : readFileSync(join(folder, file), 'utf8')}`;
});
writeFileSync(join(root, next, 'THIRD-PARTY-LICENSES.txt'), licences.join('\n\n'));
rmSync(join(root, 'dist'), { recursive: true, force: true });
renameSync(join(root, next), join(root, 'dist'));
