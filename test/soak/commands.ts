import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { World } from '../support/world.ts';
import { briefOf, living, openDecisions, tasksIn } from './fleet.ts';
import type { Deeds } from './invariants.ts';
import type { Random } from './random.ts';

const BIN = join(import.meta.dirname, '..', '..', 'bin');

type Words = [command: string, ...args: string[]];

/** Every command with words that change something where it can, to be ended anywhere. */
async function commandsOf(world: World, random: Random): Promise<Words[]> {
  const brief = briefOf(world);
  const sid = random.pick(await living(world))?.sessionId ?? 'nobody';
  const tasks = tasksIn(world);
  const task = random.pick(tasks.filter((name) => !name.startsWith('old'))) ?? 'task0';
  const decision = random.pick(await openDecisions(world));
  const key = `soak:${random.below(8)}`;
  return [
    ['supervisor-sweep'],
    ['supervisor-sweep', task],
    ['task-watcher', 'tick', '--all'],
    ['task-watcher', 'stop', task],
    ['task-watcher', 'start', task],
    ['session-cap', 'status'],
    ['session-cap', 'admit', '--for', `nobody${random.below(1e6)}`, '--ttl', '15s'],
    ['session-cap', 'expire'],
    ['session-cap', 'reap'],
    ['session-cap', 'sample'],
    ['session-cap', 'report'],
    ['session-exit', sid],
    ['session-msg', 'send', sid, 'a word from the soak', '--wait', '3s'],
    ['session-msg', 'inbox', sid],
    ['start-driver', `new${random.below(1e6)}`, '--cwd', `${world.root}/w`, '--brief', brief],
    ['start-driver', `new${random.below(1e6)}`, '--cwd', `${world.root}/w`, '--brief', brief, '--kind', 'interactive'],
    ['driver-kickoff', task],
    ['task-file', 'set', task, `note=${random.below(1e6)}`],
    ['task-file', 'list'],
    ['decision-ledger', 'raise', '--task', task, '--title', 'which?', '--option', 'a=A', '--option', 'b=B'],
    ['decision-ledger', 'answer', decision?.id ?? 'd0', random.pick(decision?.options ?? [])?.id ?? 'a'],
    ['watcher-doctor', '--fix'],
    ['lane-nudge', 'arm', 'soak', '--sid', sid, '--every', '2s', '--text', 'still there?'],
    ['lane-nudge', 'tick'],
    ['task-claim', 'acquire', key, '--ttl', '5s'],
    ['task-claim', 'reap'],
    ['session-run', '--preclaim', key, '--ttl', '5s', '--', 'sleep', '2'],
    ['fleet-schedule', 'print', '--target', 'cron'],
  ];
}

/** Starts a command and ends it with kill -9 in the middle; what it started stays. */
export async function endSomeCommand(world: World, random: Random, deeds: Deeds): Promise<void> {
  const [command, ...args] = random.pick(await commandsOf(world, random)) ?? ['supervisor-sweep'];
  // What an answer or a kickoff may reset is not asked after.
  if (command === 'decision-ledger') for (const name of tasksIn(world)) deeds.reset.add(name);
  const child = spawn(process.execPath, [`${BIN}/${command}.cjs`, ...args], { env: world.env, stdio: 'ignore' });
  const gone = new Promise((done) => child.once('exit', done));
  await Promise.race([
    gone,
    new Promise((done) => setTimeout(done, 50 + random.below(random.pick([150, 400, 1500]) ?? 0))),
  ]);
  if (child.exitCode === null) {
    child.kill('SIGKILL');
    await gone;
    deeds.ended[command] = (deeds.ended[command] ?? 0) + 1;
  }
}
