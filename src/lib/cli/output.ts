import type { Context } from '../context.ts';
import type { ExitCode } from '../errors.ts';
import type { Invocation } from './spec.ts';

export interface Output {
  out(text: string): void;
  err(text: string): void;
}

/** Does one action and returns the exit code. */
export type Handler = (context: Context, invocation: Invocation, output: Output) => Promise<ExitCode | number>;

/** Prints a JSON document, or the lines for people. */
export function print(output: Output, invocation: Invocation, document: object, text: string): void {
  if (invocation.json) output.out(`${JSON.stringify(document)}\n`);
  else if (text !== '') output.out(text.endsWith('\n') ? text : `${text}\n`);
}
