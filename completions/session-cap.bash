# Generated from the command definitions by `npm run generate`; edits are lost.
_session_cap() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} action= options= values= kind=none
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
      kind=none
      ;;
    admit)
      options='--for --ttl --max --memory-floor --json --quiet --help'
      values=' --for --ttl --max --memory-floor '
      kind=none
      ;;
    release)
      options='--json --quiet --help'
      values='  '
      kind=reservation
      ;;
    run)
      options='--for --ttl --max --memory-floor --json --quiet --help'
      values=' --for --ttl --max --memory-floor '
      kind=command
      ;;
    log)
      options='--since --limit --json --quiet --help'
      values=' --since --limit '
      kind=none
      ;;
    reap)
      options='--dry-run --json --quiet --help'
      values='  '
      kind=none
      ;;
    expire)
      options='--dry-run --allow-mass --idle --wait --json --quiet --help'
      values=' --idle --wait '
      kind=none
      ;;
    sample)
      options='--keep --json --quiet --help'
      values=' --keep '
      kind=none
      ;;
    report)
      options='--since --html --json --quiet --help'
      values=' --since --html '
      kind=none
      ;;
  esac
  if [[ $values == *" $prev "* ]]; then
    if [[ $prev == --html ]]; then COMPREPLY=($(compgen -f -- "$cur")); fi
    return
  fi
  if [[ $cur == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$cur"))
    return
  fi
  case $kind in
    session) COMPREPLY=($(compgen -W "$(session-cap status --json 2>/dev/null | tr ',{' '\n\n' | sed -n 's/^"sessionId":"\([^"]*\)"$/\1/p')" -- "$cur")) ;;
    reservation) COMPREPLY=($(compgen -W "$(session-cap status --json 2>/dev/null | tr ',{' '\n\n' | sed -n 's/^"token":"\([^"]*\)"$/\1/p')" -- "$cur")) ;;
    command) COMPREPLY=($(compgen -c -- "$cur")) ;;
  esac
}
complete -F _session_cap session-cap
