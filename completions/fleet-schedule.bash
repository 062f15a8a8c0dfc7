# Generated from the command definitions by `npm run generate`; edits are lost.
_fleet_schedule() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} action= options= values= files= kind=none
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W 'print install remove status --help --version' -- "$cur"))
    return
  fi
  action=${COMP_WORDS[1]}
  case $action in
    print)
      options='--target --json --quiet --help'
      values=' --target '
      files='  '
      kind=none
      ;;
    install)
      options='--target --dry-run --json --quiet --help'
      values=' --target '
      files='  '
      kind=none
      ;;
    remove)
      options='--target --json --quiet --help'
      values=' --target '
      files='  '
      kind=none
      ;;
    status)
      options='--json --quiet --help'
      values='  '
      files='  '
      kind=none
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
complete -F _fleet_schedule fleet-schedule
