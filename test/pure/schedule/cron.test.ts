import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cronBlock, withBlock } from '../../../src/lib/schedule/cron.ts';
import { ENTRIES, type Plan } from '../../../src/lib/schedule/entries.ts';
import { launchdAgents } from '../../../src/lib/schedule/launchd.ts';
import { systemdUnits } from '../../../src/lib/schedule/systemd.ts';

const PLAN: Plan = {
  entries: ENTRIES,
  runner: "/home/o'neil & <co>/50% $HOME/run",
  node: '/usr/bin/node',
  binDir: '/opt/bin',
  stateDir: '/state',
  env: { PATH: '/usr/bin' },
  fleetHome: '/home/me/.claude/jobs',
};

describe('a crontab', () => {
  // What people have in theirs: anything but this fleet's own two lines.
  const person = fc
    .string({ unit: 'binary' })
    .filter((text) => !text.includes('session-fleet') && !text.endsWith('\r'));

  it('keeps every other byte, whatever was there, and gives it all back', () => {
    fc.assert(
      fc.property(person, person, (before, after) => {
        const { fleetHome } = PLAN;
        const made = withBlock(before, fleetHome, cronBlock(PLAN));
        if (!made.ok) throw new Error(made.why);
        expect(made.text.startsWith(before)).toBe(true);
        const edited = `${made.text}${after}`;
        expect(withBlock(edited, fleetHome, cronBlock(PLAN))).toMatchObject({ ok: true, changed: false });
        const other = withBlock(edited, fleetHome, cronBlock({ ...PLAN, runner: '/other' }));
        expect(other).toMatchObject({ ok: true, changed: true });
        if (!other.ok) return;
        expect(other.text.startsWith(before) && other.text.endsWith(after)).toBe(true);
        const gone = withBlock(other.text, fleetHome, undefined);
        const newline = before === '' || before.endsWith('\n') ? '' : '\n';
        expect(gone).toMatchObject({ ok: true, text: `${before}${newline}${after}` });
      }),
    );
  });

  it('of two fleets: each has its own lines', () => {
    const one = withBlock('', '/one', cronBlock({ ...PLAN, fleetHome: '/one' }));
    const both = withBlock(one.ok ? one.text : '', '/one/two', cronBlock({ ...PLAN, fleetHome: '/one/two' }));
    const left = withBlock(both.ok ? both.text : '', '/one', undefined);
    expect(left.ok && left.text).toBe(`${cronBlock({ ...PLAN, fleetHome: '/one/two' })}\n`);
  });

  it('with a begin and no end is left alone', () => {
    const [begin = ''] = cronBlock(PLAN).split('\n');
    expect(withBlock(`${begin}\n* * * * * mine\n`, PLAN.fleetHome, undefined)).toMatchObject({ ok: false });
  });

  it('has a schedule a minute can keep, and no bare per cent sign', () => {
    const lines = cronBlock(PLAN).split('\n').slice(1, -1);
    expect(lines).toHaveLength(ENTRIES.length);
    for (const line of lines) {
      expect(line).toMatch(/^(\*|\*\/\d+) \* \* \* \* '/);
      expect(line.replaceAll('\\%', '')).not.toContain('%');
      expect(line.length).toBeLessThan(900);
    }
  });
});

it('units and agents carry a runner with everything in its path', () => {
  const service = systemdUnits(PLAN).find(({ name }) => name === 'session-fleet-sweep.service')?.text;
  expect(service).toContain(`ExecStart="/home/o'neil & <co>/50%% $$HOME/run" sweep`);
  expect(service).toContain('KillMode=process');
  const agent = launchdAgents(PLAN).find(({ name }) => name === 'session-fleet.sweep.plist')?.text;
  expect(agent).toContain("/home/o'neil &amp; &lt;co&gt;/50% $HOME/run");
  expect(agent).toContain('<key>AbandonProcessGroup</key><true/>');
});
