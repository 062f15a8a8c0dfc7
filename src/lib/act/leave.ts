import { join } from 'node:path';
import type { Context } from '../context.ts';
import { decideExit, type ExitDecision, type Guard } from '../decide/exit-guards.ts';
import { EXIT, type ExitCode } from '../errors.ts';
import { type ExitLook, lookForExit } from '../observe/exit-look.ts';
import { readTranscript } from '../observe/transcript.ts';
import { logExitIntent, logExitResult, ownTextMayStand } from '../store/exit-log.ts';
import { acquireLock } from '../store/lock.ts';
import { resumeCommand } from '../words/resume-command.ts';
import { stopBackground } from './leave-background.ts';
import { typeExit } from './leave-typed.ts';

export type LeaveVerdict = 'left' | 'would-leave' | 'still-running' | 'refused' | 'unreadable' | 'no-such-session';

/** What came of asking one session to leave. */
export interface LeaveOutcome {
  verdict: LeaveVerdict;
  exitCode: ExitCode;
  sessionId: string;
  /** One line for people. */
  words: string;
  path: 'stop' | 'typed' | undefined;
  guards: Guard[];
  /** Size of the transcript before and after, bytes; undefined where it could not be read. */
  transcript: { file: string | undefined; beforeBytes: number | undefined; afterBytes: number | undefined };
  /** Brings the conversation back. */
  resume: string;
  pid: number | undefined;
  name: string | undefined;
}

/** What an exit path reports of its act. `cleared`: nothing that we typed stands in the pane. */
export interface ActReport {
  verdict: 'left' | 'still-running' | 'refused';
  words: string;
  cleared: boolean;
}

/** Adds what the log knows to a look: whether a `/exit` in the box is our own, of a run that was killed. */
export function decideOnLook(context: Context, look: ExitLook): ExitDecision {
  const { screen, facts, session } = look;
  if (screen?.kind === 'draft' && screen.text === '/exit' && facts.screen !== undefined) {
    facts.screen.oursTyped = ownTextMayStand(context.places, session);
  }
  return decideExit(facts);
}

/**
 * Asks one session to leave by its own door and waits, up to `waitMs`, until it has: the only implementation. Background:
 * `claude stop`; interactive: `/exit` typed into its own pane. Never a signal. With `dryRun`, the verdict alone.
 * `id` is a full or a short id.
 * One run a session at a time; the guards are read once to decide and again right before the act.
 */
export async function leave(
  context: Context,
  id: string,
  { waitMs, dryRun }: { waitMs: number; dryRun: boolean },
): Promise<LeaveOutcome> {
  const first = await lookForExit(context, id);
  const sessionId = (first.ok ? first.value?.session.sessionId : undefined) ?? id;
  const start = outcomeOf(context, sessionId, first.ok ? first.value : undefined);
  if (!first.ok) return start('unreadable', EXIT.unreadable, `nothing done: ${first.why}`);
  if (first.value === undefined) return start('no-such-session', EXIT.noSuch, 'no live session has this id');
  const early = decideOnLook(context, first.value);
  const refusal = refusalOf(early, start);
  if (refusal !== undefined) return refusal;
  if (dryRun) return start('would-leave', EXIT.done, 'every guard says yes', early.guards);

  const lock = await acquireLock(join(context.places.ownDir, 'exit', sessionId), {
    waitMs: 0,
    what: `the exit of session ${sessionId}`,
  });
  try {
    const second = await lookForExit(context, sessionId);
    const finish = outcomeOf(context, sessionId, second.ok ? second.value : undefined, start.beforeBytes);
    if (!second.ok) return finish('unreadable', EXIT.unreadable, `nothing done: ${second.why}`);
    const look = second.value;
    if (look === undefined) return finish('no-such-session', EXIT.noSuch, 'the session left meanwhile');
    const decision = decideOnLook(context, look);
    const late = refusalOf(decision, finish);
    if (late !== undefined) return late;
    return await act(context, look, decision, finish, waitMs);
  } finally {
    lock.release();
  }
}

async function act(context: Context, look: ExitLook, decision: ExitDecision, finish: Finish, waitMs: number) {
  const { session, pane } = look;
  const path = session.kind === 'background' ? 'stop' : 'typed';
  const { pid, procStart } = session;
  const id = await logExitIntent(context.places, {
    sessionId: finish.sessionId,
    pid,
    procStart,
    path,
    ...(pane === undefined ? {} : { pane: pane.paneId, socket: pane.socket }),
  });
  const report = path === 'stop' ? await stopBackground(context, look, waitMs) : await typeExit(context, look, waitMs);
  await logExitResult(context.places, id, report);
  const code = { left: EXIT.done, 'still-running': EXIT.later, refused: EXIT.guard }[report.verdict];
  return finish(report.verdict, code, report.words, decision.guards, path);
}

function refusalOf(decision: ExitDecision, finish: Finish): LeaveOutcome | undefined {
  const { kind, guards, stoppedBy } = decision;
  if (stoppedBy === undefined) return undefined;
  const { name, reading } = stoppedBy;
  const words = `nothing done: ${name}: ${reading.evidence}`;
  return kind === 'unreadable'
    ? finish('unreadable', EXIT.unreadable, words, guards)
    : finish('refused', EXIT.guard, words, guards);
}

type Finish = ReturnType<typeof outcomeOf>;

/** Makes outcomes about one session; the transcript's size before is read here, its size after when the outcome is made. */
function outcomeOf(context: Context, sessionId: string, look: ExitLook | undefined, knownBefore?: number) {
  const cwd = look?.session.cwd;
  const size = () => {
    const reading = readTranscript(context.places.claudeDir, sessionId, cwd, { glance: true });
    return reading.kind === 'found'
      ? { file: reading.file, bytes: reading.bytes }
      : { file: undefined, bytes: undefined };
  };
  const beforeBytes = knownBefore ?? size().bytes;
  const make = (
    verdict: LeaveVerdict,
    exitCode: ExitCode,
    words: string,
    guards: Guard[] = [],
    path?: 'stop' | 'typed',
  ): LeaveOutcome => {
    const after = size();
    return {
      verdict,
      exitCode,
      sessionId,
      words,
      path,
      guards,
      transcript: { file: after.file, beforeBytes, afterBytes: after.bytes },
      resume: resumeCommand(sessionId, cwd, look?.session.kind === 'background'),
      pid: look?.session.pid,
      name: look?.session.name,
    };
  };
  return Object.assign(make, { sessionId, beforeBytes });
}
