import type { Context } from '../context.ts';
import { EXIT, type ExitCode, FleetError, messageOf } from '../errors.ts';
import { loadPolicy } from '../store/config.ts';
import { placesOf } from '../store/places.ts';
import { parseWords } from './parse.ts';
import type { CommandSpec, Invocation } from './spec.ts';

export interface Output {
  out(text: string): void;
  err(text: string): void;
}

/** Does one action and returns the exit code. */
export type Handler = (context: Context, invocation: Invocation, output: Output) => Promise<ExitCode | number>;

declare const __FLEET_VERSION__: string;

/**
 * Runs a command from its words to its exit code: parses, loads the policy, does the action, and turns every error into
 * one line on standard error (one JSON object under --json).
 */
export async function main(
  spec: CommandSpec,
  handlers: Record<string, () => Promise<Handler>>,
  words: readonly string[],
): Promise<number> {
  // `| head` closes our standard output: nothing more to say, and no stack trace about it.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  const output: Output = {
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
  };
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
  } catch (error) {
    const code = error instanceof FleetError ? error.exitCode : EXIT.internal;
    output.err(
      json ? `${JSON.stringify(errorDocument(spec.name, code, error))}\n` : `${spec.name}: ${messageOf(error)}\n`,
    );
    return code;
  }
}

function errorDocument(command: string, exitCode: number, error: unknown) {
  const blame = error instanceof FleetError ? error.blame : {};
  return { schema: 'session-fleet.error.v1', command, exitCode, message: messageOf(error), ...blame };
}

/** Prints a JSON document, or the lines for people. */
export function print(output: Output, invocation: Invocation, document: object, text: string): void {
  if (invocation.json) output.out(`${JSON.stringify(document)}\n`);
  else if (text !== '') output.out(text.endsWith('\n') ? text : `${text}\n`);
}
