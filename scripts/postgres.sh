#!/usr/bin/env bash
# A PostgreSQL for the tests, on loopback, with its files in a folder of its own: `postgres.sh start DIR` prints its URL,
# `postgres.sh stop DIR` ends it. PostgreSQL does not run as root, so root runs it as the user postgres.
set -euo pipefail
verb=$1 dir=$2
bin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -1)
[ -n "$bin" ] || { echo "postgres.sh: no PostgreSQL below /usr/lib/postgresql" >&2; exit 69; }
as() {
  if [ "$(id -u)" = 0 ]; then runuser -u postgres -- "$@"; else "$@"; fi
}
case $verb in
start)
  mkdir -p "$dir"
  [ "$(id -u)" != 0 ] || chown postgres "$dir"
  port=$(node -e 'const s=require("node:net").createServer().listen(0,"127.0.0.1",()=>{console.log(s.address().port);s.close()})')
  (cd / && as "$bin/initdb" -D "$dir/data" -U postgres -A trust -E UTF8 --no-sync >/dev/null)
  (cd / && as "$bin/pg_ctl" -D "$dir/data" -w -l "$dir/log" -o "-p $port -k $dir -c listen_addresses=127.0.0.1 -c fsync=off" start >/dev/null)
  echo "postgres://postgres@127.0.0.1:$port/postgres"
  ;;
stop) (cd / && as "$bin/pg_ctl" -D "$dir/data" -w -m fast stop >/dev/null) ;;
*) echo "usage: postgres.sh start|stop DIR" >&2; exit 64 ;;
esac
