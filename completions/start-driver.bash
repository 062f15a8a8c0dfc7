# Generated from the command definitions by `npm run generate`; edits are lost.
_start_driver() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} action= options= values= choices= kind=none rest=none at place=0 kinds=()
  COMPREPLY=()
  case $action in
    *)
      options='--cwd --brief --acceptance --kind --name --title --dry-run --wait --json --quiet --help'
      values=' --cwd --brief --acceptance --kind --name --title --wait '
      kinds=(none none)
      rest=none
      case $prev in
        --cwd) kind=file ;;
        --brief) kind=file ;;
        --acceptance) kind=file ;;
        --kind) kind=choices choices='background interactive' ;;
      esac
      ;;
  esac
  if [[ $values != *" $prev "* ]]; then
    for ((at = 1; at < COMP_CWORD; at++)); do
      case ${COMP_WORDS[at]} in
        -*) [[ $values == *" ${COMP_WORDS[at]} "* ]] && ((at++)) ;;
        *) ((place++)) ;;
      esac
    done
    kind=${kinds[place]:-$rest}
  fi
  if [[ $cur == -* && $values != *" $prev "* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$cur"))
    return
  fi
  case $kind in
    choices) COMPREPLY=($(compgen -W "$choices" -- "$cur")) ;;
    file) COMPREPLY=($(compgen -f -- "$cur")) ;;
    command) COMPREPLY=($(compgen -c -- "$cur")) ;;
    session) COMPREPLY=($(compgen -W "$(session-cap status --json 2>/dev/null | tr ',{' '\n\n' | sed -n 's/^"sessionId":"\([^"]*\)"$/\1/p')" -- "$cur")) ;;
    task) COMPREPLY=($(compgen -W "$(sh -c 'cd "${FLEET_HOME:-${CLAUDE_CONFIG_DIR:-$HOME/.claude}/jobs}/tasks" && ls' sh "$prev" 2>/dev/null)" -- "$cur")) ;;
    lane) COMPREPLY=($(compgen -W "$(sh -c 'cd "${FLEET_HOME:-${CLAUDE_CONFIG_DIR:-$HOME/.claude}/jobs}/fleet/lanes" && ls *.json | cut -d. -f1' sh "$prev" 2>/dev/null)" -- "$cur")) ;;
    decision) COMPREPLY=($(compgen -W "$(sh -c 'cd "${FLEET_HOME:-${CLAUDE_CONFIG_DIR:-$HOME/.claude}/jobs}/fleet/decisions" && ls d????????.json | cut -d. -f1' sh "$prev" 2>/dev/null)" -- "$cur")) ;;
    open-decision) COMPREPLY=($(compgen -W "$(sh -c 'cd "${FLEET_HOME:-${CLAUDE_CONFIG_DIR:-$HOME/.claude}/jobs}/fleet/decisions" && grep -LE "^  .(answer|closed).: " d????????.json | cut -d. -f1' sh "$prev" 2>/dev/null)" -- "$cur")) ;;
    decision-option) COMPREPLY=($(compgen -W "$(sh -c 'cd "${FLEET_HOME:-${CLAUDE_CONFIG_DIR:-$HOME/.claude}/jobs}/fleet/decisions" && case "$1" in *[!0-9a-z]*) ;; *) sed -n "s/^      .id.: .\([A-Za-z0-9._-]*\).,*$/\1/p" "$1.json" ;; esac' sh "$prev" 2>/dev/null)" -- "$cur")) ;;
    reservation) COMPREPLY=($(compgen -W "$(session-cap status --json 2>/dev/null | tr ',{' '\n\n' | sed -n 's/^"token":"\([^"]*\)"$/\1/p')" -- "$cur")) ;;
  esac
}
complete -F _start_driver start-driver
