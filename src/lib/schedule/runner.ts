import { type Plan, shWord } from './entries.ts';

/**
 * The script that every timer starts: one for all entries, so that a crontab's line stays short (cron cuts long ones) and that
 * `status` can say when each last ran and failed. An entry that still runs is not started beside itself by more than its own
 * command allows.
 */
export function runnerScript({ entries, node, binDir, stateDir, env }: Plan): string {
  const cases = entries.map(
    ({ name, command, args }) =>
      `${name}) set -- ${[node, `${binDir}/${command}.cjs`, ...args].map(shWord).join(' ')} ;;`,
  );
  return [
    '#!/bin/sh',
    '# Made by fleet-schedule; changes are lost at the next install.',
    'name=$1',
    'case $name in',
    ...cases,
    '*) echo "no entry $name" >&2; exit 64 ;;',
    'esac',
    ...Object.entries(env).map(([variable, value]) => `export ${variable}=${shWord(value)}`),
    `cd ${shWord('/')}`,
    `state=${shWord(stateDir)}`,
    'mkdir -p "$state"',
    'log=$state/$name.log.$$',
    '"$@" >"$log" 2>&1 </dev/null',
    'code=$?',
    'now=$(date -u +%Y-%m-%dT%H:%M:%SZ)',
    'printf "%s %s\\n" "$now" "$code" >"$state/$name.last.$$" && mv "$state/$name.last.$$" "$state/$name.last"',
    '# Refused for now (75) is no failure: the next run tries again.',
    'if [ "$code" -ne 0 ] && [ "$code" -ne 75 ]; then',
    '  { printf "%s %s\\n" "$now" "$code"; head -c 4000 "$log"; } >"$state/$name.failed.$$" &&',
    '    mv "$state/$name.failed.$$" "$state/$name.failed"',
    'fi',
    'rm -f "$log"',
    'exit "$code"',
    '',
  ].join('\n');
}
