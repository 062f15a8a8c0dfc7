import { type Census, takeCensus } from '../lib/act/census.ts';
import { withCapOptions } from '../lib/cli/cap-policy.ts';
import { type Handler, print } from '../lib/cli/output.ts';
import { EXIT, type ExitCode } from '../lib/errors.ts';
import { paneOf } from '../lib/observe/fleet.ts';
import { pssBytesOf } from '../lib/observe/linux-processes.ts';
import type { Session } from '../lib/observe/sessions.ts';
import { silenceOf } from '../lib/observe/silence.ts';
import type { Places } from '../lib/store/places.ts';

/** `session-cap status`. */
export const status: Handler = async (given, invocation, output) => {
  const context = withCapOptions(given, invocation.options);
  const census = await takeCensus(context, true);
  const document = statusDocument(
    census,
    context.places.claudeDir,
    context.policy.cap.memoryFloor,
    invocation.options.pss === true,
  );
  if (invocation.json) print(output, invocation, document, '');
  else {
    const { statusText } = await import('./cap-status-text.ts');
    const columns = process.stdout.columns ?? 100;
    const tty = process.stdout.isTTY === true;
    // A script or a timer has no use for a picture, and a day of a hundred sessions takes as long to read as all the rest.
    const history = tty ? await historyOf(context.places, census.fleet.at, columns) : undefined;
    const text = statusText(document, { columns, tty, history });
    print(output, invocation, document, invocation.quiet && document.admits ? '' : text);
  }
  return statusExit(census);
};

/** The history line. Where samples can't be read there is none: what is so now is told all the same. */
async function historyOf(places: Places, now: number, columns: number): Promise<string | undefined> {
  const { HISTORY_MS, historyLine } = await import('./cap-status-history.ts');
  const { readSamples } = await import('../lib/store/samples.ts');
  try {
    return historyLine(readSamples(places, now - HISTORY_MS).samples, now, columns);
  } catch {
    return undefined;
  }
}

function statusExit({ decision }: Census): ExitCode {
  if (decision.reason.endsWith('unreadable')) return EXIT.unreadable;
  return decision.kind === 'admit' ? EXIT.done : EXIT.finding;
}

export type StatusDocument = ReturnType<typeof statusDocument>;

/** The document of `session-cap status --json`. */
export function statusDocument(census: Census, claudeDir: string, memoryFloor: number, pss: boolean) {
  const { fleet, sorted, decision, ceiling } = census;
  const sessions = fleet.joined?.sessions ?? [];
  const memory = fleet.memory.ok ? fleet.memory.value : undefined;
  const helpers = fleet.joined?.helpers ?? [];
  return {
    schema: 'session-fleet.session-cap.status.v1',
    at: new Date(fleet.at).toISOString(),
    admits: decision.kind === 'admit',
    reason: decision.reason,
    words: decision.words,
    counted: decision.counted ?? null,
    ceiling: ceiling ?? null,
    live: fleet.joined === undefined ? null : sessions.filter(({ listed }) => listed).length,
    unlisted: fleet.joined === undefined ? null : sessions.filter(({ listed }) => !listed).length,
    reserved: sorted.pending.length,
    deadRows: fleet.joined?.deadRows.length ?? null,
    memory:
      memory === undefined
        ? null
        : {
            ...memory,
            floorBytes: Math.round(memoryFloor * memory.totalBytes),
            sessionsRssBytes: sum(sessions.map((one) => one.rssBytes)),
          },
    helpers: {
      count: helpers.length,
      rssBytes: sum(helpers.map((one) => one.rssBytes)),
      pssBytes: process.platform === 'linux' ? sum(helpers.map(({ pid }) => pssBytesOf(pid) ?? 0)) : null,
      roles: Object.fromEntries(
        ['daemon', 'pty-host', 'spare', 'attach', 'agents-view'].map((role) => [
          role,
          helpers.filter((one) => one.role === role).length,
        ]),
      ),
    },
    sessions: sessions.map((session) => sessionRow(session, census, claudeDir, pss)),
    reservations: sorted.pending.map(({ token, for: whom, takenAt, ttlMs }) => ({
      token,
      for: whom,
      at: new Date(takenAt.wall).toISOString(),
      ttlMs,
    })),
  };
}

function sessionRow(session: Session, { fleet }: Census, claudeDir: string, pss: boolean) {
  const silence = silenceOf(session, claudeDir, fleet.at, { glance: true });
  const found = session.kind === 'background' ? undefined : paneOf(session.pid, fleet);
  const pane = found?.answer === 'yes' ? found.pane : undefined;
  const tree = pss && fleet.processes.ok ? fleet.processes.value.tree(session.pid) : undefined;
  return {
    sessionId: session.sessionId ?? null,
    shortId: session.shortId ?? null,
    kind: session.kind,
    name: session.name ?? null,
    cwd: session.cwd ?? null,
    pid: session.pid,
    procStart: session.procStart,
    listed: session.listed,
    status: session.status ?? null,
    waitingFor: session.waitingFor ?? null,
    startedAt: session.startedAt === undefined ? null : new Date(session.startedAt).toISOString(),
    idleMs: silence.ok ? Math.round(silence.idleMs) : null,
    rssBytes: session.rssBytes,
    pssBytes: tree === undefined ? null : sum(tree.map((pid) => pssBytesOf(pid) ?? 0)),
    pane:
      pane === undefined
        ? null
        : {
            socket: pane.socket,
            pane: pane.paneId,
            session: pane.session,
            window: pane.windowIndex,
            attached: pane.attached,
          },
  };
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
