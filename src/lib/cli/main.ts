import { EXIT, FleetError, isFleetError, messageOf } from '../errors.ts';
import { loadPolicy } from '../store/config.ts';
import { placesOf } from '../store/places.ts';
import { safeText } from '../words/safe-text.ts';
import type { Handler, Output } from './output.ts';
import { parseWords } from './parse.ts';
import type { CommandSpec } from './spec.ts';
import { writeStandard } from './standard-output.ts';

declare const __FLEET_VERSION__: string;

/** A name in an error can be anybody's: it is shown without escapes, and not at any length. */
const LONGEST = 4000;

/**
 * Runs a command from its words to its exit code: parses, loads the policy, does the action, and turns every error into
 * one line on standard error (one JSON object under --json).
 */
export async function main(
  spec: CommandSpec,
  handlers: Record<string, () => Promise<Handler>>,
  words: readonly string[],
): Promise<number> {
  const output: Output = { out: (text) => writeStandard(1, text), err: (text) => writeStandard(2, text) };
  let json = words.includes('--json');
  try {
    const parsed = parseWords(spec, words, __FLEET_VERSION__);
    if (parsed.kind === 'print') {
      output.out(parsed.text);
      return EXIT.done;
    }
    json = parsed.invocation.json;
    const env = process.env;
    const places = placesOf(env);
    const policy = await loadPolicy(places.configFile, Boolean(env.FLEET_CONFIG));
    const handler = await handlers[parsed.action.name]?.();
    if (handler === undefined) throw new FleetError(EXIT.usage, `no such command: ${parsed.action.name}`);
    return await handler({ env, places, policy }, parsed.invocation, output);
  } catch (thrown) {
    const error = isCwdGone(thrown) ? new FleetError(EXIT.noSuch, 'the working folder is gone') : thrown;
    const code = isFleetError(error) ? error.exitCode : EXIT.internal;
    output.err(
      json
        ? `${JSON.stringify(errorDocument(spec.name, code, error))}\n`
        : `${spec.name}: ${safeText(messageOf(error), LONGEST)}\n`,
    );
    return code;
  }
}

/** Node's own words for a working folder that was removed say less. */
const isCwdGone = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'syscall' in error && error.syscall === 'uv_cwd';

function errorDocument(command: string, exitCode: number, error: unknown) {
  const blame = isFleetError(error) ? error.blame : {};
  return { schema: 'session-fleet.error.v1', command, exitCode, message: messageOf(error), ...blame };
}
