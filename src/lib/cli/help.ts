import { type ActionSpec, COMMON_OPTIONS, type CommandSpec, type OptionSpec } from './spec.ts';

/** `session-cap admit [OPTIONS]`, as help and man page show it. */
export function usageLine(spec: CommandSpec, action: ActionSpec): string {
  const args = action.args.map(({ name, optional, variadic, several }) => {
    // What is for another command stands behind --.
    const word = variadic ? `-- ${name}...` : `${name}${several ? '...' : ''}`;
    return optional ? `[${word}]` : word;
  });
  return [spec.name, action.name, '[OPTIONS]', ...args].filter((word) => word !== '').join(' ');
}

/** `--wait DURATION`, `--option ID=LABEL...` */
export function optionWords({ long, type, value, several }: OptionSpec): string {
  return type === 'flag' ? `--${long}` : `--${long} ${value ?? long.toUpperCase()}${several ? '...' : ''}`;
}

/** Help of one action: usage, what it does, arguments, options, examples, exit status. */
export function actionHelp(spec: CommandSpec, action: ActionSpec): string {
  const lines = [`usage: ${usageLine(spec, action)}`, '', ...action.description, ''];
  if (action.args.length > 0)
    lines.push('arguments:', ...columns(action.args.map(({ name, summary }) => [name, summary])), '');
  const options = [...action.options, ...COMMON_OPTIONS].map(
    (option) => [optionWords(option), option.summary] as const,
  );
  lines.push('options:', ...columns([...options, ['-h, --help', 'show this help']]), '');
  lines.push('examples:', ...action.examples.flatMap(({ line, about }) => [`  ${line}`, `      ${about}`]), '');
  lines.push('exit status:', ...columns(Object.entries(action.exits)), '');
  return lines.join('\n');
}

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([word]) => word.length));
  return rows.map(([word, text]) => `  ${word.padEnd(width)}  ${text}`);
}
