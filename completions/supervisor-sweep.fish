# Generated from the command definitions by `npm run generate`; edits are lost.
complete -c supervisor-sweep -f
complete -c supervisor-sweep -l dry-run -d 'say what would be done, and do nothing'
complete -c supervisor-sweep -l explain -d 'say for every task what each rule says, and why it does not fire'
complete -c supervisor-sweep -l every -x -d 'stay, and sweep again after so long (60s or more is usual)'
complete -c supervisor-sweep -l json -d 'print one JSON document on standard output and nothing else there'
complete -c supervisor-sweep -l quiet -d 'print nothing when all is well (for cron)'
complete -c supervisor-sweep -l help -d 'show help'
complete -c supervisor-sweep -n 'test (commandline -opc | string match -v -- \'-*\' | count) -ge 1' -a '(sh -c \'cd "${FLEET_HOME:-${CLAUDE_CONFIG_DIR:-$HOME/.claude}/jobs}/tasks" && ls\' sh (commandline -opc)[-1] 2>/dev/null)'
