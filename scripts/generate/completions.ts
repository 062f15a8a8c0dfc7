import {
  type ActionSpec,
  COMMON_OPTIONS,
  type CommandSpec,
  type Completes,
  type OptionSpec,
} from '../../src/lib/cli/spec.ts';

const GENERATED = '# Generated from the command definitions by `npm run generate`; edits are lost.';

const optionsOf = (action: ActionSpec): OptionSpec[] => [
  ...action.options,
  ...COMMON_OPTIONS,
  { long: 'help', type: 'flag', summary: 'show help' },
];

/** In a folder of the fleet's. By sh: fish does not know these expansions. */
const inFleetHome = (folder: string, command: string) =>
  `sh -c 'cd "\${FLEET_HOME:-\${CLAUDE_CONFIG_DIR:-$HOME/.claude}/jobs}/${folder}" && ${command}' 2>/dev/null`;

/** The command that prints the words for a dynamic value, one a line. One cheap call; no output when it fails. */
const WORDS: Partial<Record<Completes, string>> = {
  session: `session-cap status --json 2>/dev/null | tr ',{' '\\n\\n' | sed -n 's/^"sessionId":"\\([^"]*\\)"$/\\1/p'`,
  task: inFleetHome('tasks', 'ls'),
  decision: inFleetHome('fleet/decisions', 'ls d????????.json | cut -d. -f1'),
  'open-decision': inFleetHome('fleet/decisions', 'grep -LE "^  .(answer|closed).: " d????????.json | cut -d. -f1'),
  reservation: `session-cap status --json 2>/dev/null | tr ',{' '\\n\\n' | sed -n 's/^"token":"\\([^"]*\\)"$/\\1/p'`,
};

const functionName = (spec: CommandSpec) => `_${spec.name.replaceAll('-', '_')}`;
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** bash: one function a command, nothing shared, so that two of them can be sourced. */
export function bashCompletion(spec: CommandSpec): string {
  const name = functionName(spec);
  const many = spec.actions.length > 1;
  const cases = spec.actions.flatMap((action) => [
    `    ${action.name === '' ? '*' : action.name})`,
    `      options=${quoted(
      optionsOf(action)
        .map(({ long }) => `--${long}`)
        .join(' '),
    )}`,
    `      values=${quoted(
      ` ${optionsOf(action)
        .filter(({ type }) => type !== 'flag')
        .map(({ long }) => `--${long}`)
        .join(' ')} `,
    )}`,
    `      files=${quoted(
      ` ${optionsOf(action)
        .filter(({ completes }) => completes === 'file')
        .map(({ long }) => `--${long}`)
        .join(' ')} `,
    )}`,
    `      kind=${action.args[0]?.completes ?? 'none'}`,
    '      ;;',
  ]);
  return [
    GENERATED,
    `${name}() {`,
    '  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} action= options= values= files= kind=none',
    '  COMPREPLY=()',
    ...(many
      ? [
          '  if ((COMP_CWORD == 1)); then',
          `    COMPREPLY=($(compgen -W ${quoted([...spec.actions.map((action) => action.name), '--help', '--version'].join(' '))} -- "$cur"))`,
          '    return',
          '  fi',
          '  action=${COMP_WORDS[1]}',
        ]
      : []),
    '  case $action in',
    ...cases,
    '  esac',
    '  if [[ $values == *" $prev "* ]]; then',
    '    if [[ $files == *" $prev "* ]]; then COMPREPLY=($(compgen -f -- "$cur")); fi',
    '    return',
    '  fi',
    '  if [[ $cur == -* ]]; then',
    '    COMPREPLY=($(compgen -W "$options" -- "$cur"))',
    '    return',
    '  fi',
    '  case $kind in',
    ...Object.entries(WORDS).map(
      ([kind, words]) => `    ${kind}) COMPREPLY=($(compgen -W "$(${words})" -- "$cur")) ;;`,
    ),
    '    command) COMPREPLY=($(compgen -c -- "$cur")) ;;',
    '  esac',
    '}',
    `complete -F ${name} ${spec.name}`,
    '',
  ].join('\n');
}

/** zsh: an autoloaded `_name` file. */
export function zshCompletion(spec: CommandSpec): string {
  const name = functionName(spec);
  const many = spec.actions.length > 1;
  const text = (words: string) => words.replace(/[[\]:]/g, '\\$&');
  const argument = (action: ActionSpec): string[] => {
    const kind = action.args[0]?.completes ?? 'none';
    if (kind === 'command') return [`'*:::command:_normal'`];
    const words = WORDS[kind];
    return words === undefined
      ? []
      : [`':${action.args[0]?.name}:{local -a w; w=(\${(f)"$(${words.replaceAll("'", "'\\''")})"}); compadd -a w}'`];
  };
  const specs = (action: ActionSpec) => [
    ...optionsOf(action).map(({ long, type, value, summary, several, completes }) =>
      quoted(
        `${several ? '*' : ''}--${long}[${text(summary)}]${type === 'flag' ? '' : `:${value ?? long}:${completes === 'file' ? '_files' : ' '}`}`,
      ),
    ),
    ...argument(action),
  ];
  const body = (action: ActionSpec, indent: string) => [
    `${indent}_arguments \\`,
    ...specs(action).map((line, at, all) => `${indent}  ${line}${at === all.length - 1 ? '' : ' \\'}`),
  ];
  const [only] = spec.actions;
  return [
    `#compdef ${spec.name}`,
    GENERATED,
    `${name}() {`,
    ...(many
      ? [
          '  if ((CURRENT == 2)); then',
          '    local -a actions',
          '    actions=(',
          ...spec.actions.map((action) => `      ${quoted(`${action.name}:${text(action.summary)}`)}`),
          '    )',
          `    _describe 'command' actions`,
          '    return',
          '  fi',
          '  local action=$words[2]',
          '  shift words',
          '  ((CURRENT--))',
          '  case $action in',
          ...spec.actions.flatMap((action) => [`    ${action.name})`, ...body(action, '      '), '      ;;']),
          '  esac',
        ]
      : only === undefined
        ? []
        : body(only, '  ')),
    '}',
    `if [[ $zsh_eval_context[-1] == loadautofunc ]]; then ${name} "$@"; else compdef ${name} ${spec.name}; fi`,
    '',
  ].join('\n');
}

/** fish: one `complete` line an option. */
export function fishCompletion(spec: CommandSpec): string {
  const many = spec.actions.length > 1;
  const lines = [GENERATED, `complete -c ${spec.name} -f`];
  for (const action of spec.actions) {
    const when = many ? `-n '__fish_seen_subcommand_from ${action.name}' ` : '';
    if (many)
      lines.push(
        `complete -c ${spec.name} -n __fish_use_subcommand -a ${action.name} -d ${fishQuoted(action.summary)}`,
      );
    for (const { long, type, summary, completes } of optionsOf(action)) {
      lines.push(
        `complete -c ${spec.name} ${when}-l ${long}${type === 'flag' ? '' : completes === 'file' ? ' -r -F' : ' -x'} -d ${fishQuoted(summary)}`,
      );
    }
    const kind = action.args[0]?.completes ?? 'none';
    const words = WORDS[kind];
    if (words !== undefined) lines.push(`complete -c ${spec.name} ${when}-a ${fishQuoted(`(${words})`)}`);
    if (kind === 'command') lines.push(`complete -c ${spec.name} ${when}-a '(__fish_complete_subcommand)'`);
  }
  return `${lines.join('\n')}\n`;
}

const fishQuoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
