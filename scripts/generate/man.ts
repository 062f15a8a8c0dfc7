import { optionWords, usageLine } from '../../src/lib/cli/help.ts';
import { type ActionSpec, COMMON_OPTIONS, type CommandSpec } from '../../src/lib/cli/spec.ts';

// A fixed date: the page changes when what it says changes, not when it is built.
const DATE = '2026-11-30';

/** The man page of a command, in man(7). */
export function manPage(spec: CommandSpec, version: string): string {
  const single = spec.actions.length === 1 ? spec.actions[0] : undefined;
  const body = single === undefined ? manyActions(spec) : oneAction(single);
  return [
    `.TH ${roff(spec.name.toUpperCase())} 1 ${DATE} "session-fleet ${version}" "session-fleet"`,
    '.SH NAME',
    `${roff(spec.name)} \\- ${roff(spec.summary)}`,
    '.SH SYNOPSIS',
    ...spec.actions.flatMap((action, at) => [...(at === 0 ? [] : ['.br']), `.B ${roff(usageLine(spec, action))}`]),
    '.SH DESCRIPTION',
    roff(spec.description.join('\n')),
    ...body,
    '.SH FILES',
    ...spec.files.flatMap(({ path, about }) => item(path, about)),
    '.SH ENVIRONMENT',
    ...spec.environment.flatMap(({ name, about }) => item(name, about)),
    '.SH SEE ALSO',
    roff(spec.seeAlso.join(',\n')),
    '',
  ].join('\n');
}

function oneAction(action: ActionSpec): string[] {
  return [
    '.PP',
    roff(action.description.join('\n')),
    '.SH OPTIONS',
    ...optionItems(action),
    '.SH EXIT STATUS',
    ...exitItems(action),
    '.SH EXAMPLES',
    ...exampleItems(action).slice(1),
  ];
}

function manyActions(spec: CommandSpec): string[] {
  return [
    '.SH COMMANDS',
    ...spec.actions.flatMap((action) => [
      `.SS ${roff(usageLine(spec, action))}`,
      roff(action.description.join('\n')),
      ...optionItems(action, false),
    ]),
    '.SH OPTIONS',
    'Every command takes these:',
    ...COMMON_OPTIONS.flatMap((option) => item(optionWords(option), option.summary)),
    ...item('-h, --help', 'show help'),
    ...item('-V, --version', 'show the version'),
    '.SH EXIT STATUS',
    ...spec.actions.flatMap((action) => [`.SS ${roff(`${spec.name} ${action.name}`)}`, ...exitItems(action)]),
    '.SH EXAMPLES',
    ...spec.actions.flatMap(exampleItems).slice(1),
  ];
}

function optionItems(action: ActionSpec, common = true): string[] {
  const options = [...action.options, ...(common ? COMMON_OPTIONS : [])];
  return [
    ...action.args.flatMap(({ name, summary }) => item(name, summary)),
    ...options.flatMap((option) => item(optionWords(option), option.summary)),
    ...(common ? [...item('-h, --help', 'show help'), ...item('-V, --version', 'show the version')] : []),
  ];
}

function exitItems(action: ActionSpec): string[] {
  return Object.entries(action.exits).flatMap(([code, about]) => item(code, about));
}

/** Examples, each behind a paragraph break; the first one's is superfluous below its heading. */
function exampleItems(action: ActionSpec): string[] {
  return action.examples.flatMap(({ line, about }) => [
    '.PP',
    `${roff(about.charAt(0).toUpperCase() + about.slice(1))}:`,
    '.PP',
    '.nf',
    '.RS',
    roff(line),
    '.RE',
    '.fi',
  ]);
}

function item(term: string, text: string): string[] {
  return ['.TP', `.B ${roff(term)}`, roff(text)];
}

/** Text for roff: backslashes, dashes, quotes that would be typographic, and signs that begin a request. */
function roff(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('`', '\\(ga')
    .replaceAll("'", '\\(aq')
    .replaceAll('"', '\\(dq')
    .replaceAll('’', '\\(cq')
    .replaceAll('…', '...')
    .replace(/^\./gm, '\\&.');
}
