import type { Context } from '../context.ts';
import { monotonicMs } from '../monotonic.ts';
import { boundedRun, failureOf } from '../observe/bounded-run.ts';
import type { ExitLook } from '../observe/exit-look.ts';
import { claudeCommand, readerEnvironment } from '../observe/roster.ts';
import { safeText } from '../words/safe-text.ts';
import type { ActReport } from './leave.ts';
import { cameBack, waitGone } from './leave-watch.ts';

/** Longer than Claude Code's daemon needs to see that it must bring a session back. */
const SETTLE_MS = 500;

/** Ends a background session through `claude stop <short id>`, which flushes its transcript and runs its SessionEnd hooks. */
export async function stopBackground(context: Context, look: ExitLook, waitMs: number): Promise<ActReport> {
  const { session } = look;
  const deadline = monotonicMs() + waitMs;
  const began = Date.now();
  if (session.shortId === undefined) {
    return { verdict: 'refused', words: 'nothing done: its short id is not known', cleared: true };
  }
  const command = claudeCommand(context.env);
  const outcome = await boundedRun(command, ['stop', session.shortId], {
    timeoutMs: Math.max(1000, waitMs),
    env: readerEnvironment(context.env),
  });
  const failure = failureOf(outcome, `${command} stop`);
  if (failure !== undefined && outcome.kind === 'ended') {
    const said = safeText(outcome.stderr.trim() || outcome.stdout.trim(), 120);
    return { verdict: 'still-running', words: `${failure}${said === '' ? '' : `: ${said}`}`, cleared: true };
  }
  const { gone } = await waitGone(session, deadline);
  if (!gone)
    return {
      verdict: 'still-running',
      words: failure ?? `asked, and still running as process ${session.pid}`,
      cleared: true,
    };
  const back = await cameBack(context, session, began, SETTLE_MS);
  if (back.answer !== 'no') return { verdict: 'still-running', words: back.words, cleared: true };
  return { verdict: 'left', words: 'left', cleared: true };
}
