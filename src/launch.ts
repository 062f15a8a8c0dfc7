import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { Script } from 'node:vm';
import { makeFolder } from './lib/store/make-folder.ts';

/**
 * Loads a command's bundle with V8's compiled code from an earlier run: compiling is most of what a call of this toolkit
 * costs beyond Node itself. The cache lies with the fleet's own files, never in a shared temp folder: whoever can write it
 * can run code as us. (Node's own compile cache, of later versions, leaves pieces of itself on a full disk.)
 */
export function launch(bundle: string): { run: (words: readonly string[]) => Promise<number> } {
  return cachedRequire(bundle, cacheFolder()) as { run: (words: readonly string[]) => Promise<number> };
}

function cacheFolder(): string {
  const { FLEET_HOME, CLAUDE_CONFIG_DIR, HOME } = process.env;
  const home = FLEET_HOME || join(CLAUDE_CONFIG_DIR || join(HOME || '/', '.claude'), 'jobs');
  return resolve(home, 'fleet', 'cache');
}

function cachedRequire(file: string, folder: string): unknown {
  const source = readFileSync(file, 'utf8');
  const { size, mtimeMs } = statSync(file);
  // V8 refuses data of another version or other flags by itself; the name tells our own builds apart.
  const name = file.slice(file.lastIndexOf('/') + 1);
  const cacheFile = join(folder, `${name}-${size}-${Math.floor(mtimeMs)}-${process.version}`);
  const cachedData = readIfThere(cacheFile);
  const script = new Script(`(function(exports,require,module,__dirname){${source}\n})`, {
    filename: file,
    ...(cachedData === undefined ? {} : { cachedData }),
  });
  // A dry run changes nothing, not even here.
  const worthIt = (cachedData === undefined || script.cachedDataRejected) && !process.argv.includes('--dry-run');
  if (worthIt) process.on('exit', () => save(cacheFile, folder, script));
  const module = { exports: {} };
  // Bundles ask for one another by ./ and for Node's own modules; there is nothing else to ask for.
  const own = (id: string) => (id.startsWith('./') ? cachedRequire(join(dirname(file), id), folder) : require(id));
  script.runInThisContext()(module.exports, own, module, dirname(file));
  return module.exports;
}

function readIfThere(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

/** At exit, so that what the run compiled on the way is in it. A cache that can't be written is no error. */
function save(file: string, folder: string, script: Script): void {
  const temp = `${file}.${process.pid}`;
  try {
    makeFolder(folder, 0o700);
    writeFileSync(temp, script.createCachedData(), { mode: 0o600 });
    renameSync(temp, file);
    removeOld(folder);
  } catch {
    // The next run compiles again. On a full disk, a piece of a cache is the last thing to keep.
    try {
      rmSync(temp, { force: true });
    } catch {
      // Where no folder can be (a file has its name), there is no piece either.
    }
  }
}

/** What other builds and versions left and nobody has made anew for a month. */
function removeOld(folder: string): void {
  const month = Date.now() - 30 * 86_400_000;
  for (const name of readdirSync(folder)) {
    const old = join(folder, name);
    if ((statSync(old, { throwIfNoEntry: false })?.mtimeMs ?? month) < month) rmSync(old, { force: true });
  }
}
