// npm run demo: builds the demo beside the test support that it uses, runs it, and removes it.
import { rmSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = new URL('..', import.meta.url).pathname;
const outfile = `${root}test/support/.demo.mjs`;
try {
  await build({
    absWorkingDir: root,
    entryPoints: ['scripts/demo/demo.ts'],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    logLevel: 'warning',
  });
  await import(pathToFileURL(outfile).href);
} finally {
  rmSync(outfile, { force: true });
}
