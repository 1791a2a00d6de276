#!/bin/sh
# deploy/roles/secrets.sh FOLDER: draws the passwords of deploy/compose.roles.yaml, and writes what is made of them. What comes from elsewhere (rpc-url, operator-key,
# deployer-key, files-url, smtp-url) is written beside them by hand. Only the owner of the folder reaches it; a container sees the files that its service names.
set -eu
folder=$1
umask 077
mkdir "$folder"
word() { od -An -N24 -tx1 /dev/urandom | tr -d ' \n'; }
write() { printf '%s' "$2" > "$folder/$1"; chmod 444 "$folder/$1"; }

application=$(word)
nats=$(word)
write postgres-password "$(word)"
write replication-password "$(word)"
write application-password "$application"
write journal-url "postgres://orrery:$application@postgres-1:5432,postgres-2:5432/journal?target_session_attrs=read-write"
write database-url "postgres://orrery:$application@postgres-1:5432/orrery"
write nats-users "user: orrery, password: \"$nats\""
write events-url "nats://orrery:$nats@nats:4222"
write console-code "$(word)"
head -c 32 /dev/urandom > "$folder/master-key"
chmod 444 "$folder/master-key"
