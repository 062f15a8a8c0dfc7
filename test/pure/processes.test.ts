import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { claudeArgs, claudeProcesses, roleOf } from '../../src/lib/observe/claude-processes.ts';
import { environment, parseStat } from '../../src/lib/observe/linux-processes.ts';
import { parsePsLine, tableOfPs } from '../../src/lib/observe/macos-processes.ts';
import { procStartOfStat } from '../../src/lib/store/process-identity.ts';
import { tableOf } from '../support/table.ts';

const STAT =
  '2562 (claude) S 2561 2562 2562 34816 2562 4194304 91 0 0 0 11 22 0 0 20 0 20 0 10844 75000000000 56500 18446744073709551615 1 1 0 0 0 0 0 4096 134234626 0 0 0 17 1 0 0 0 0 0 0 0 0 0 0 0 0 0';

describe('/proc/PID/stat', () => {
  it('is read by place', () => {
    expect(parseStat(STAT)).toEqual({
      pid: 2562,
      ppid: 2561,
      procStart: '10844',
      rssBytes: 56500 * 4096,
      hasTty: true,
      zombie: false,
      comm: 'claude',
    });
    expect(procStartOfStat(STAT)).toBe('10844');
  });

  it('is read the same whatever the command name holds', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 15 }), (comm) => {
        const stat = STAT.replace('(claude)', () => `(${comm})`);
        expect(parseStat(stat)).toMatchObject({ pid: 2562, ppid: 2561, procStart: '10844', comm });
        expect(procStartOfStat(stat)).toBe('10844');
      }),
    );
  });

  it('is refused when torn, and a zombie is one', () => {
    expect(parseStat(STAT.slice(0, 40))).toBeUndefined();
    expect(parseStat('')).toBeUndefined();
    expect(parseStat(STAT.replace(' S ', ' Z '))).toMatchObject({ zombie: true });
  });
});

describe('ps on macOS', () => {
  const LISTING = [
    '    1     0  11648 Ss   ??       Mon Nov 23 08:14:02 2026     /sbin/launchd',
    '  812   640 231952 S+   ttys003  Mon Nov 30 09:01:44 2026     claude --session-id 7b6a75ce-4d13-4fd3-9f0a-03291e1657ff hello there',
    '  640     1   4128 Ss   ttys003  Mon Nov 30 09:01:40 2026     -zsh',
    '  900   812      0 Z+   ttys003  Mon Nov 30 09:02:00 2026     (git)',
  ].join('\n');

  it('gives what /proc gives', () => {
    expect(parsePsLine(LISTING.split('\n')[1] ?? '')?.info).toEqual({
      pid: 812,
      ppid: 640,
      procStart: 'Mon Nov 30 09:01:44 2026',
      rssBytes: 231952 * 1024,
      hasTty: true,
      zombie: false,
      comm: 'claude',
    });
    const table = tableOfPs(
      LISTING,
      '  812 claude --session-id x HOME=/Users/a TMUX=/private/tmp/tmux-501/default,640,0 LANG=de_DE.UTF-8',
    );
    expect(table.alive(900)).toBeUndefined();
    expect(table.byPid.get(1)?.hasTty).toBe(false);
    expect(table.ancestors(812)).toEqual([640, 1]);
    expect(table.environ(812)?.get('TMUX')).toBe('/private/tmp/tmux-501/default,640,0');
    expect(table.environ(640)).toBeUndefined();
  });

  it('skips lines of another shape', () => expect(parsePsLine('PID PPID RSS')).toBeUndefined());
});

describe('process trees', () => {
  it('survive a cycle in a torn pass', () => {
    const table = tableOf([
      { pid: 5, ppid: 6 },
      { pid: 6, ppid: 5 },
    ]);
    expect(table.tree(5).sort()).toEqual([5, 6]);
    expect(table.ancestors(5)).toEqual([6, 5]);
  });

  it('add up without what belongs to another session', () => {
    const table = tableOf([{ pid: 5 }, { pid: 6, ppid: 5 }, { pid: 7, ppid: 6, rssBytes: 50 }, { pid: 8, ppid: 7 }]);
    expect(table.treeRssBytes(5)).toBe(3050);
    expect(table.treeRssBytes(5, (pid) => pid === 7)).toBe(2000);
  });
});

describe('claude command lines', () => {
  it.each([
    ['claude', [], 'session'],
    ['claude', ['fix the bug'], 'session'],
    ['claude', ['--resume', 'x', 'go on'], 'session'],
    ['claude', ['daemon', 'run', '--origin', 'transient'], 'daemon'],
    ['claude', ['bg-pty-host', '--bg-pty-host', '/tmp/x.sock'], 'pty-host'],
    ['claude', ['bg-spare', '--bg-spare', '/tmp/x.sock'], 'spare'],
    ['claude', ['attach', 'a45baa2f'], 'attach'],
    ['claude', ['agents', '--json'], 'tool'],
    ['claude', ['stop', 'a45baa2f'], 'tool'],
    ['claude', ['--bg', 'work'], 'tool'],
    ['claude', ['-p', 'question'], 'print'],
    ['claude', ['--', '-p'], 'session'],
    ['/opt/x/claude', ['--session-id', 'x'], 'session'],
  ])('%s %j is a %s', (program, args, role) => {
    const words = claudeArgs([program, ...args]);
    expect(words).toEqual(args);
    expect(roleOf(words ?? [])).toBe(role);
  });

  it('are told from others', () => {
    expect(claudeArgs(['node', '/usr/lib/node_modules/@anthropic-ai/claude-code/cli.js', 'hi'])).toEqual(['hi']);
    expect(claudeArgs(['node', '/x/bin/claude', 'hi'])).toEqual(['hi']);
    expect(claudeArgs(['vim', 'claude'])).toBeUndefined();
    expect(claudeArgs(['tmux', 'new-session', 'claude'])).toBeUndefined();
    expect(claudeArgs(['claude-monitor'])).toBeUndefined();
    expect(claudeArgs([])).toBeUndefined();
  });

  it('belong to the fleet of their config dir', () => {
    const table = tableOf([
      { pid: 10, argv: ['claude'], env: { HOME: '/home/a' } },
      { pid: 11, argv: ['claude'], env: { HOME: '/home/b' } },
      { pid: 12, argv: ['claude'], env: { HOME: '/home/b', CLAUDE_CONFIG_DIR: '/home/a/.claude' } },
      { pid: 13, argv: ['claude'] },
      { pid: 14, argv: ['claude'], env: { HOME: '/home/a' }, zombie: true },
    ]);
    const found = claudeProcesses(table, { claudeDir: '/home/a/.claude', command: 'claude', listed: new Set([13]) });
    expect(found.map(({ pid }) => pid)).toEqual([10, 12]);
  });
});

it('reads an environment', () => {
  expect(environment(['A=1', 'B=x=y', '=z', 'C'])).toEqual(
    new Map([
      ['A', '1'],
      ['B', 'x=y'],
    ]),
  );
});
