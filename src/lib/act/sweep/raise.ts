import { join } from 'node:path';
import type { Context } from '../../context.ts';
import type { Fleet } from '../../observe/fleet.ts';
import { closeDecision, type NewDecision, noteReached, raiseDecision, readDecisions } from '../../store/decisions.ts';
import { appendLine } from '../../store/json-lines.ts';
import { safeText } from '../../words/safe-text.ts';
import { sendMessage } from '../send-message.ts';
import { BY } from './deed.ts';

const WAIT_MS = 10_000;

/**
 * Asks a person (`escalate`): a row in the ledger either way, and a message to the Architect's session when one lives. The same
 * question is asked once while its row is open.
 */
export async function raiseAlarm(
  context: Context,
  fleet: Fleet,
  alarm: Omit<NewDecision, 'raisedBy'>,
): Promise<{ id: string; raised: boolean }> {
  const { decision, raised } = await raiseDecision(context.places, { ...alarm, raisedBy: BY });
  // A sweep that was ended between the row and the message goes on here.
  if (decision.reached !== undefined) return { id: decision.id, raised };
  if (raised) logAlarm(context, alarm.kind, alarm.task, decision.id);
  const reached = await tellArchitect(context, fleet, decision.id, alarm);
  await noteReached(context.places, decision.id, reached);
  return { id: decision.id, raised };
}

/** Withdraws an open question of that key: what it asked about is over. */
export async function withdrawAlarm({ places }: Context, key: string, reason: string): Promise<void> {
  for (const decision of readDecisions(places).decisions) {
    if (decision.key === key && decision.answer === undefined && decision.closed === undefined) {
      await closeDecision(places, decision.id, reason);
    }
  }
}

async function tellArchitect(
  context: Context,
  fleet: Fleet,
  id: string,
  { title, evidence, options }: Omit<NewDecision, 'raisedBy'>,
): Promise<string> {
  const { name } = context.policy.architect;
  const nobody = 'the decision ledger alone';
  if (name === undefined) return `${nobody}: no architect.name in the config`;
  const sessions = (fleet.joined?.sessions ?? []).filter((session) => session.name === name && session.listed);
  const [session] = sessions;
  if (session?.sessionId === undefined) return `${nobody}: no session named ${safeText(name, 60)} lives`;
  if (sessions.length > 1) return `${nobody}: ${sessions.length} sessions are named ${safeText(name, 60)}`;
  const body = [
    `The fleet asks for a decision (${id}): ${safeText(title, 300)}`,
    ...evidence.map((line) => `- ${safeText(line, 400)}`),
    'Answers:',
    ...options.map((option) => `- decision-ledger answer ${id} ${option.id}    ${safeText(option.does, 200)}`),
    'It is a person’s to decide, or yours where a person has left it to you.',
  ].join('\n');
  try {
    const sent = await sendMessage(
      context,
      session.sessionId,
      { id: `decision-${id}`, body, from: BY },
      { waitMs: WAIT_MS, socketOnly: true, dryRun: false },
    );
    return `${sent.verdict}: session ${session.sessionId} (${safeText(name, 60)})`;
  } catch (error) {
    return `${nobody}: ${(error as Error).message}`;
  }
}

function logAlarm({ places }: Context, kind: string, task: string | undefined, decision: string): void {
  appendLine(join(places.ownDir, 'alarms.jsonl'), {
    at: new Date().toISOString(),
    kind,
    ...(task === undefined ? {} : { task }),
    decision,
  });
}
