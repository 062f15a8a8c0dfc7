import { setTimeout as pause } from 'node:timers/promises';
import { answerText, think } from './model.mjs';

/** `claude -p "prompt"`: one answer on stdout; no dialog stands before it. */
export async function print({ prompt }) {
  let text = prompt;
  if (text === undefined) {
    text = '';
    for await (const chunk of process.stdin.setEncoding('utf8')) text += chunk;
  }
  await pause(think(text).ms);
  process.stdout.write(`${answerText()}\n`);
}
