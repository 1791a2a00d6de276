#!/bin/sh
# The second PostgreSQL: a copy of the first, which follows it. The files are made at its first start; a server that was promoted keeps what it has.
set -eu
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  read -r password < /run/secrets/replication-password || [ -n "$password" ]
  until pg_isready --quiet --host=postgres-1; do sleep 1; done
  rm -rf "$PGDATA".new
  PGPASSWORD=$password pg_basebackup --dbname="host=postgres-1 user=replicator application_name=postgres-2" --pgdata="$PGDATA".new --write-recovery-conf --wal-method=stream
  mkdir -p "$PGDATA"
  mv "$PGDATA".new/* "$PGDATA"/
  rmdir "$PGDATA".new
  chmod 700 "$PGDATA"
fi
exec postgres "$@"
