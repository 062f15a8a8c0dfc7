import type { Context } from '../../context.ts';
import { decideLane, type LaneFacts, type LaneVerdict } from '../../decide/lane/nudge.ts';
import { EXIT, messageOf } from '../../errors.ts';
import type { Session } from '../../observe/sessions.ts';
import { silenceOf } from '../../observe/silence.ts';
import type { FleetIndex } from '../../observe/sweep/fleet-index.ts';
import type { Claims } from '../../observe/sweep/task-look.ts';
import { appendLine } from '../../store/json-lines.ts';
import { changeLane, type Lane, lanesDir, stopLanes } from '../../store/lanes.ts';
import { uniqueWord } from '../../words/unique-word.ts';
import { tell } from '../tell.ts';

/** What one tick did for one lane. */
export interface LaneReport {
  lane: string;
  sid: string;
  verdict: LaneVerdict;
  result: 'done' | 'refused' | 'failed' | undefined;
  words: string;
}

/** One tick for one lane; what goes wrong is reported, and stops no other. */
export async function tickLane(
  context: Context,
  index: FleetIndex,
  claims: Claims,
  lane: Lane,
  { dryRun }: { dryRun: boolean },
): Promise<LaneReport> {
  const { facts, session } = lookAtLane(context, index, claims, lane);
  const verdict = decideLane(facts, lane.everyMs);
  const report = (result: LaneReport['result'], words = verdict.words): LaneReport => ({
    lane: lane.name,
    sid: session?.sessionId ?? lane.sid,
    verdict,
    result,
    words,
  });
  if (dryRun) return report(undefined);
  try {
    if (verdict.kind === 'expire') {
      await stopLanes(context.places, { name: lane.name });
      appendLine(`${lanesDir(context.places)}/log.jsonl`, {
        at: new Date().toISOString(),
        lane: lane.name,
        kind: 'expired',
      });
      return report('done');
    }
    if (session !== undefined) await remember(context, lane, session);
    if (verdict.kind !== 'nudge' && verdict.kind !== 'resend') return report(undefined);
    return await send(context, lane, session, verdict, report);
  } catch (error) {
    return report('failed', messageOf(error));
  }
}

function lookAtLane({ places }: Context, index: FleetIndex, claims: Claims, lane: Lane) {
  const { fleet } = index;
  const bySid = index.bySid(lane.sid);
  const seen = lane.seen;
  const runs =
    seen !== undefined && fleet.processes.ok && fleet.processes.value.alive(seen.pid)?.procStart === seen.procStart;
  const cleared = runs && bySid.length === 0 ? index.byPid(seen.pid) : undefined;
  const session: Session | undefined = bySid[0] ?? cleared;
  const silence = session === undefined ? undefined : silenceOf(session, places.claudeDir, fleet.at, { glance: true });
  const last = lane.last === undefined ? undefined : Date.parse(lane.last.at);
  const facts: LaneFacts = {
    liveness: livenessOf(),
    driverOf: session?.sessionId === undefined ? undefined : claims(session.sessionId, ''),
    status: session?.status,
    silentMs: silence?.ok ? silence.idleMs : undefined,
    sinceLastMs: last === undefined || Number.isNaN(last) ? undefined : fleet.at - last,
    pending: lane.last?.pending === true,
  };
  return { facts, session };

  function livenessOf(): LaneFacts['liveness'] {
    if (bySid.length > 1) return 'twins';
    if (bySid.length === 1) return 'alive';
    if (cleared !== undefined) return 'cleared';
    if (!fleet.roster.rows.ok || !fleet.processes.ok || runs) return 'unknown';
    // A background session without a process may come back; one that was just started is named by a process.
    return index.hasDaemonRow(lane.sid) || index.naming(lane.sid).length > 0 ? 'unknown' : 'dead';
  }
}

/** Writes down which process the lane's session is, and its id when /clear gave it a new one. */
async function remember({ places }: Context, lane: Lane, session: Session): Promise<void> {
  const { pid, procStart, sessionId } = session;
  const same = lane.seen?.pid === pid && lane.seen.procStart === procStart && sessionId === lane.sid;
  if (same || sessionId === undefined) return;
  await changeLane(places, lane.name, (now) => ({ ...now, sid: sessionId, seen: { pid, procStart } }));
}

async function send(
  context: Context,
  lane: Lane,
  session: Session | undefined,
  verdict: LaneVerdict,
  report: (result: LaneReport['result'], words?: string) => LaneReport,
): Promise<LaneReport> {
  const { name, text } = lane;
  const { last } = await changeLane(context.places, name, (now) =>
    verdict.kind === 'resend'
      ? now
      : { ...now, last: { at: new Date().toISOString(), messageId: `lane-${uniqueWord()}`, pending: true } },
  );
  if (last === undefined) return report('failed', 'it was changed meanwhile');
  const message = { id: last.messageId, body: text, from: 'lane-nudge' };
  const sent = await tell(context, session?.sessionId ?? lane.sid, message);
  await changeLane(context.places, name, (now) =>
    now.last?.messageId === last.messageId ? { ...now, last: { ...last, pending: false, verdict: sent.verdict } } : now,
  );
  return report(sent.exitCode === EXIT.done ? 'done' : 'refused', `${sent.verdict}: ${sent.words}`);
}
