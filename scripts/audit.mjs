// npm audit, for .ci/run: fails on any known vulnerability of what is installed; where the registry has no audit service it
// says that nothing was checked, and is no failure.
import { spawnSync } from 'node:child_process';

const { stdout, error } = spawnSync('npm', ['audit', '--json'], {
  encoding: 'utf8',
  timeout: 120_000,
  maxBuffer: 64 << 20,
});
const { metadata, vulnerabilities = {}, message } = documentIn(stdout ?? '');
const total = metadata?.vulnerabilities?.total;
if (typeof total !== 'number')
  process.stdout.write(`npm audit: NOT CHECKED: ${message ?? error?.message ?? 'no answer'}\n`);
else {
  for (const { name, severity, range } of Object.values(vulnerabilities))
    process.stdout.write(`npm audit: ${severity}: ${name} ${range}\n`);
  process.stdout.write(`npm audit: ${total} known vulnerabilities\n`);
  process.exitCode = total > 0 ? 1 : 0;
}

function documentIn(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
