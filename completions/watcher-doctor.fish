# Generated from the command definitions by `npm run generate`; edits are lost.
complete -c watcher-doctor -f
complete -c watcher-doctor -l fix -d 'do the safe repairs: remove what the dead have left, stop lanes that are Drivers, answer dialogs, return claims'
complete -c watcher-doctor -l checkin-text -x -a '(sh -c \'cd "${FLEET_HOME:-${CLAUDE_CONFIG_DIR:-$HOME/.claude}/jobs}/tasks" && ls\' sh (commandline -opc)[-1] 2>/dev/null)' -d 'print the check-in that a Driver of this task is woken with, and do nothing else'
complete -c watcher-doctor -l json -d 'print one JSON document on standard output and nothing else there'
complete -c watcher-doctor -l quiet -d 'print nothing when all is well (for cron)'
complete -c watcher-doctor -l help -d 'show help'
