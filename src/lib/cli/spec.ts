import type { ExitCode } from '../errors.ts';

/** How the value of an option is written and what it becomes. */
export type ValueType = 'flag' | 'duration' | 'count' | 'share' | 'text' | 'file';

/** What shells may offer for a word. */
export type Completes =
  | 'session'
  | 'reservation'
  | 'task'
  | 'lane'
  | 'decision'
  | 'open-decision'
  /** An option of the decision that the word before names. */
  | 'decision-option'
  | 'file'
  | 'command'
  | 'none';

export interface OptionSpec {
  /** Without dashes: `wait`. */
  long: string;
  type: ValueType;
  /** The word for the value in help: `DURATION`. */
  value?: string;
  summary: string;
  /** May be given more than once; its value is then the list of them, in their order. Text only. */
  several?: boolean;
  completes?: Completes;
  /** The words that shells offer for it. */
  choices?: readonly string[];
}

export interface ArgumentSpec {
  name: string;
  summary: string;
  optional?: boolean;
  /** Takes all that follows, options too: another command's words, behind --. */
  variadic?: boolean;
  /** May be given more than once. */
  several?: boolean;
  completes?: Completes;
  /** The words that shells offer for it. */
  choices?: readonly string[];
}

export interface ExampleSpec {
  line: string;
  about: string;
}

/** One thing a command does; commands without subcommands have a single one with an empty name. */
export interface ActionSpec {
  name: string;
  summary: string;
  description: readonly string[];
  args: readonly ArgumentSpec[];
  options: readonly OptionSpec[];
  exits: Partial<Record<ExitCode, string>>;
  examples: readonly ExampleSpec[];
  /** Name of the document that --json prints; absent where there is none. */
  schema?: string;
}

/** One command: the one place its help, man page, completions and parsing are made from. */
export interface CommandSpec {
  name: string;
  summary: string;
  description: readonly string[];
  actions: readonly ActionSpec[];
  files: readonly { path: string; about: string }[];
  environment: readonly { name: string; about: string }[];
  seeAlso: readonly string[];
}

/** Options that every action has. */
export const COMMON_OPTIONS: readonly OptionSpec[] = [
  { long: 'json', type: 'flag', summary: 'print one JSON document on standard output and nothing else there' },
  { long: 'quiet', type: 'flag', summary: 'print nothing when all is well (for cron)' },
];

/** Parsed words of one call: option values by name, already of their type (durations in ms, shares 0…1). */
export type OptionValues = Record<string, string | number | boolean | readonly string[] | undefined>;

export interface Invocation {
  args: string[];
  options: OptionValues;
  json: boolean;
  quiet: boolean;
}
