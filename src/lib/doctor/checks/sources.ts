import { boundedRun } from '../../observe/bounded-run.ts';
import { claudeCommand, readerEnvironment } from '../../observe/roster.ts';
import { safeText } from '../../words/safe-text.ts';
import { type Finding, ok, unknown, wrong } from '../finding.ts';
import type { DoctorLook } from '../look.ts';

/** The version that the toolkit's contract suite runs against. */
export const TESTED_VERSION = '2.1.328';
const VERSION_TIMEOUT_MS = 20_000;

const BLIND = 'nothing is woken, exited, revived or admitted while this lasts';

/** Roster, processes and tmux can be read. */
export function checkSources({ fleet }: DoctorLook): Finding[] {
  const { rows } = fleet.roster;
  const findings = [
    rows.ok ? ok('roster', `${rows.value.length} rows`) : wrong('roster', rows.why, BLIND, 'claude agents --json'),
    fleet.processes.ok
      ? ok('processes', `${fleet.processes.value.byPid.size} processes`)
      : wrong('processes', fleet.processes.why, BLIND, 'ps -ef'),
  ];
  for (const [socket, panes] of fleet.panes) {
    if (panes.ok) findings.push(ok('tmux', `${panes.value.length} panes on ${socket}`));
    else
      findings.push(
        wrong(
          'tmux',
          panes.why,
          'sessions in panes of this server can’t be told dead, or let go',
          `tmux -S ${socket} ls`,
        ),
      );
  }
  return findings;
}

/** Which Claude Code it is, and whether the toolkit was tested with it. */
export async function checkVersion({ context }: DoctorLook): Promise<Finding[]> {
  const command = claudeCommand(context.env);
  const outcome = await boundedRun(command, ['--version'], {
    timeoutMs: VERSION_TIMEOUT_MS,
    env: readerEnvironment(context.env),
  });
  const said = outcome.kind === 'ended' ? outcome.stdout.trim() : '';
  const version = /^\d+\.\d+\.\d+/.exec(said)?.[0];
  if (version === undefined) {
    const what = said === '' ? `${command} --version said nothing` : `${command} --version said ${safeText(said, 80)}`;
    return [unknown('claude', what, 'what this Claude Code does is not known here', `${command} --version`)];
  }
  const same = version === TESTED_VERSION ? '' : `; this toolkit was tested with ${TESTED_VERSION}`;
  return [ok('claude', `version ${version}${same}`)];
}
