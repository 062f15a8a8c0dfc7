// Scripts in TypeScript that use the test support: bundled beside it, run, and removed.
import { rmSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = new URL('..', import.meta.url).pathname;

/** Runs a TypeScript file of this project as `.NAME.mjs` beside the test support. */
export async function runBundled(name, entry) {
  const outfile = `${root}test/support/.${name}.mjs`;
  try {
    await build({
      absWorkingDir: root,
      entryPoints: [entry],
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node20.19',
      external: ['esbuild'],
      logLevel: 'warning',
    });
    await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(outfile, { force: true });
  }
}
