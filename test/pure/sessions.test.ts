import { describe, expect, it } from 'vitest';
import type { RosterRow } from '../../src/lib/observe/roster-rows.ts';
import { joinSessions } from '../../src/lib/observe/sessions.ts';
import { tableOf } from '../support/table.ts';

const SCOPE = { claudeDir: '/home/a/.claude', command: 'claude' };
const HOME = { HOME: '/home/a' };
const sid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

describe('which rows are sessions', () => {
  it('of 96 rows of which 28 carry a live pid, 28', () => {
    const rows: RosterRow[] = Array.from({ length: 96 }, (_, n) => ({
      kind: 'background',
      sessionId: sid(n),
      ...(n < 28 ? { pid: 1000 + n, status: 'idle' } : {}),
    }));
    const table = tableOf(Array.from({ length: 28 }, (_, n) => ({ pid: 1000 + n, argv: ['claude', 'bg-spare'] })));
    const { sessions, deadRows } = joinSessions(rows, table, SCOPE);
    expect(sessions).toHaveLength(28);
    expect(deadRows).toHaveLength(68);
  });

  it('a row whose process is gone or a zombie is none', () => {
    const rows: RosterRow[] = [
      { kind: 'interactive', pid: 5, sessionId: sid(1) },
      { kind: 'interactive', pid: 6, sessionId: sid(2) },
    ];
    expect(joinSessions(rows, tableOf([{ pid: 6, zombie: true }]), SCOPE).sessions).toEqual([]);
  });

  it('twins under one id are two', () => {
    const rows: RosterRow[] = [5, 6].map((pid) => ({ kind: 'interactive', pid, sessionId: sid(1) }));
    expect(joinSessions(rows, tableOf([{ pid: 5 }, { pid: 6 }]), SCOPE).sessions).toHaveLength(2);
  });
});

describe('processes that the roster does not list', () => {
  it('daemon, pty hosts, spares and attached viewers are helpers, with their memory', () => {
    const table = tableOf([
      { pid: 20, argv: ['claude', 'daemon', 'run'], env: HOME, hasTty: false },
      { pid: 21, ppid: 20, argv: ['claude', 'bg-pty-host', '--bg-pty-host', 's'], env: HOME, hasTty: false },
      { pid: 22, ppid: 21, argv: ['claude', 'bg-spare', '--bg-spare', 's'], env: HOME },
      { pid: 23, argv: ['claude', 'attach', 'abcdef12'], env: HOME },
      { pid: 24, argv: ['claude', 'agents', '--json'], env: HOME },
      { pid: 25, argv: ['claude', '-p', 'q'], env: HOME },
    ]);
    const { sessions, helpers } = joinSessions([], table, SCOPE);
    expect(sessions).toEqual([]);
    expect(helpers.map(({ role }) => role)).toEqual(['daemon', 'pty-host', 'spare', 'attach']);
    expect(helpers[3]?.attachedTo).toBe('abcdef12');
  });

  it('one that stands on a first-run dialog counts as one, with the id it was started with', () => {
    const table = tableOf([{ pid: 30, argv: ['claude', '--session-id', sid(3), '--name', 'n', 'hi'], env: HOME }]);
    expect(joinSessions([], table, SCOPE).sessions).toMatchObject([
      { pid: 30, listed: false, kind: 'interactive', sessionId: sid(3), name: 'n' },
    ]);
  });

  it('a fresh background session under its pty host counts as one', () => {
    const table = tableOf([
      { pid: 21, argv: ['claude', 'bg-pty-host', '--bg-pty-host', 's'], env: HOME, hasTty: false },
      { pid: 31, ppid: 21, argv: ['/opt/claude', '--session-id', sid(4), 'hi'], env: HOME },
    ]);
    expect(joinSessions([], table, SCOPE).sessions).toMatchObject([{ pid: 31, kind: 'background', listed: false }]);
  });

  it('a wrapper and the real binary under it are one', () => {
    const table = tableOf([
      { pid: 40, argv: ['node', '/usr/bin/claude'], env: HOME },
      { pid: 41, ppid: 40, argv: ['claude'], env: HOME },
    ]);
    expect(joinSessions([], table, SCOPE).sessions.map(({ pid }) => pid)).toEqual([41]);
    const listed: RosterRow[] = [{ kind: 'interactive', pid: 41, sessionId: sid(1) }];
    expect(joinSessions(listed, table, SCOPE).sessions.map(({ pid }) => pid)).toEqual([41]);
  });

  it('another fleet’s, or one without a terminal, is not ours to count', () => {
    const table = tableOf([
      { pid: 50, argv: ['claude'], env: { HOME: '/home/b' } },
      { pid: 51, argv: ['claude'], env: HOME, hasTty: false },
    ]);
    expect(joinSessions([], table, SCOPE).sessions).toEqual([]);
  });
});
