// A Messages API on the loopback, just enough for Claude Code to run turns against: no model, no network.
// The newest thing the user said steers the answer:
//   SLOW<n>                the answer takes n seconds, so the session stays busy
//   CALL:<Tool>:{…}END     the answer is that tool call
//   anything else          one short text
// STUB_PORT, STUB_LOG (one JSON line a request), STUB_LEASH (a pid: the stub ends with it), STUB_REFUSAL (a file that
// makes every answer a refusal while it is there: api-failures.mjs).
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { refusal, warning } from './api-failures.mjs';

const port = Number(process.env.STUB_PORT ?? 8199);
const usage = { input_tokens: 10, output_tokens: 5, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
let serial = 0;

/** What was said since the last answer; empty when the last thing is a tool's result. */
function lastWords(messages) {
  const from = messages.findLastIndex((message) => message.role === 'assistant') + 1;
  const blocks = messages.slice(from).flatMap(({ content }) => {
    return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  });
  if (blocks.some((block) => block.type === 'tool_result')) return '';
  return blocks.map((block) => block.text ?? '').join('\n');
}

/** The block that answers these words. */
function answer(words, tools) {
  const call = /CALL:(\w+):(\{.*?\})END/s.exec(words);
  // Side questions (a title for the session) offer no tools: they get text.
  if (call && tools.length > 0) {
    return { type: 'tool_use', id: `toolu_${Date.now()}${++serial}`, name: call[1], input: JSON.parse(call[2]) };
  }
  return { type: 'text', text: `ok ${++serial}` };
}

/** The events of a streamed answer, in order. */
function* events(message, block, stop) {
  yield ['message_start', { message }];
  const [empty, delta] =
    block.type === 'text'
      ? [
          { type: 'text', text: '' },
          { type: 'text_delta', text: block.text },
        ]
      : [
          { ...block, input: {} },
          { type: 'input_json_delta', partial_json: JSON.stringify(block.input) },
        ];
  yield ['content_block_start', { index: 0, content_block: empty }];
  yield ['content_block_delta', { index: 0, delta }];
  yield ['content_block_stop', { index: 0 }];
  yield ['message_delta', { delta: { stop_reason: stop, stop_sequence: null }, usage: { output_tokens: 5 } }];
  yield ['message_stop', {}];
}

async function reply(url, text, response) {
  const json = (status, value) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  if (url.includes('count_tokens')) return json(200, { input_tokens: 10 });
  if (!url.startsWith('/v1/messages')) {
    return json(404, { type: 'error', error: { type: 'not_found_error', message: 'no such path in the stub' } });
  }
  const asked = JSON.parse(text);
  const words = lastWords(asked.messages ?? []);
  if (process.env.STUB_LOG) {
    appendFileSync(process.env.STUB_LOG, `${JSON.stringify({ at: new Date().toISOString(), words })}\n`);
  }
  const refused = refusal(process.env.STUB_REFUSAL);
  if (refused) return response.writeHead(refused.status, refused.headers).end(refused.body);
  const slow = /SLOW(\d+)/.exec(words);
  if (slow) await pause(Number(slow[1]) * 1000);
  const block = answer(words, asked.tools ?? []);
  const stop = block.type === 'tool_use' ? 'tool_use' : 'end_turn';
  const message = { id: `msg_${Date.now()}${++serial}`, type: 'message', role: 'assistant', model: asked.model };
  const empty = { ...message, content: [], stop_reason: null, stop_sequence: null, usage };
  if (!asked.stream) return json(200, { ...empty, content: [block], stop_reason: stop });
  const told = warning(process.env.STUB_REFUSAL);
  response.writeHead(200, { 'content-type': 'text/event-stream', ...told });
  for (const [type, value] of events(empty, block, stop)) {
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...value })}\n\n`);
  }
  response.end();
}

createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  await reply(request.url, Buffer.concat(chunks).toString(), response).catch((error) => {
    response.destroy(error);
  });
}).listen(port, '127.0.0.1', () => console.log(`listening on ${port}`));

if (process.env.STUB_LEASH) {
  setInterval(() => {
    try {
      process.kill(Number(process.env.STUB_LEASH), 0);
    } catch {
      process.exit(0);
    }
  }, 1000).unref();
}
