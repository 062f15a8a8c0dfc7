# Generated from the command definitions by `npm run generate`; edits are lost.
complete -c start-driver -f
complete -c start-driver -l cwd -r -F -d 'the folder it works in (default: this one)'
complete -c start-driver -l brief -r -F -d 'the brief; - reads standard input (needed)'
complete -c start-driver -l acceptance -r -F -d 'the board, as JSON'
complete -c start-driver -l kind -x -a 'background interactive' -d 'background (default) or interactive, in a tmux session of its own'
complete -c start-driver -l name -x -d 'the session’s name, unlike any other’s (default: the task’s, made unique)'
complete -c start-driver -l title -x -d 'what the task is about, in a line'
complete -c start-driver -l dry-run -d 'say whether it would start, and how, with the exit code it would have; change nothing'
complete -c start-driver -l wait -x -d 'how long the session may take to appear with its brief (default 90s)'
complete -c start-driver -l json -d 'print one JSON document on standard output and nothing else there'
complete -c start-driver -l quiet -d 'print nothing when all is well (for cron)'
complete -c start-driver -l help -d 'show help'
