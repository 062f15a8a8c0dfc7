import type { Context } from '../../context.ts';
import { answeredAs } from '../../decide/spawn-answer.ts';
import { spawnWords } from '../../decide/spawn-plan.ts';
import { observeAfresh } from '../../observe/fleet.ts';
import { claudeCommand } from '../../observe/roster.ts';
import { appendLine } from '../../store/json-lines.ts';
import { releaseReservation } from '../admit.ts';
import { leaveWhenIdle, letGo } from './let-go.ts';
import { recorded, spawnsFile } from './record-start.ts';
import { launchSettings } from './settings.ts';
import { type Spawned, spawnSession } from './spawn.ts';
import type { Start, Started } from './start-request.ts';
import { letPaneClose } from './stuck.ts';
import { type Expected, verifyStart } from './verify.ts';

/**
 * Spawns a session for a task, verifies it, and writes down what came of it: the Driver's identity into task.json, or an
 * event `spawn-failed` with a screen excerpt. A failed start is never called a Driver: what stands there is let go by its own
 * door, and the slot is given back either way.
 */
export async function startSession(context: Context, start: Start): Promise<Started> {
  const { places } = context;
  appendLine(spawnsFile(places), {
    at: new Date().toISOString(),
    step: 'intent',
    task: start.task,
    ...start.identity,
    kind: start.kind,
    resume: start.resume?.sessionId ?? null,
  });
  const words = spawnWords({
    kind: start.kind,
    claude: claudeCommand(context.env),
    sessionId: start.identity.sid,
    name: start.identity.name,
    args: start.args,
    ...(start.resume === undefined ? {} : { resume: start.resume.sessionId, savedOptions: start.resume.savedOptions }),
    ...launchSettings(start.args, start.cwd),
  });
  const { kind, promptFile, cwd, token, identity } = start;
  const spawned = await spawnSession(context, {
    kind,
    words,
    promptFile,
    cwd,
    token,
    waitMs: start.waitMs,
    tmuxSession: identity.tmuxSession,
  });
  const outcome = await outcomeOfSpawn(context, start, spawned);
  await releaseReservation(places, token);
  return outcome;
}

async function outcomeOfSpawn(context: Context, start: Start, spawned: Spawned): Promise<Started> {
  if (spawned.ok) return settleAndRecord(context, start, expectedOf(start, spawned.shortId), spawned.said);
  if (!spawned.doubtful)
    return recorded(context, start, { ok: false, why: spawned.why, excerpt: '', stillThere: false });
  // It never answered, and may have started something all the same: that is looked for by its identity.
  const outcome = await settle(context, start, expectedOf(start, undefined), '');
  return recorded(context, start, outcome.ok ? outcome : { ...outcome, why: `${spawned.why}; ${outcome.why}` });
}

/** Verifies what was spawned, lets go of what is no Driver, and writes down what came of it. */
export async function settleAndRecord(
  context: Context,
  start: Start,
  expected: Expected,
  said: string,
): Promise<Started> {
  return recorded(context, start, await settle(context, start, expected, said));
}

/** What the session of a start must look like. */
export function expectedOf(start: Start, shortId: string | undefined): Expected {
  const { kind, identity, resume, prompt } = start;
  return {
    kind,
    sessionId: resume?.sessionId ?? (kind === 'interactive' ? identity.sid : undefined),
    shortId,
    name: identity.name,
    tmuxSession: identity.tmuxSession,
    prompt,
    fromByte: resume?.fromByte ?? 0,
  };
}

/** Verifies a spawned session, and lets go of one that is none. */
async function settle(context: Context, start: Start, expected: Expected, said: string): Promise<Started> {
  const answered = await answerOf(context, start, expected, said);
  if (answered === 'copy') return letCopyGo(context, start, expected.shortId ?? '', said);
  const sought = answered === 'new-id' ? { ...expected, sessionId: undefined, fromByte: 0, anywhere: true } : expected;
  const verified = await verifyStart(context, sought, start.waitMs);
  if (verified.ok) {
    const { session, sessionId, pane } = verified;
    if (pane !== undefined) await letPaneClose(context, pane);
    return {
      ok: true,
      sessionId,
      pid: session.pid,
      shortId: session.shortId,
      name: session.name ?? start.identity.name,
      pane: pane?.paneId,
    };
  }
  if (start.keep) return { ok: false, why: verified.why, excerpt: verified.excerpt, stillThere: true, kept: true };
  const gone = await letGo(context, sought, verified);
  return { ok: false, why: verified.why, excerpt: verified.excerpt, stillThere: !gone };
}

/** What a background resume came to, by the id it answered with; the session it continues is looked for only when that differs. */
async function answerOf(context: Context, start: Start, { shortId }: Expected, said: string) {
  if (start.kind !== 'background' || start.resume === undefined || shortId === undefined) return 'same';
  const { sessionId: resumed } = start.resume;
  if (resumed.startsWith(shortId)) return 'same';
  // Words of processes don't count here: what has just been started for it may still show its id.
  const { joined } = await observeAfresh(context);
  const lives = joined?.sessions.some(({ sessionId }) => sessionId === resumed);
  const oldLives = lives === undefined ? 'unknown' : lives ? 'yes' : 'no';
  return answeredAs({ resumed, shortId, said, oldLives });
}

/** A copy is stopped, and counted as nothing. */
async function letCopyGo(context: Context, start: Start, shortId: string, said: string): Promise<Started> {
  const left = await leaveWhenIdle(context, shortId, start.waitMs);
  const why = `claude answered with another id, ${shortId}: a copy${said === '' ? '' : ` (${said})`}`;
  return { ok: false, why, excerpt: '', stillThere: !left, copy: true };
}
