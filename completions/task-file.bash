# Generated from the command definitions by `npm run generate`; edits are lost.
_task_file() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} action= options= values= files= kind=none
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W 'new show list set park unpark finish validate path --help --version' -- "$cur"))
    return
  fi
  action=${COMP_WORDS[1]}
  case $action in
    new)
      options='--title --cwd --brief --acceptance --json --quiet --help'
      values=' --title --cwd --brief --acceptance '
      files=' --cwd --brief --acceptance '
      kind=none
      ;;
    show)
      options='--json --quiet --help'
      values='  '
      files='  '
      kind=task
      ;;
    list)
      options='--state --open --json --quiet --help'
      values=' --state '
      files='  '
      kind=none
      ;;
    set)
      options='--json --quiet --help'
      values='  '
      files='  '
      kind=task
      ;;
    park)
      options='--reason --json --quiet --help'
      values=' --reason '
      files='  '
      kind=task
      ;;
    unpark)
      options='--json --quiet --help'
      values='  '
      files='  '
      kind=task
      ;;
    finish)
      options='--abandon --reason --without-board --json --quiet --help'
      values=' --reason '
      files='  '
      kind=task
      ;;
    validate)
      options='--json --quiet --help'
      values='  '
      files='  '
      kind=task
      ;;
    path)
      options='--json --quiet --help'
      values='  '
      files='  '
      kind=task
      ;;
  esac
  if [[ $values == *" $prev "* ]]; then
    if [[ $files == *" $prev "* ]]; then COMPREPLY=($(compgen -f -- "$cur")); fi
    return
  fi
  if [[ $cur == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$cur"))
    return
  fi
  case $kind in
    session) COMPREPLY=($(compgen -W "$(session-cap status --json 2>/dev/null | tr ',{' '\n\n' | sed -n 's/^"sessionId":"\([^"]*\)"$/\1/p')" -- "$cur")) ;;
    task) COMPREPLY=($(compgen -W "$(sh -c 'cd "${FLEET_HOME:-${CLAUDE_CONFIG_DIR:-$HOME/.claude}/jobs}/tasks" && ls' 2>/dev/null)" -- "$cur")) ;;
    decision) COMPREPLY=($(compgen -W "$(sh -c 'cd "${FLEET_HOME:-${CLAUDE_CONFIG_DIR:-$HOME/.claude}/jobs}/fleet/decisions" && ls d????????.json | cut -d. -f1' 2>/dev/null)" -- "$cur")) ;;
    open-decision) COMPREPLY=($(compgen -W "$(sh -c 'cd "${FLEET_HOME:-${CLAUDE_CONFIG_DIR:-$HOME/.claude}/jobs}/fleet/decisions" && grep -LE "^  .(answer|closed).: " d????????.json | cut -d. -f1' 2>/dev/null)" -- "$cur")) ;;
    reservation) COMPREPLY=($(compgen -W "$(session-cap status --json 2>/dev/null | tr ',{' '\n\n' | sed -n 's/^"token":"\([^"]*\)"$/\1/p')" -- "$cur")) ;;
    command) COMPREPLY=($(compgen -c -- "$cur")) ;;
  esac
}
complete -F _task_file task-file
