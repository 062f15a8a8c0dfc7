import { rmSync } from 'node:fs';
import { expect, it } from 'vitest';
import { documentOf, fleet, stagehand } from '../support/fleet-commands.ts';
import { eachTestAWorld, idleSession, linesOf } from '../support/stand-in.ts';
import type { Pane } from '../support/world.ts';

const world = eachTestAWorld();
const TEXT = 'a text of several pieces, which is long enough for that\n'.repeat(3);

/** An idle session whose inbox is gone, so that it is typed to. */
async function typedTo(): Promise<{ pane: Pane; sid: string }> {
  const { pane, sid } = await idleSession(world());
  const note = await world().until(() => world().sessionFile(pane.pid), { what: 'the session file' });
  rmSync(String(note.messagingSocketPath));
  return { pane, sid };
}

/** A tmux in front of the real one: `on` is done before a call among whose words stands `what`, the `nth` time. */
const tmuxThat = (what: string, nth: number, on: string) =>
  stagehand(
    world(),
    'staged-tmux',
    `case "$*" in *"${what}"*) echo x >> ${world().root}/calls; [ "$(wc -l < ${world().root}/calls)" -eq ${nth} ] && { ${on}; sleep 0.5; };; esac
     exec tmux "$@"`,
  );

/** A claude whose roster, read once the text is typed, is preceded by something. */
const claudeThat = (on: string) =>
  stagehand(
    world(),
    'staged-claude',
    `[ "$1" = agents ] && [ -s ${world().root}/calls ] && { ${on}; }
     exec claude "$@"`,
  );

/** Sends and is refused; nothing of the text is said to the session. */
async function refused(sid: string, env: Record<string, string>): Promise<string> {
  const done = await fleet(world(), 'session-msg', ['send', sid, TEXT, '--json'], env);
  expect(documentOf(done), done.stdout + done.stderr).toMatchObject({
    verdict: 'refused',
    sent: false,
    route: 'typed',
  });
  await new Promise((over) => setTimeout(over, 500));
  expect(JSON.stringify(await world().transcript(sid))).not.toContain('several pieces');
  return String(documentOf(done).words);
}

const typing = ({ id }: Pane, keys: string) => `tmux send-keys -t ${id} ${keys}`;

it('a person who types between two pieces: no further piece is typed', async () => {
  const { pane, sid } = await typedTo();
  await refused(sid, { FLEET_TMUX: tmuxThat(' -H ', 2, typing(pane, '-l mine')) });
  expect(linesOf(`${world().root}/calls`)).toHaveLength(2);
});

it('a person who types after the last piece: the box is read again right before Enter', async () => {
  const { pane, sid } = await typedTo();
  const env = {
    FLEET_TMUX: tmuxThat(' -H ', 0, 'true'),
    FLEET_CLAUDE: claudeThat(`${typing(pane, '-l mine')}; sleep 0.5`),
  };
  expect(await refused(sid, env)).toContain('the box changed');
});

it('a session that begins a turn meanwhile: no Enter', async () => {
  const { sid } = await typedTo();
  const busy = claudeThat(`claude "$@" | sed 's/"idle"/"busy"/g'; exit`);
  expect(await refused(sid, { FLEET_TMUX: tmuxThat(' -H ', 0, 'true'), FLEET_CLAUDE: busy })).toContain('busy');
});

it('a box that is emptied right before Enter: tmux itself does not press it', async () => {
  const { pane, sid } = await typedTo();
  const env = { FLEET_TMUX: tmuxThat(' Enter', 1, typing(pane, 'C-u C-u C-u C-u')) };
  expect(await refused(sid, env)).toContain('right before the key');
});
