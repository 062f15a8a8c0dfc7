import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { projectSlug } from '../../src/lib/observe/transcript-places.ts';
import { documentOf, fleet, stagehand } from './fleet-commands.ts';
import { type Pane, until, World, type WorldOptions } from './world.ts';

/** A stand-in world for each test of a file, ended after it. */
export function eachTestAWorld(options: Omit<WorldOptions, 'kind'> = {}): () => World {
  let world: World | undefined;
  beforeEach(async () => {
    world = await World.create({ ...options, kind: 'sim', env: { CLAUDE_SIM_SPARES: '0', ...options.env } });
  });
  afterEach(() => world?.destroy());
  return () => {
    if (world === undefined) throw new Error('the world was not made');
    return world;
  };
}

/** Makes the stand-in's roster calls fail so (see claude-sim/lib/faults.cjs); undefined mends them. */
export function rosterFault(world: World, wish: Record<string, unknown> | undefined): void {
  const file = join(world.configDir, 'sim', 'roster.json');
  rmSync(file, { force: true });
  if (wish === undefined) return;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(wish));
}

/** The roster is these rows, printed as they are. */
export function rosterOf(world: World, rows: readonly object[]): void {
  const file = join(world.root, 'rows.json');
  writeFileSync(file, JSON.stringify(rows));
  rosterFault(world, { mode: 'rows-file', file });
}

/** A claude in front of the world's own that notes each call; `calls` tells how many there were, with their words. */
export function countingClaude(world: World): { command: string; calls: () => string[] } {
  const log = join(world.root, 'claude-calls');
  const command = stagehand(world, 'counting-claude', `echo "$*" >> '${log}'\nexec claude "$@"`);
  return { command, calls: () => linesOf(log) };
}

/** The lines of a text file; none when it is not there. */
export function linesOf(file: string): string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
}

/** The records of one of the fleet's own JSON-lines files. */
export function recordsOf(world: World, name: string): Record<string, unknown>[] {
  return linesOf(ownFile(world, name)).map((line) => JSON.parse(line));
}

/** One of the fleet's own files. */
export function ownFile(world: World, name: string): string {
  return join(world.configDir, 'jobs', 'fleet', name);
}

/** Processes that only sleep and carry the world's HOME, so that the world ends them with itself. */
export function sleepers(world: World, count: number): number[] {
  return Array.from({ length: count }, () => {
    const child = spawn('sleep', ['600'], { env: world.env, stdio: 'ignore', cwd: world.root });
    child.unref();
    if (child.pid === undefined) throw new Error('sleep could not be started');
    return child.pid;
  });
}

/** Puts the config file of the world in place. */
export function configure(world: World, config: object | string): void {
  writeFileSync(join(world.root, 'fleet.json'), typeof config === 'string' ? config : JSON.stringify(config));
}

export interface MadeTranscript {
  sid: string;
  cwd: string;
  /** Age of the last write, ms. */
  ageMs: number;
  text?: string;
  /** Sub-agents' transcripts, by their age in ms. */
  subagents?: readonly number[];
}

/** Writes a transcript, and its sub-agents', as old as said. */
export function makeTranscript(world: World, { sid, cwd, ageMs, text, subagents = [] }: MadeTranscript): string {
  const folder = join(world.configDir, 'projects', projectSlug(cwd));
  const file = join(folder, `${sid}.jsonl`);
  mkdirSync(join(folder, sid, 'subagents'), { recursive: true });
  appendFileSync(file, text ?? `${JSON.stringify({ type: 'user', sessionId: sid })}\n`);
  setAge(file, ageMs);
  for (const [at, age] of subagents.entries()) {
    const agent = join(folder, sid, 'subagents', `agent-${at}.jsonl`);
    writeFileSync(agent, '{}\n');
    setAge(agent, age);
  }
  return file;
}

/** Sets the last write of a file back. */
export function setAge(file: string, ageMs: number): void {
  utimesSync(file, new Date(), new Date(Date.now() - ageMs));
}

/** `session-cap status --json`. */
export async function statusOf(world: World, ...args: string[]): Promise<Record<string, unknown>> {
  return documentOf(await fleet(world, 'session-cap', ['status', '--json', ...args]));
}

/** An idle interactive session with one turn behind it. */
export async function idleSession(
  world: World,
  options: Parameters<World['startInteractive']>[0] = {},
): Promise<{ pane: Pane; sid: string }> {
  const pane = await world.startInteractive({ prompt: 'hi', ...options });
  const row = await world.answered(pane);
  if (row.sessionId === undefined) throw new Error('the roster gives no session id');
  return { pane, sid: row.sessionId };
}

/** Waits until a file is there, and returns its text. */
export function fileText(file: string): Promise<string> {
  return until(() => existsSync(file) && readFileSync(file, 'utf8'), { what: file });
}
