import {
  type ActionSpec,
  type ArgumentSpec,
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

/** In a folder of the fleet's; `$1` is the word before. By sh: fish does not know these expansions. */
const inFleetHome = (folder: string, command: string) => (before: string) =>
  `sh -c 'cd "\${FLEET_HOME:-\${CLAUDE_CONFIG_DIR:-$HOME/.claude}/jobs}/${folder}" && ${command}' sh ${before} 2>/dev/null`;

const ofStatus = (key: string) => () =>
  `session-cap status --json 2>/dev/null | tr ',{' '\\n\\n' | sed -n 's/^"${key}":"\\([^"]*\\)"$/\\1/p'`;

/**
 * The command that prints the words for a dynamic value, one a line, given how its shell writes the word before. One cheap call;
 * no output when it fails.
 */
const WORDS: Partial<Record<Completes, (before: string) => string>> = {
  session: ofStatus('sessionId'),
  task: inFleetHome('tasks', 'ls'),
  lane: inFleetHome('fleet/lanes', 'ls *.json | cut -d. -f1'),
  decision: inFleetHome('fleet/decisions', 'ls d????????.json | cut -d. -f1'),
  'open-decision': inFleetHome('fleet/decisions', 'grep -LE "^  .(answer|closed).: " d????????.json | cut -d. -f1'),
  // Options alone have an id at that depth.
  'decision-option': inFleetHome(
    'fleet/decisions',
    'case "$1" in *[!0-9a-z]*) ;; *) sed -n "s/^      .id.: .\\([A-Za-z0-9._-]*\\).,*$/\\1/p" "$1.json" ;; esac',
  ),
  reservation: ofStatus('token'),
};

/** What a word is completed by: a kind that shells know, its choices, or nothing. */
type Place = Pick<ArgumentSpec, 'completes' | 'choices' | 'several' | 'variadic'>;
const kindOf = ({ completes, choices }: Place): string => (choices === undefined ? (completes ?? 'none') : 'choices');

const functionName = (spec: CommandSpec) => `_${spec.name.replaceAll('-', '_')}`;
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** bash: one function a command, nothing shared, so that two of them can be sourced. */
export function bashCompletion(spec: CommandSpec): string {
  const name = functionName(spec);
  const many = spec.actions.length > 1;
  const setKind = (place: Place) =>
    place.choices === undefined ? `kind=${kindOf(place)}` : `kind=choices choices=${quoted(place.choices.join(' '))}`;
  const cases = spec.actions.flatMap((action) => {
    const valued = optionsOf(action).filter(({ type }) => type !== 'flag');
    const offered = valued.filter((option) => kindOf(option) !== 'none');
    const last = action.args.at(-1);
    const choices = action.args.find((arg) => arg.choices !== undefined)?.choices;
    return [
      `    ${action.name === '' ? '*' : action.name})`,
      `      options=${quoted(
        optionsOf(action)
          .map(({ long }) => `--${long}`)
          .join(' '),
      )}`,
      `      values=${quoted(` ${valued.map(({ long }) => `--${long}`).join(' ')} `)}`,
      `      kinds=(${action.args.map(kindOf).join(' ')})`,
      ...(last?.several || last?.variadic ? [`      rest=${kindOf(last)}`] : []),
      ...(choices === undefined ? [] : [`      choices=${quoted(choices.join(' '))}`]),
      ...(offered.length === 0
        ? []
        : [
            '      case $prev in',
            ...offered.map((option) => `        --${option.long}) ${setKind(option)} ;;`),
            '      esac',
          ]),
      '      ;;',
    ];
  });
  return [
    GENERATED,
    `${name}() {`,
    '  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} action= options= values= choices= kind=none rest=none at place=0 kinds=()',
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
    // How many words that belong to no option stand before this one says which it is.
    '  if [[ $values != *" $prev "* ]]; then',
    `    for ((at = ${many ? 2 : 1}; at < COMP_CWORD; at++)); do`,
    '      case ${COMP_WORDS[at]} in',
    '        -*) [[ $values == *" ${COMP_WORDS[at]} "* ]] && ((at++)) ;;',
    '        *) ((place++)) ;;',
    '      esac',
    '    done',
    '    kind=${kinds[place]:-$rest}',
    '  fi',
    '  if [[ $cur == -* && $values != *" $prev "* ]]; then',
    '    COMPREPLY=($(compgen -W "$options" -- "$cur"))',
    '    return',
    '  fi',
    '  case $kind in',
    '    choices) COMPREPLY=($(compgen -W "$choices" -- "$cur")) ;;',
    '    file) COMPREPLY=($(compgen -f -- "$cur")) ;;',
    '    command) COMPREPLY=($(compgen -c -- "$cur")) ;;',
    ...Object.entries(WORDS).map(
      ([kind, words]) => `    ${kind}) COMPREPLY=($(compgen -W "$(${words('"$prev"')})" -- "$cur")) ;;`,
    ),
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
  /** What _arguments does for a word. */
  const offered = (place: Place): string => {
    if (place.choices !== undefined) return `(${place.choices.join(' ')})`;
    if (place.completes === 'file') return '_files';
    const words = WORDS[place.completes ?? 'none'];
    if (words === undefined) return ' ';
    return `{local -a w; w=(\${(f)"$(${words('"$words[CURRENT-1]"')})"}); compadd -a w}`;
  };
  const argument = (arg: ArgumentSpec): string =>
    arg.completes === 'command'
      ? `'*:::command:_normal'`
      : quoted(`${arg.several ? '*' : ''}:${text(arg.name)}:${offered(arg)}`);
  const specs = (action: ActionSpec) => [
    // In what an option's value is completed by, a colon would begin a second value.
    ...optionsOf(action).map((option) =>
      quoted(
        `${option.several ? '*' : ''}--${option.long}[${text(option.summary)}]${option.type === 'flag' ? '' : `:${text(option.value ?? option.long)}:${offered(option).replaceAll(':', '\\:')}`}`,
      ),
    ),
    ...action.args.map(argument),
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
    for (const option of optionsOf(action)) {
      const offered = fishWords(option);
      const value = option.completes === 'file' ? ' -r -F' : ` -x${offered === undefined ? '' : ` -a ${offered}`}`;
      lines.push(
        `complete -c ${spec.name} ${when}-l ${option.long}${option.type === 'flag' ? '' : value} -d ${fishQuoted(option.summary)}`,
      );
    }
    const last = action.args.length - 1;
    for (const [at, arg] of action.args.entries()) {
      const offered = fishWords(arg);
      if (offered === undefined) continue;
      const least = at + (many ? 2 : 1);
      const place = `test (commandline -opc | string match -v -- '-*' | count) ${at === last && (arg.several || arg.variadic) ? '-ge' : '-eq'} ${least}`;
      const condition = many ? `__fish_seen_subcommand_from ${action.name}; and ${place}` : place;
      lines.push(`complete -c ${spec.name} -n ${fishQuoted(condition)} -a ${offered}`);
    }
  }
  return `${lines.join('\n')}\n`;
}

/** What fish offers for a word; undefined: nothing of ours. */
function fishWords(place: Place): string | undefined {
  if (place.choices !== undefined) return fishQuoted(place.choices.join(' '));
  if (place.completes === 'command') return `'(__fish_complete_subcommand)'`;
  const words = WORDS[place.completes ?? 'none'];
  return words === undefined ? undefined : fishQuoted(`(${words('(commandline -opc)[-1]')})`);
}

const fishQuoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
