# Generated from the command definitions by `npm run generate`; edits are lost.
complete -c session-exit -f
complete -c session-exit -l wait -x -d 'how long to wait for it to be gone (default 60s, config exit.wait)'
complete -c session-exit -l dry-run -d 'only the verdict: would it be asked now'
complete -c session-exit -l json -d 'print one JSON document on standard output and nothing else there'
complete -c session-exit -l quiet -d 'print nothing when all is well (for cron)'
complete -c session-exit -l help -d 'show help'
complete -c session-exit -n 'test (commandline -opc | string match -v -- \'-*\' | count) -eq 1' -a '(session-cap status --json 2>/dev/null | tr \',{\' \'\\n\\n\' | sed -n \'s/^"sessionId":"\\([^"]*\\)"$/\\1/p\')'
