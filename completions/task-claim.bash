# Generated from the command definitions by `npm run generate`; edits are lost.
_task_claim() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} action= options= values= files= kind=none
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W 'acquire renew complete abandon finalize list reap --help --version' -- "$cur"))
    return
  fi
  action=${COMP_WORDS[1]}
  case $action in
    acquire)
      options='--ttl --category --pid --json --quiet --help'
      values=' --ttl --category --pid '
      files='  '
      kind=none
      ;;
    renew)
      options='--generation --pid --ttl --json --quiet --help'
      values=' --generation --pid --ttl '
      files='  '
      kind=none
      ;;
    complete)
      options='--generation --pid --reason --json --quiet --help'
      values=' --generation --pid --reason '
      files='  '
      kind=none
      ;;
    abandon)
      options='--generation --pid --reason --json --quiet --help'
      values=' --generation --pid --reason '
      files='  '
      kind=none
      ;;
    finalize)
      options='--exit-code --sidecar --status-command --json --quiet --help'
      values=' --exit-code --sidecar --status-command '
      files=' --sidecar '
      kind=none
      ;;
    list)
      options='--all --json --quiet --help'
      values='  '
      files='  '
      kind=none
      ;;
    reap)
      options='--dry-run --json --quiet --help'
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
complete -F _task_claim task-claim
