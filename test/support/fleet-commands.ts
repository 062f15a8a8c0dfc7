import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Finished, World } from './world.ts';

const BIN = join(import.meta.dirname, '..', '..', 'bin');

export type FleetCommand =
  | 'session-cap'
  | 'session-exit'
  | 'session-msg'
  | 'start-driver'
  | 'driver-kickoff'
  | 'task-file'
  | 'decision-ledger'
  | 'supervisor-sweep'
  | 'task-watcher'
  | 'lane-nudge'
  | 'watcher-doctor'
  | 'task-claim'
  | 'session-run'
  | 'fleet-schedule';

/** Runs a command of this project inside a world, as its users do. */
export function fleet(
  world: World,
  command: FleetCommand,
  args: readonly string[],
  env: Record<string, string> = {},
  cwd = world.root,
): Promise<Finished> {
  return world.run(process.execPath, [join(BIN, `${command}.cjs`), ...args], { env, cwd, timeout: 120_000 });
}

/** The JSON document that a command printed. */
export function documentOf(done: Finished): Record<string, unknown> {
  try {
    return JSON.parse(done.stdout);
  } catch {
    throw new Error(`no JSON document; exit ${done.code}, stdout ${done.stdout}, stderr ${done.stderr}`);
  }
}

/**
 * A command in front of another, to play a fault: a shell script in the world's folder. `$real` is what it stands for;
 * use the returned path as FLEET_CLAUDE or FLEET_TMUX.
 */
export function stagehand(world: World, name: string, script: string): string {
  const file = join(world.root, name);
  writeFileSync(file, `#!/bin/bash\n${script}\n`);
  chmodSync(file, 0o755);
  return file;
}
