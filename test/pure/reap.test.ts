import { expect, it } from 'vitest';
import { decideReap, startedAsClaude } from '../../src/lib/decide/reap.ts';
import type { Pane } from '../../src/lib/observe/tmux.ts';

const pane = (fields: Partial<Pane>): Pane => ({
  socket: '/s',
  paneId: '%1',
  pid: 5,
  dead: true,
  inMode: false,
  attached: 0,
  width: 80,
  height: 24,
  mark: '',
  session: 'a',
  windowIndex: 0,
  startCommand: '',
  ...fields,
});

it.each<[string, Partial<Pane>, string]>([
  ['dead claude', { startCommand: 'claude hello' }, 'dead-claude'],
  ['dead claude by path, quoted', { startCommand: '"/opt/bin/claude --resume x"' }, 'dead-claude'],
  ['dead and marked', { startCommand: 'bash', mark: 'fleet' }, 'dead-marked'],
  ['alive claude', { dead: false, startCommand: 'claude' }, 'alive'],
  ['alive and marked', { dead: false, mark: 'fleet' }, 'alive'],
  ['a person’s dead shell', { startCommand: 'bash' }, 'not-ours'],
  ['a person’s dead pane without a command', {}, 'not-ours'],
  ['claude only as an argument', { startCommand: 'vim claude' }, 'not-ours'],
  ['something that begins like claude', { startCommand: 'claude-monitor' }, 'not-ours'],
])('%s', (_, fields, reason) => {
  const [verdict] = decideReap([pane(fields)]);
  expect(verdict?.reason).toBe(reason);
  expect(verdict?.kind).toBe(reason.startsWith('dead-') ? 'reap' : 'keep');
});

it('reads the first word of a start command', () => {
  expect(["'claude' x", 'claude', '/a b/claude', '', '"'].map(startedAsClaude)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});
