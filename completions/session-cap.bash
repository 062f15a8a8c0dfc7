# Generated from the command definitions by `npm run generate`; edits are lost.
_session_cap() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} action= options= values= files= kind=none
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W 'status admit release run log reap expire sample report --help --version' -- "$cur"))
    return
  fi
  action=${COMP_WORDS[1]}
  case $action in
    status)
      options='--max --memory-floor --pss --json --quiet --help'
      values=' --max --memory-floor '
      files='  '
      kind=none
      ;;
    admit)
      options='--for --ttl --max --memory-floor --json --quiet --help'
      values=' --for --ttl --max --memory-floor '
      files='  '
      kind=none
      ;;
    release)
      options='--json --quiet --help'
      values='  '
      files='  '
      kind=reservation
      ;;
    run)
      options='--for --ttl --max --memory-floor --json --quiet --help'
      values=' --for --ttl --max --memory-floor '
      files='  '
      kind=command
      ;;
    log)
      options='--since --limit --json --quiet --help'
      values=' --since --limit '
      files='  '
      kind=none
      ;;
    reap)
      options='--dry-run --json --quiet --help'
      values='  '
      files='  '
      kind=none
      ;;
    expire)
      options='--dry-run --allow-mass --idle --wait --json --quiet --help'
      values=' --idle --wait '
      files='  '
      kind=none
      ;;
    sample)
      options='--keep --json --quiet --help'
      values=' --keep '
      files='  '
      kind=none
      ;;
    report)
      options='--since --html --json --quiet --help'
      values=' --since --html '
      files=' --html '
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
complete -F _session_cap session-cap
