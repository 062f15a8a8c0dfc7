import { stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import type { Pane, World } from '../support/world.ts';
import { bashCall, sidOf, userTexts } from './facts.ts';
import { inEachWorld } from './worlds.ts';

/** Posts one JSON line to the inbox of a session. */
async function post(world: World, pid: number, line: unknown): Promise<void> {
  const note = await world.until(() => world.sessionFile(pid), { what: 'the session file' });
  const path = String(note.messagingSocketPath);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  await new Promise<void>((resolve, reject) => {
    const socket = connect(path, () =>
      socket.write(`${JSON.stringify(line)}\n`, () => setTimeout(() => socket.end(), 100)),
    );
    socket.on('error', reject).on('close', () => resolve());
  });
}

const message = (text: string) => ({ type: 'user', message: { role: 'user', content: text } });

async function heard(world: World, sid: string, text: string): Promise<string> {
  return world.until(async () => userTexts(await world.transcript(sid)).find((said) => said.includes(text)), {
    what: `${text} in the transcript`,
  });
}

/** Waits until the first message was answered, and gives the sid. */
async function idle(world: World, pane: Pane): Promise<string> {
  return sidOf(await world.answered(pane));
}

inEachWorld('delivery', (world) => {
  it('the prompt argument is the first user message, plain and of any length', async () => {
    const prompt = `first line\nsecond "line"\n${'x'.repeat(9000)}`;
    const pane = await world().startInteractive({ prompt });
    const sid = await idle(world(), pane);
    expect(userTexts(await world().transcript(sid))[0]).toBe(prompt);
    const { id } = await world().startBackground({ prompt, name: 'long-brief' });
    const row = await world().answered((candidate) => candidate.id === id);
    expect(userTexts(await world().transcript(sidOf(row)))[0]).toBe(prompt);
  });

  it('a prompt behind a variadic flag is swallowed; behind -- it is not', async () => {
    const args = ['--add-dir', await world().folder()];
    const pane = await world().startInteractive({ prompt: 'lost', args });
    const row = await world().row(pane, { status: 'idle' });
    const other = await world().startInteractive({ prompt: 'kept', args: [...args, '--'] });
    expect(userTexts(await world().transcript(await idle(world(), other)))[0]).toBe('kept');
    expect(await world().transcript(sidOf(row))).toEqual([]);
  });

  it('text that is typed arrives plain, also over several lines', async () => {
    const pane = await world().startInteractive({ prompt: 'hi' });
    const sid = await idle(world(), pane);
    await world().type(pane, 'typed one\ntyped two');
    await world().shows(pane, 'typed two');
    await world().keys(pane, 'Enter');
    expect(await heard(world(), sid, 'typed one')).toBe('typed one\ntyped two');
  });

  it('text that is pasted is shown as a mark and arrives in a frame', async () => {
    const pane = await world().startInteractive({ prompt: 'hi' });
    const sid = await idle(world(), pane);
    await world().tmux.command(['set-buffer', Array.from({ length: 6 }, (_, i) => `pasted ${i}`).join('\n')]);
    await world().tmux.command(['paste-buffer', '-p', '-t', pane.id]);
    await world().shows(pane, '[Pasted text #1 +5 lines]');
    await world().keys(pane, 'Enter');
    expect(await heard(world(), sid, 'pasted 5')).toContain('<pasted_content');
  });

  it('the inbox of an idle session starts a turn', async () => {
    const pane = await world().startInteractive({ prompt: 'hi' });
    const sid = await idle(world(), pane);
    await post(world(), pane.pid, message('mail for the idle'));
    expect(await heard(world(), sid, 'mail for the idle')).toMatch(/^Another Claude session sent a message:\n/);
    await world().shows(pane, /mail for the idle[\s\S]*● ok/);
  });

  it('the inbox of a busy session queues, and is taken after the turn', async () => {
    const pane = await world().startInteractive({ prompt: 'SLOW6' });
    const sid = sidOf(await world().row(pane, { status: 'busy' }));
    await heard(world(), sid, 'SLOW6');
    await post(world(), pane.pid, message('mail for the busy'));
    await world().until(async () =>
      (await world().transcript(sid)).some((line) => line.type === 'queue-operation' && line.operation === 'enqueue'),
    );
    expect(userTexts(await world().transcript(sid)).join()).not.toContain('mail for the busy');
    await heard(world(), sid, 'mail for the busy');
  });

  it('the inbox reaches a background session, and drops other shapes in silence', async () => {
    const { id } = await world().startBackground({ prompt: 'hi', name: 'mailed' });
    const row = await world().answered((candidate) => candidate.id === id);
    await post(world(), row.pid ?? 0, { type: 'message', text: 'of no known shape' });
    await post(world(), row.pid ?? 0, message('/exit'));
    // A slash command does not run from the inbox: it is only text.
    await heard(world(), sidOf(row), '/exit');
    await world().row((candidate) => candidate.id === id, { status: 'idle', pid: row.pid ?? 0 });
    expect(userTexts(await world().transcript(sidOf(row))).join()).not.toContain('of no known shape');
  });

  it('a session that bypasses permission prompts stops at a question for mail, unless it accepts', async () => {
    const skip = '"skipDangerousModePermissionPrompt":true';
    const start = async (more: string) => {
      const args = ['--dangerously-skip-permissions', '--settings', `{${skip}${more}}`];
      const pane = await world().startInteractive({ prompt: 'hi', args });
      return { pane, sid: await idle(world(), pane) };
    };
    const asking = await start('');
    await post(world(), asking.pane.pid, message('mail that asks'));
    await world().row(asking.pane, { status: 'waiting', waitingFor: 'permission prompt' });
    await world().shows(asking.pane, /❯ Deny/);
    const lines = await world().transcript(asking.sid);
    expect(lines.filter((line) => String(line.content).startsWith('Held peer message'))).toHaveLength(1);
    expect(userTexts(lines).join()).not.toContain('mail that asks');
    await world().keys(asking.pane, 'Enter');
    await world().row(asking.pane, { status: 'idle' });

    const accepting = await start(',"crossSessionInbound":"accept"');
    await post(world(), accepting.pane.pid, message('mail that is taken'));
    await heard(world(), accepting.sid, 'mail that is taken');
  });

  it('a session set to refuse mail leaves no trace of it; one set to hold it notes that', async () => {
    for (const [wish, notes] of [
      ['refuse', 0],
      ['hold', 1],
    ] as const) {
      const args = ['--settings', JSON.stringify({ crossSessionInbound: wish })];
      const pane = await world().startInteractive({ prompt: 'hi', args });
      const sid = await idle(world(), pane);
      await post(world(), pane.pid, message('unwanted mail'));
      await new Promise((done) => setTimeout(done, 3000));
      const lines = await world().transcript(sid);
      expect(lines.filter((line) => String(line.content).startsWith('Held peer message'))).toHaveLength(notes);
      expect(lines.filter(({ type }) => type === 'queue-operation')).toEqual([]);
      expect((await world().row(pane)).status).toBe('idle');
    }
  });

  it('a tool call lets a running turn take in what is queued', async () => {
    const args = [
      '--dangerously-skip-permissions',
      '--settings',
      '{"skipDangerousModePermissionPrompt":true,"crossSessionInbound":"accept"}',
    ];
    const pane = await world().startInteractive({ prompt: bashCall({ command: 'sleep 5' }), args });
    const sid = sidOf(await world().row(pane, { status: 'busy' }));
    await world().until(async () => (await world().transcript(sid)).some(({ type }) => type === 'assistant'));
    await post(world(), pane.pid, message('mail between calls'));
    await world().answered(pane);
    const lines = await world().transcript(sid);
    expect(lines.filter(({ type }) => type === 'queue-operation')).toMatchObject([
      { operation: 'enqueue', content: 'mail between calls' },
      { operation: 'remove', content: 'mail between calls', reason: 'absorbed_mid_turn' },
    ]);
    expect(lines.filter(({ type }) => type === 'attachment').map(({ attachment }) => attachment)).toContainEqual(
      expect.objectContaining({ type: 'queued_command', prompt: 'mail between calls' }),
    );
    expect(userTexts(lines).join()).not.toContain('mail between calls');
  });
});
