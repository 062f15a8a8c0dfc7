import { closeSync, openSync, readSync } from 'node:fs';
import { parseLines } from '../store/json-lines.ts';

const MAX_BYTES = 4 << 20;

/** The texts of a transcript's user messages, from its start, within the first few MB; tool results are none. */
export function userMessages(file: string, fromByte = 0): string[] {
  const fd = openSync(file, 'r');
  try {
    const bytes = Buffer.alloc(MAX_BYTES);
    const text = bytes.toString('utf8', 0, readSync(fd, bytes, 0, bytes.length, fromByte));
    return parseLines(text.split('\n')).records.flatMap(textOfUser);
  } finally {
    closeSync(fd);
  }
}

function textOfUser(record: Record<string, unknown>): string[] {
  if (record.type !== 'user' || record.isMeta === true || record.isSidechain === true) return [];
  const message = record.message as { content?: unknown } | undefined;
  if (typeof message?.content === 'string') return [message.content];
  if (!Array.isArray(message?.content)) return [];
  const parts = message.content as { type?: unknown; text?: unknown }[];
  if (parts.some(({ type }) => type === 'tool_result')) return [];
  return [parts.flatMap(({ text }) => (typeof text === 'string' ? [text] : [])).join('\n')];
}
