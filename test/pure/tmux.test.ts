import { describe, expect, it } from 'vitest';
import { paneOf } from '../../src/lib/observe/fleet.ts';
import { parsePanes } from '../../src/lib/observe/tmux.ts';
import { socketOfTmuxVariable, tmuxSockets } from '../../src/lib/observe/tmux-sockets.ts';
import { tableOf } from '../support/table.ts';

const parse = (text: string) => {
  const panes = parsePanes('/s', text);
  if (!panes.ok) throw new Error(panes.why);
  return panes.value;
};

describe('list-panes', () => {
  it('keeps names with spaces and start commands with anything', () => {
    expect(parse('%3:812:0:0:0:100:30:2::my work:claude "a:b %4:1:0"\n')).toEqual([
      {
        socket: '/s',
        paneId: '%3',
        pid: 812,
        dead: false,
        inMode: false,
        attached: 0,
        width: 100,
        height: 30,
        mark: '',
        session: 'my work',
        windowIndex: 2,
        startCommand: 'claude "a:b %4:1:0"',
      },
    ]);
  });

  it('adds up the clients of every session that shows a pane', () => {
    const panes = parse('%1:9:0:0:0:80:20:0::a:\n%1:9:0:0:2:80:20:0::b:\n');
    expect(panes).toHaveLength(1);
    expect(panes[0]?.attached).toBe(2);
  });

  it('reads dead panes, copy mode and the mark', () => {
    expect(parse('%1:9:1::0:80:20:0:fleet:a:x')[0]).toMatchObject({ dead: true, inMode: false, mark: 'fleet' });
    expect(parse('%1:9:0:1:0:80:20:0::a:x')[0]).toMatchObject({ inMode: true });
  });

  it('refuses a line of another shape rather than skip it', () => {
    expect(parsePanes('/s', 'what is this').ok).toBe(false);
  });
});

describe('sockets', () => {
  it('are read from TMUX, commas and all', () => {
    expect(socketOfTmuxVariable('/tmp/tmux-0/default,2561,0')).toBe('/tmp/tmux-0/default');
    expect(socketOfTmuxVariable('/tmp/a,b/s,1,2')).toBe('/tmp/a,b/s');
    expect(socketOfTmuxVariable('nonsense')).toBeUndefined();
  });

  it('are each once: the default, named ones, and sessions’ own', () => {
    const sockets = tmuxSockets(
      { TMUX_TMPDIR: '/nowhere', FLEET_TMUX_SOCKETS: 'work:/x/y:' },
      ['/nowhere/tmux-7/default,1,0', '/z,1,0'],
      7,
    );
    expect(sockets).toEqual(['/nowhere/tmux-7/default', '/nowhere/tmux-7/work', '/x/y', '/z']);
  });
});

describe('the pane of a process', () => {
  const pane = (fields: object) =>
    ({ ...parse('%1:9:0:0:0:80:20:0::a:x')[0], ...fields }) as ReturnType<typeof parse>[number];
  const processes = { ok: true as const, value: tableOf([{ pid: 9 }, { pid: 10, ppid: 9 }, { pid: 77 }]) };

  it.each([
    ['its own first process', 9, [[pane({})]], 'yes'],
    ['below the pane’s shell', 10, [[pane({})]], 'yes'],
    ['in no pane', 77, [[pane({})]], 'no'],
    ['a dead pane holds nobody', 9, [[pane({ dead: true })]], 'no'],
    ['two panes claim it', 10, [[pane({})], [pane({ paneId: '%2', pid: 10 })]], 'unknown'],
    ['a socket that could not be read', 77, [[pane({})], undefined], 'unknown'],
    ['found though another socket failed', 9, [[pane({})], undefined], 'yes'],
  ] as const)('%s', (_, pid, sockets, answer) => {
    const panes = new Map(
      sockets.map((list, at) => [
        `/s${at}`,
        list === undefined ? { ok: false as const, why: 'hung' } : { ok: true as const, value: [...list] },
      ]),
    );
    expect(paneOf(pid, { panes, processes }).answer).toBe(answer);
  });
});
