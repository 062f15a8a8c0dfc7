import { Argument, Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { EXIT, FleetError } from '../errors.ts';
import { parseDuration } from '../words/duration.ts';
import { safeText } from '../words/safe-text.ts';
import { parseShare } from '../words/share.ts';
import { actionHelp } from './help.ts';
import {
  type ActionSpec,
  COMMON_OPTIONS,
  type CommandSpec,
  type Invocation,
  type OptionSpec,
  type OptionValues,
} from './spec.ts';

export type Parsed = { kind: 'run'; action: ActionSpec; invocation: Invocation } | { kind: 'print'; text: string };

/** What the words of a command line ask for. Throws FleetError 64 for what it does not understand. */
export function parseWords(spec: CommandSpec, words: readonly string[], version: string): Parsed {
  let parsed: Parsed | undefined;
  let printed = '';
  const program = new Command(spec.name);
  const quietly = (command: Command) =>
    command
      .exitOverride()
      .helpOption('-h, --help', 'show help')
      .configureOutput({ writeOut: (text) => (printed += text), writeErr: () => undefined });
  quietly(program).version(version, '-V, --version').enablePositionalOptions();
  // Only the action that is asked for is built: the others cost time at every start.
  const asked = spec.actions.filter(({ name }) => name === '' || name === words[0]);
  const [first] = words;
  if (asked.length === 0 && first !== undefined && !first.startsWith('-')) {
    throw new FleetError(EXIT.usage, `no such command: ${safeText(first, 40)}; there are ${namesOf(spec)}`);
  }
  for (const action of asked) {
    const command = action.name === '' ? program : quietly(new Command(action.name));
    if (command !== program) program.addCommand(command);
    command.helpInformation = () => actionHelp(spec, action);
    for (const { name, optional, variadic, several } of action.args) {
      const word = `${name}${variadic || several ? '...' : ''}`;
      command.addArgument(new Argument(optional ? `[${word}]` : `<${word}>`));
    }
    for (const option of [...action.options, ...COMMON_OPTIONS]) command.addOption(optionOf(option));
    if (action.args[0]?.variadic) command.passThroughOptions();
    command.action(() => {
      const { json, quiet, ...options } = command.opts<OptionValues>();
      refuseStrays(action, command.args, words);
      parsed = {
        kind: 'run',
        action,
        invocation: { args: command.args, options, json: json === true, quiet: quiet === true },
      };
    });
  }
  if (spec.actions.length > 1) {
    program.helpCommand(false);
    program.helpInformation = () => commandHelpOf(spec);
  }
  try {
    program.parse([...words], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return { kind: 'print', text: printed };
    if (error.code === 'commander.help') throw new FleetError(EXIT.usage, `say what to do: ${namesOf(spec)}`);
    throw new FleetError(EXIT.usage, error.message.replace(/^error: /, '').replace(/\s*\n\s*/g, ' '));
  }
  if (parsed === undefined) throw new FleetError(EXIT.usage, `say what to do: ${namesOf(spec)}`);
  return parsed;
}

const namesOf = ({ actions }: CommandSpec) => actions.map(({ name }) => name).join(', ');

function commandHelpOf(spec: CommandSpec): string {
  const width = Math.max(...spec.actions.map(({ name }) => name.length));
  const list = spec.actions.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`);
  return [
    `usage: ${spec.name} COMMAND [ARGUMENTS]`,
    '',
    ...spec.description,
    '',
    'commands:',
    ...list,
    '',
    `${spec.name} COMMAND --help tells more; so does man ${spec.name}.`,
    '',
  ].join('\n');
}

/** Words for another command must stand behind `--`: a stray one before it is a slip, not an argument for that command. */
function refuseStrays({ args }: ActionSpec, given: readonly string[], words: readonly string[]): void {
  const fixed = args.filter(({ variadic }) => !variadic).length;
  if (fixed === args.length || fixed === 0) return;
  const dashes = words.indexOf('--');
  const behind = dashes < 0 ? 0 : words.length - dashes - 1;
  const stray = given.length - behind > fixed ? given[fixed] : undefined;
  if (stray !== undefined)
    throw new FleetError(EXIT.usage, `unexpected word: ${safeText(stray, 60)} (words for claude stand behind --)`);
}

function optionOf({ long, type, value, summary, several }: OptionSpec): Option {
  if (type === 'flag') return new Option(`--${long}`, summary);
  const option = new Option(`--${long} <${value ?? long}>`, summary);
  if (!several) return option.argParser((text) => optionValue(type, text));
  return option.argParser((text, before: readonly string[] = []) => [...before, String(optionValue(type, text))]);
}

function optionValue(type: OptionSpec['type'], text: string): string | number {
  if (type === 'duration') return parseDuration(text) ?? invalid('a duration like 90s, 15m or 48h');
  if (type === 'share') return parseShare(text) ?? invalid('a share like 10%');
  if (type === 'count') return /^\d{1,9}$/.test(text) ? Number(text) : invalid('a whole number');
  if (text === '') invalid('not empty');
  return text;
}

function invalid(wanted: string): never {
  throw new InvalidArgumentError(`It must be ${wanted}.`);
}
