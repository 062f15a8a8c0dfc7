// Writes man pages, completions and JSON schemas from the command and document definitions.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = new URL('..', import.meta.url).pathname;
const temp = mkdtempSync(join(tmpdir(), 'sf-generate-'));
try {
  const outfile = join(temp, 'all.mjs');
  await build({
    absWorkingDir: root,
    entryPoints: ['scripts/generate/all.ts'],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'warning',
  });
  const { generatedFiles } = await import(pathToFileURL(outfile).href);
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  for (const [name, content] of generatedFiles(version)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content);
  }
} finally {
  rmSync(temp, { recursive: true });
}
