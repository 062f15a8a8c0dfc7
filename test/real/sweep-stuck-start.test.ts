import { expect, it, vi } from 'vitest';
import { documentOf, fleet, stagehand } from '../support/fleet-commands.ts';
import { eachTestAWorld } from '../support/stand-in.ts';
import { editTask, eventsOf, setPolicy, sweep, sweepOf, taskOf } from '../support/supervised.ts';

// A start that can't be let go is tried for twenty seconds, each time it is met.
vi.setConfig({ testTimeout: 200_000 });
const world = eachTestAWorld();

const words = (task: string, cwd: string, kind: string) => [
  ...[task, '--cwd', cwd, '--brief', `${world().root}/brief.md`, '--kind', kind, '--json', '--wait', '15s'],
];
const brief = (text: string) => world().run('sh', ['-c', `printf '%s' '${text}' > ${world().root}/brief.md`]);
const started = async (task: string) => (await world().roster()).filter(({ name }) => name?.startsWith(`${task}-`));
const asked = async (kind: string) => {
  const { decisions } = documentOf(await fleet(world(), 'decision-ledger', ['list', '--json'])) as {
    decisions: { id: string; kind: string; state: string }[];
  };
  return decisions.filter((one) => one.kind === kind);
};

it('a start that can be neither verified nor let go is met a few times, then a person is asked, once', async () => {
  setPolicy(world());
  await sweep(world());
  await brief('SLOW900 the brief!');
  const garbling = stagehand(
    world(),
    'garbling-claude',
    'case " $* " in *" --name "*) b="${@: -1}"; set -- "${@:1:$#-1}" "${b%?}";; esac; exec claude "$@"',
  );
  const first = await fleet(world(), 'start-driver', words('garbled', await world().folder(), 'background'), {
    FLEET_CLAUDE: garbling,
  });
  expect(first, first.stderr).toMatchObject({ code: 70 });
  const [row] = await started('garbled');
  const kinds: string[] = [];
  for (let n = 0; n < 8; n++) {
    const { verdicts } = await sweepOf(world(), 'garbled');
    kinds.push(verdicts.revival?.kind ?? '');
    await fleet(world(), 'task-watcher', ['tick', 'garbled', '--json']);
  }
  // The start itself, and one each by the Supervisor and the watcher.
  expect(kinds).toEqual(['recover', ...Array(7).fill('stuck')]);
  expect(eventsOf(world(), 'garbled').filter((event) => event.endsWith('spawn-failed'))).toHaveLength(3);
  expect(await started('garbled')).toEqual([row]);
  expect(taskOf(world(), 'garbled')).not.toHaveProperty('driverSid');
  expect(await asked('driver-start-stuck')).toHaveLength(1);
  // A dead Driver before it, or revivals counted up to the cap, change nothing of that: no other is started beside it.
  editTask(world(), 'garbled', { driverSid: '5e551000-0000-4000-8000-00000000000c' });
  for (let n = 0; n < 3; n++) {
    expect((await sweepOf(world(), 'garbled')).verdicts.revival).toMatchObject({ kind: 'stuck', fires: false });
    await fleet(world(), 'task-watcher', ['tick', 'garbled', '--json']);
  }
  expect(taskOf(world(), 'garbled').driverRespawnTimes ?? []).toEqual([]);
  expect((await world().roster()).map(({ pid }) => pid)).toEqual([row?.pid]);
  // Somebody ends it: the next sweep forgets it, and the task is as any other whose Driver is dead.
  expect(await world().claude(['stop', row?.id ?? ''])).toMatchObject({ code: 0 });
  await world().until(async () => (await started('garbled')).length === 0, { what: 'it to be gone' });
  expect((await sweepOf(world(), 'garbled')).outcomes).toContain('revival recover done');
  expect(taskOf(world(), 'garbled')).not.toHaveProperty('spawnIntent');
});

it('one that stands on a dialog is left alone, asked about once, and is the Driver when somebody has answered it', async () => {
  setPolicy(world());
  await sweep(world());
  await brief('the brief');
  const cwd = await world().folder('fresh', { trusted: false });
  const killed = stagehand(
    world(),
    'killed-claude',
    `case " $* " in
       *" --name "*) node -e 'const fs=require("fs"),f=process.env.HOME+"/.claude.json",j=JSON.parse(fs.readFileSync(f));j.projects={};fs.writeFileSync(f,JSON.stringify(j))'; touch $HOME/spawned;;
       *agents*) [ -e $HOME/spawned ] && kill -9 $PPID;;
     esac
     exec claude "$@"`,
  );
  const first = await fleet(world(), 'start-driver', words('blocked', cwd, 'interactive'), { FLEET_CLAUDE: killed });
  expect(first.signal).toBe('SIGKILL');
  const { tmuxSession, sid } = taskOf(world(), 'blocked').spawnIntent as Record<string, string>;
  const target = `=${tmuxSession}:`;
  const screen = () => world().tmux.command(['capture-pane', '-p', '-t', target]);
  await world().until(async () => (await screen()).includes('No, exit'), { what: 'the dialog' });
  for (let n = 0; n < 5; n++) {
    const { verdicts } = await sweepOf(world(), 'blocked');
    expect(verdicts).toMatchObject({ liveness: { kind: 'blocked' }, revival: { fires: false } });
    await fleet(world(), 'task-watcher', ['tick', 'blocked', '--json']);
  }
  expect(await screen()).toContain('No, exit');
  expect(eventsOf(world(), 'blocked')).toEqual([]);
  expect(await asked('driver-blocked')).toHaveLength(1);
  await world().tmux.command(['send-keys', '-t', target, 'Down', 'Enter']);
  await world().until(async () => (await world().roster()).some(({ sessionId }) => sessionId === sid), {
    what: 'the session to begin',
  });
  await world().until(async () => (await sweepOf(world(), 'blocked')).verdicts.liveness?.kind === 'alive', {
    what: 'it to be the Driver',
  });
  expect(taskOf(world(), 'blocked')).toMatchObject({ driverSid: sid });
  expect(taskOf(world(), 'blocked')).not.toHaveProperty('spawnIntent');
  expect(await world().roster()).toHaveLength(1);
});
