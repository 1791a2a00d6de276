#!/bin/sh
# Of the first PostgreSQL, once: roles, the two databases, and that a commit waits for the standby from its next start on. Before that nothing could be committed.
set -eu
read -r replication < /run/secrets/replication-password || [ -n "$replication" ]
read -r application < /run/secrets/application-password || [ -n "$application" ]
psql --set=ON_ERROR_STOP=1 --username=postgres --dbname=postgres --set=replication="$replication" --set=application="$application" <<'SQL'
create role replicator login replication password :'replication';
-- It sees whether a standby is synchronous.
create role orrery login password :'application' in role pg_monitor;
create database journal owner orrery;
create database orrery owner orrery;
alter system set synchronous_standby_names = 'ANY 1 ("postgres-1", "postgres-2")';
SQL
echo 'host replication replicator all scram-sha-256' >> "$PGDATA/pg_hba.conf"
