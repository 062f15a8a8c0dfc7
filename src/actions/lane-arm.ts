import { type Handler, print } from '../lib/cli/output.ts';
import { readText } from '../lib/cli/read-text.ts';
import type { Invocation } from '../lib/cli/spec.ts';
import { EXIT, FleetError } from '../lib/errors.ts';
import { claimsOf } from '../lib/observe/sweep/task-look.ts';
import { armLane, isLaneName, stopLanes } from '../lib/store/lanes.ts';
import { readTasks } from '../lib/store/task-files.ts';
import { MESSAGE_LIMIT_BYTES, messageBody } from '../lib/words/message-text.ts';
import { safeText } from '../lib/words/safe-text.ts';
import { isSessionId } from '../lib/words/session-id.ts';

const EVERY_MS = 30 * 60_000;

/** `lane-nudge arm LANE`. */
export const laneArm: Handler = async ({ places }, invocation, output) => {
  const name = laneName(invocation.args[0]);
  const sid = sidOf(invocation);
  if (sid === undefined) throw new FleetError(EXIT.usage, '--sid names the session', { field: 'sid' });
  const { every } = invocation.options;
  const everyMs = typeof every === 'number' ? every : EVERY_MS;
  if (everyMs < 1000) throw new FleetError(EXIT.usage, '--every is at least 1s', { field: 'every' });
  const body = messageBody(textOf(invocation));
  if (!body.ok) throw new FleetError(EXIT.badData, `the text: ${body.why}`, { field: 'text' });
  const task = claimsOf(readTasks(places.tasksDir).tasks)(sid, '');
  if (task !== undefined) throw new FleetError(EXIT.guard, `it drives task ${task}: the Supervisor wakes it`);
  const armedAt = new Date().toISOString();
  const { replaced } = await armLane(places, { name, sid, everyMs, text: body.value, armedAt });
  const document = { schema: 'session-fleet.lane-nudge.arm.v1', lane: name, sid, everyMs, replaced };
  print(output, invocation, document, invocation.quiet ? '' : `${name} is armed for ${sid}`);
  return EXIT.done;
};

/** `lane-nudge stop [LANE]`. */
export const laneStop: Handler = async ({ places }, invocation, output) => {
  const sid = sidOf(invocation);
  if (invocation.args.length > 0 === (sid !== undefined)) throw new FleetError(EXIT.usage, 'name a lane, or --sid');
  const names = await stopLanes(places, sid === undefined ? { name: laneName(invocation.args[0]) } : { sid });
  if (names.length === 0 && sid === undefined) throw new FleetError(EXIT.noSuch, `no such lane: ${invocation.args[0]}`);
  const document = { schema: 'session-fleet.lane-nudge.stop.v1', stopped: names };
  print(output, invocation, document, invocation.quiet ? '' : names.map((name) => `${name} is stopped`).join('\n'));
  return EXIT.done;
};

function laneName(word = ''): string {
  if (isLaneName(word)) return word;
  throw new FleetError(EXIT.usage, `${safeText(word, 60)} can be no lane’s name`, { field: 'LANE' });
}

function sidOf({ options }: Invocation): string | undefined {
  const { sid } = options;
  if (sid === undefined || (typeof sid === 'string' && isSessionId(sid))) return sid;
  throw new FleetError(EXIT.usage, `${safeText(String(sid), 60)} is no full session id`, { field: 'sid' });
}

function textOf({ options }: Invocation): string {
  const { text, file } = options;
  if ((text === undefined) === (file === undefined)) throw new FleetError(EXIT.usage, 'give --text, or --file');
  return typeof file === 'string' ? readText(file, { maxBytes: MESSAGE_LIMIT_BYTES, what: 'a message' }) : String(text);
}
