import { EXIT, type ExitCode } from '../errors.ts';
import type { ExitDecision } from './exit-guards.ts';
import { type MessageTrace, queueIsLost } from './message-trace.ts';

export type SendVerdict =
  | 'delivered'
  | 'queued'
  | 'unconfirmed'
  | 'refused'
  | 'unreadable'
  | 'no-such-session'
  | 'would-send';

export const SEND_EXIT: Readonly<Record<SendVerdict, ExitCode>> = {
  delivered: EXIT.done,
  queued: EXIT.done,
  'would-send': EXIT.done,
  unconfirmed: EXIT.later,
  refused: EXIT.guard,
  unreadable: EXIT.unreadable,
  'no-such-session': EXIT.noSuch,
};

/** The inbox of a session: `open` at a path, `none` (so it may be typed to), or a doubt about whose it is. */
export type InboxReading = { kind: 'open'; path: string } | { kind: 'none' | 'unsure'; why: string };

export interface RouteFacts {
  /** Live processes under the session's id. */
  processes: number;
  /** The roster lists it: it has no first-run dialog before it. */
  listed: boolean;
  inbox: InboxReading;
  /** It bypasses permission prompts and nothing says that it accepts messages: one would stop it at a question. */
  wouldAsk: string | undefined;
  socketOnly: boolean;
  kind: 'interactive' | 'background' | 'unknown';
  /** The guards of session-exit: whether keys may go to its pane. */
  guards: ExitDecision;
  /** Why this text must not be typed. */
  typedProblem: string | undefined;
}

export type Route =
  | { kind: 'socket'; path: string }
  | { kind: 'typed' }
  | { kind: 'refused' | 'unreadable'; why: string };

/**
 * Which way a message goes: the inbox socket, whatever the session is doing, because nothing is typed there; typed only
 * when there is no socket, and then under every guard of session-exit.
 */
export function chooseRoute(facts: RouteFacts): Route {
  const { processes, listed, inbox, wouldAsk, socketOnly, guards } = facts;
  const refused = (why: string): Route => ({ kind: 'refused', why });
  if (processes !== 1) return refused(`identity: ${processes} live processes have this session id`);
  if (!listed) return refused('identity: the roster does not list it: it starts, or stands on a first-run dialog');
  if (inbox.kind === 'unsure') return refused(`identity: ${inbox.why}`);
  if (inbox.kind === 'open')
    return wouldAsk === undefined ? { kind: 'socket', path: inbox.path } : refused(`inbox: ${wouldAsk}`);
  if (socketOnly) return refused(`inbox: ${inbox.why}`);
  if (facts.kind !== 'interactive') return refused(`inbox: ${inbox.why}, and it has no pane to type into`);
  const { stoppedBy } = guards;
  if (stoppedBy !== undefined) {
    const why = `${inbox.why}, and typing is refused: ${stoppedBy.name}: ${stoppedBy.reading.evidence}`;
    return guards.kind === 'unreadable' ? { kind: 'unreadable', why } : refused(why);
  }
  if (facts.typedProblem !== undefined) return refused(`${inbox.why}, and ${facts.typedProblem}`);
  return { kind: 'typed' };
}

export interface Seen {
  trace: MessageTrace;
  /** When the session's process began, ms since 1970. */
  startedAt: number | undefined;
  /** The session is in a turn or waits for a person. */
  occupied: boolean;
  /** Its process still runs. */
  running: boolean;
}

export interface Verdict {
  verdict: 'delivered' | 'queued' | 'unconfirmed';
  words: string;
}

/** What can be said of a message that was sent, by what the transcript shows of it at the end. */
export function verdictOf({ trace, startedAt, occupied, running }: Seen): Verdict {
  const { state, queuedAt } = trace;
  const unconfirmed = (words: string): Verdict => ({ verdict: 'unconfirmed', words });
  if (state === 'taken') return { verdict: 'delivered', words: 'delivered: a turn took it' };
  if (state === 'held')
    return unconfirmed(
      'held: it is parked for a person to approve and Claude has not seen it (crossSessionInbound, or bypass mode)',
    );
  if (state === 'withdrawn') return unconfirmed('a person took it out of the queue before a turn did');
  if (!running) return unconfirmed('the session ended before a turn took it');
  if (state === 'queued') {
    if (queueIsLost(queuedAt, startedAt))
      return unconfirmed('it was queued, and the process whose queue that was is gone');
    return {
      verdict: 'queued',
      words: `queued: a turn takes it later${occupied ? ' (the session is busy or waits for a person)' : ''}`,
    };
  }
  return unconfirmed(
    'no trace in the transcript: refused by its settings (crossSessionInbound), dropped, or not yet taken up',
  );
}

/** What is known of an earlier send under the same id. */
export interface Earlier extends Seen {
  /** It went to the process that runs now: what a process held, or gave back to a person, went with it. */
  sameProcess: boolean;
}

/**
 * Whether a message that was sent before under this id is there already, so that nothing must be done: its verdict now;
 * undefined when it may be sent (again).
 */
export function alreadyThere(earlier: Earlier): Verdict | undefined {
  const { trace, sameProcess } = earlier;
  const now = verdictOf(earlier);
  if (trace.state === 'taken') return { ...now, words: 'already delivered: it stands in the transcript; nothing sent' };
  if (now.verdict === 'queued') return { ...now, words: 'already queued; nothing sent' };
  // A held one may still be approved, and one that was taken out of the queue stands in somebody's box.
  if (sameProcess && (trace.state === 'held' || trace.state === 'withdrawn'))
    return { ...now, words: `nothing sent again: ${now.words}` };
  return undefined;
}
