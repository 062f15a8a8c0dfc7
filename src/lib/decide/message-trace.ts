import { carriesMark } from '../words/message-text.ts';
import { timestampMs } from '../words/timestamp.ts';

/**
 * What a transcript says of one message. `taken`: a turn has it. `queued`: it stands in the session's queue. `withdrawn`: a
 * person took it out of the queue. `held`: parked for a person to approve, Claude has not seen it. `none`: no trace, which is also
 * how a refused message looks.
 */
export type TraceState = 'none' | 'held' | 'queued' | 'withdrawn' | 'taken';

export interface MessageTrace {
  state: TraceState;
  /** When it was put in the queue, ms since 1970. */
  queuedAt?: number | undefined;
}

export const NO_TRACE: MessageTrace = { state: 'none' };

/** Whom to look for: the message, and the process that posts it, by which a held message is known (its text is not kept). */
export interface Sought {
  id: string;
  senderPid?: number | undefined;
}

type Line = Record<string, unknown>;

/**
 * What is known after one more line of the transcript. Tool results are not read: a session that prints this toolkit's
 * mail log has not been sent what stands in it. `taken` is final.
 */
export function traceAfter(trace: MessageTrace, line: Line, sought: Sought): MessageTrace {
  if (trace.state === 'taken') return trace;
  if (line.type === 'queue-operation') return afterQueue(trace, line, sought.id);
  if (isTaken(line, sought.id)) return { ...trace, state: 'taken' };
  if (trace.state === 'none' && isHeld(line, sought.senderPid)) return { ...trace, state: 'held' };
  return trace;
}

function afterQueue(trace: MessageTrace, line: Line, id: string): MessageTrace {
  const { operation, content, reason, timestamp } = line;
  const ours = typeof content === 'string' && carriesMark(content, id);
  if (operation === 'enqueue' && ours) {
    return { state: 'queued', queuedAt: timestampMs(timestamp) };
  }
  if (trace.state !== 'queued') return trace;
  // Between two tool calls a running turn takes in what is queued; a person who edits the queue leaves no such reason.
  if (operation === 'remove' && ours)
    return { ...trace, state: reason === 'absorbed_mid_turn' ? 'taken' : 'withdrawn' };
  if (operation === 'popAll' || operation === 'clear') return { ...trace, state: 'withdrawn' };
  return trace;
}

function isTaken(line: Line, id: string): boolean {
  if (line.isSidechain === true) return false;
  if (line.type === 'attachment') {
    const { type, prompt } = (line.attachment ?? {}) as { type?: unknown; prompt?: unknown };
    return type === 'queued_command' && textsOf(prompt).some((text) => carriesMark(text, id));
  }
  if (line.type !== 'user') return false;
  const content = (line.message as { content?: unknown } | undefined)?.content;
  return textsOf(content).some((text) => carriesMark(text, id));
}

/** The texts of a message's content, none when it brings a tool's result. */
function textsOf(content: unknown): string[] {
  if (typeof content === 'string') return [content];
  if (!Array.isArray(content)) return [];
  const parts = content as { type?: unknown; text?: unknown }[];
  if (parts.some((part) => part?.type === 'tool_result')) return [];
  return parts.flatMap((part) => (typeof part?.text === 'string' ? [part.text] : []));
}

function isHeld({ type, content }: Line, senderPid: number | undefined): boolean {
  if (senderPid === undefined || type !== 'system' || typeof content !== 'string') return false;
  return content.startsWith('Held peer message') && content.includes(`[verified pid ${senderPid}]`);
}

/**
 * What still stands in the queue by the end of `lines`, oldest first. A take-out without text takes the oldest. A tail that
 * begins in the middle can only show too little taken out, never too few waiting.
 */
export function queueOf(lines: Iterable<Line>): { content: string; queuedAt: number | undefined }[] {
  const queue: { content: string; queuedAt: number | undefined }[] = [];
  for (const { type, operation, content, timestamp } of lines) {
    if (type !== 'queue-operation') continue;
    if (operation === 'enqueue') {
      queue.push({ content: typeof content === 'string' ? content : '', queuedAt: timestampMs(timestamp) });
    } else if (operation === 'dequeue' || operation === 'remove') {
      const at = queue.findIndex((one) => one.content === content);
      queue.splice(Math.max(0, at), 1);
    } else if (operation === 'popAll' || operation === 'clear') queue.length = 0;
  }
  return queue;
}

/** A session's queue ends with its process: what was queued before this one began is gone. */
export function queueIsLost(queuedAt: number | undefined, startedAt: number | undefined): boolean {
  return queuedAt !== undefined && startedAt !== undefined && queuedAt < startedAt;
}
