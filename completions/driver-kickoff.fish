# Generated from the command definitions by `npm run generate`; edits are lost.
complete -c driver-kickoff -f
complete -c driver-kickoff -l resume -d 'continue the last conversation, or fail'
complete -c driver-kickoff -l fresh -d 'begin a new conversation'
complete -c driver-kickoff -l brief -r -F -d 'the prompt; - reads standard input (default: the task’s BRIEF.md)'
complete -c driver-kickoff -l kind -x -a 'background interactive' -d 'background or interactive (default: as before)'
complete -c driver-kickoff -l dry-run -d 'say whether it would start, and how, with the exit code it would have; change nothing'
complete -c driver-kickoff -l wait -x -d 'how long the session may take to appear with its brief (default 90s)'
complete -c driver-kickoff -l json -d 'print one JSON document on standard output and nothing else there'
complete -c driver-kickoff -l quiet -d 'print nothing when all is well (for cron)'
complete -c driver-kickoff -l help -d 'show help'
complete -c driver-kickoff -n 'test (commandline -opc | string match -v -- \'-*\' | count) -eq 1' -a '(sh -c \'cd "${FLEET_HOME:-${CLAUDE_CONFIG_DIR:-$HOME/.claude}/jobs}/tasks" && ls\' sh (commandline -opc)[-1] 2>/dev/null)'
