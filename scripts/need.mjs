// need.mjs TOOL…: says in one line which programs are missing and how to get them.
import { spawnSync } from 'node:child_process';

const missing = process.argv.slice(2).filter((tool) => spawnSync(tool, ['-V'], { stdio: 'ignore' }).error);
if (missing.length > 0) {
  process.stderr.write(
    `needed and not found: ${missing.join(', ')} (Debian: apt-get install ${missing.join(' ')}; macOS: brew install ${missing.join(' ')})\n`,
  );
  process.exitCode = 69;
}
