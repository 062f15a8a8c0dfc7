import { no, type Reading, unknown, yes } from '../reading.ts';

/** What is known of a session that is asked to leave. Everything read in one look. */
export interface ExitFacts {
  /** Live processes under this session id, by the roster and the process table. */
  processes: number;
  kind: 'interactive' | 'background' | 'unknown';
  /** By the roster; undefined when it says none, or lists the session not at all. */
  status: string | undefined;
  waitingFor?: string | undefined;
  /** Background: whether the short id that `claude stop` wants is known. */
  hasShortId: boolean;
  /** Background: whether somebody looks at it. */
  viewed: Reading | undefined;
  /** Interactive: the pane that holds its process. */
  pane: { answer: 'yes' | 'no' | 'unknown'; evidence: string };
  /** Interactive, in a pane: tmux clients on it, and whether a mode (copy mode) takes its keys. */
  attachedClients?: number;
  inMode?: boolean;
  /** Interactive, in a pane: what its screen shows. */
  screen?: ScreenFact;
}

export interface ScreenFact {
  kind: 'empty-prompt' | 'draft' | 'dialog' | 'background-work' | 'busy' | 'not-claude' | 'unknown';
  evidence: string;
  /** The box holds just what an earlier, interrupted run of ours typed. */
  oursTyped?: boolean;
}

export type GuardName = 'identity' | 'status' | 'address' | 'unattached' | 'mode' | 'input';

export interface Guard {
  name: GuardName;
  reading: Reading;
}

export interface ExitDecision {
  kind: 'leave' | 'refuse' | 'unreadable';
  guards: Guard[];
  /** The first guard that did not say yes. */
  stoppedBy: Guard | undefined;
}

/**
 * Whether a session may be asked to leave now. Each guard is a question whose yes lets it go on; a no refuses, and so
 * does an unknown: told apart only so that a source that can't be read is said as such (69) and not as a refusal (77).
 * No flag overrides any of them: a key typed at a dialog answers it (`/exit` + Enter approved a pending command), one
 * typed behind a draft is sent to the model, and in the middle of a turn ends it (facts, "Leaving").
 */
export function decideExit(facts: ExitFacts): ExitDecision {
  const guards: Guard[] = [
    { name: 'identity', reading: identity(facts) },
    { name: 'status', reading: idle(facts) },
    { name: 'address', reading: address(facts) },
    { name: 'unattached', reading: unattached(facts) },
  ];
  if (facts.kind === 'interactive' && facts.pane.answer === 'yes') {
    guards.push({ name: 'mode', reading: keysReachIt(facts) }, { name: 'input', reading: boxEmpty(facts) });
  }
  const refusal = guards.find(({ reading }) => reading.answer === 'no');
  const unread = guards.find(({ reading }) => reading.answer === 'unknown');
  if (refusal !== undefined) return { kind: 'refuse', guards, stoppedBy: refusal };
  if (unread !== undefined) {
    // An unknown screen was read; it is its meaning that is not known.
    return {
      kind: unread.name === 'input' || unread.name === 'status' ? 'refuse' : 'unreadable',
      guards,
      stoppedBy: unread,
    };
  }
  return { kind: 'leave', guards, stoppedBy: undefined };
}

function identity({ processes }: ExitFacts): Reading {
  if (processes === 1) return yes('roster, processes', 'one live process has this session id');
  return no('roster, processes', `${processes} live processes have this session id`);
}

function idle({ status, waitingFor }: ExitFacts): Reading {
  if (status === 'idle') return yes('roster', 'status idle');
  if (status === undefined)
    return unknown('roster', 'not in the roster, or without a status: it starts or stands on a dialog');
  if (status === 'waiting') return no('roster', `status waiting (${waitingFor ?? 'for a person'})`);
  if (status === 'busy' || status === 'shell') return no('roster', `status ${status}`);
  return unknown('roster', `status ${status}, which is not known here`);
}

function address({ kind, hasShortId, pane }: ExitFacts): Reading {
  if (kind === 'background') {
    return hasShortId ? yes('roster', 'its short id is known') : no('roster', 'the roster gives no short id');
  }
  if (kind === 'unknown') return no('roster', 'the roster does not say which kind of session it is');
  return { answer: pane.answer, source: 'tmux', evidence: pane.evidence };
}

function unattached({ kind, viewed, attachedClients, pane }: ExitFacts): Reading {
  if (kind === 'background') {
    if (viewed === undefined) return unknown('processes', 'whether somebody looks at it was not read');
    // The question is whether it is unattached, so a yes there is a no here.
    return { ...viewed, answer: { yes: 'no', no: 'yes', unknown: 'unknown' }[viewed.answer] as Reading['answer'] };
  }
  if (pane.answer !== 'yes') return { answer: pane.answer, source: 'tmux', evidence: pane.evidence };
  if (attachedClients === undefined) return unknown('tmux', 'its clients could not be read');
  return attachedClients === 0
    ? yes('tmux', 'no client attached')
    : no('tmux', `${attachedClients} client${attachedClients === 1 ? '' : 's'} attached`);
}

function keysReachIt({ inMode }: ExitFacts): Reading {
  if (inMode === undefined) return unknown('tmux', 'its mode could not be read');
  return inMode ? no('tmux', 'the pane is in copy mode or another mode') : yes('tmux', 'no mode takes its keys');
}

function boxEmpty({ screen }: ExitFacts): Reading {
  if (screen === undefined) return unknown('screen', 'the screen could not be read');
  if (screen.kind === 'empty-prompt') return yes('screen', 'the input box is empty');
  if (screen.kind === 'draft' && screen.oursTyped) return yes('screen', 'the box holds what an interrupted run typed');
  if (screen.kind === 'unknown') return unknown('screen', screen.evidence);
  const words = {
    draft: 'a draft stands in the box',
    dialog: 'a dialog is open',
    'background-work': 'the background-work dialog is open',
    busy: 'a turn is running',
    'not-claude': 'the screen is not Claude Code’s',
  }[screen.kind];
  return no('screen', `${words}: ${screen.evidence}`);
}
