# Generated from the command definitions by `npm run generate`; edits are lost.
_session_exit() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} action= options= values= kind=none
  COMPREPLY=()
  case $action in
    *)
      options='--wait --dry-run --json --quiet --help'
      values=' --wait '
      kind=session
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
complete -F _session_exit session-exit
