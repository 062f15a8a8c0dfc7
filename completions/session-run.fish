# Generated from the command definitions by `npm run generate`; edits are lost.
complete -c session-run -f
complete -c session-run -l timeout -x -d 'ask the command to end after so long, as timeout(1) does; exit 124'
complete -c session-run -l category -x -d 'what kind of work it is; in the result file'
complete -c session-run -l preclaim -x -d 'acquire this key first; the command is not run without it'
complete -c session-run -l ttl -x -d 'how long the pre-claim lasts unrenewed (default 30m, config claims.ttl)'
complete -c session-run -l result -r -F -d 'write there how it ended, as JSON'
complete -c session-run -l status-command -x -a '(__fish_complete_subcommand)' -d 'a command of another tracker: given a task’s id, it prints the task’s state'
complete -c session-run -l json -d 'print one JSON document on standard output and nothing else there'
complete -c session-run -l quiet -d 'print nothing when all is well (for cron)'
complete -c session-run -l help -d 'show help'
complete -c session-run -n 'test (commandline -opc | string match -v -- \'-*\' | count) -ge 1' -a '(__fish_complete_subcommand)'
