import { bashCall } from '../contract/facts.ts';
import { rosterFault } from '../support/stand-in.ts';
import { killHard, taskOf } from '../support/supervised.ts';
import type { World } from '../support/world.ts';
import { briefOf, openDecisions, run, somebody, tasksIn } from './fleet.ts';
import type { Deeds } from './invariants.ts';
import type { Random } from './random.ts';

/** What happens to fleets; which is next is the seed's choice. */
export function eventsOf(world: World, random: Random, deeds: Deeds): Record<string, () => Promise<void>> {
  const tasksThat = (state: string) => tasksIn(world).filter((name) => taskOf(world, name).state === state);
  const pressed = (pane: string, ...words: string[]) => world.run('tmux', ['send-keys', '-t', pane, ...words]);
  const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

  return {
    'a session is killed': async () => {
      const one = await somebody(world, random);
      if (one === undefined) return;
      deeds.killed.add(one.pid);
      if (one.kind === 'background') deeds.respawning += 1;
      await killHard(world, one.pid);
    },
    'a Driver runs /clear': async () => {
      const one = await somebody(world, random, 'interactive');
      if (one?.pane === undefined || one.status !== 'idle' || deeds.drafts.has(one.pane)) return;
      await pressed(one.pane, '-l', '/clear');
      await pause(150);
      await pressed(one.pane, 'Enter');
    },
    'somebody leaves a draft': async () => {
      const one = await somebody(world, random, 'interactive');
      if (one?.pane === undefined || one.status !== 'idle') return;
      if (deeds.drafts.has(one.pane) || deeds.drafts.size > 4) return;
      const text = `draft-${random.below(1e6)}`;
      await pressed(one.pane, '-l', text);
      await pause(300);
      const { stdout } = await world.run('tmux', ['capture-pane', '-p', '-t', one.pane]);
      // A message or an exit that was under way in that moment has the box.
      if (stdout.includes(`❯\u00a0${text}`)) deeds.drafts.set(one.pane, { pid: one.pid, text });
    },
    'a session asks for permission': async () => {
      const one = await somebody(world, random);
      if (one?.sessionId === undefined || deeds.forbidden.length > 9) return;
      const file = `${world.root}/forbidden-${deeds.forbidden.length}`;
      deeds.forbidden.push(file);
      await run(world, 'session-msg', 'send', one.sessionId, bashCall({ command: `touch ${file}` }), '--wait', '2s');
    },
    'the roster fails for a sweep': async () => {
      rosterFault(world, { mode: random.pick(['garbage', 'empty', 'torn', 'exit1', 'hang']) ?? 'garbage' });
      await Promise.all([run(world, 'supervisor-sweep'), run(world, 'task-watcher', 'tick', '--all')]);
      rosterFault(world, undefined);
    },
    'a task is finished': async () => {
      const open = tasksThat('working');
      const name = open.length > 3 ? random.pick(open) : undefined;
      if (name !== undefined) await run(world, 'task-file', 'finish', name, '--without-board');
    },
    'a task waits for a person': async () => {
      const name = random.pick(tasksThat('working'));
      if (name !== undefined) await run(world, 'task-file', 'set', name, 'state=awaiting-human');
    },
    'a task is un-parked': async () => {
      const name = random.pick(tasksThat('parked'));
      if (name === undefined) return;
      deeds.reset.add(name);
      await run(world, 'task-file', 'unpark', name);
    },
    'a person answers': async () => {
      const one = random.pick(await openDecisions(world));
      const option = random.pick(one?.options ?? []);
      if (one === undefined || option === undefined) return;
      if (one.task !== null) deeds.reset.add(one.task);
      await run(world, 'decision-ledger', 'answer', one.id, option.id);
    },
    'somebody starts a session': async () => {
      const name = `own${random.below(1e6)}`;
      if ((await run(world, 'session-cap', 'admit', '--for', name)).code !== 0) return;
      await world.startInteractive({ prompt: 'hi', args: ['--name', name] });
    },
    'a Driver is started': async () => {
      const name = `new${random.below(1e6)}`;
      const kind = random.below(2) === 0 ? 'interactive' : 'background';
      const words = ['--cwd', `${world.root}/w`, '--brief', briefOf(world), '--kind', kind, '--wait', '20s'];
      await run(world, 'start-driver', name, ...words);
    },
    'a run claims its work': async () => {
      await run(world, 'session-run', '--preclaim', `soak:${random.below(8)}`, '--', 'true');
    },
  };
}
