/** The tables of a journal in PostgreSQL, and the statements on them. */

/**
 * `frames`: one row a group of commands, in one chain of hashes. `packed`: the oldest of them, many in one row. `epoch`: its one row is locked by each append as long as that takes, and changed by who takes
 * the next epoch, which waits for it. `leader`: what the leading heart says of itself, without waiting for a standby.
 */
export const TABLES = `
  create schema if not exists orrery_journal;
  create table if not exists orrery_journal.frames (
    first_seq bigint primary key,
    last_seq bigint not null check (last_seq >= first_seq),
    epoch integer not null,
    previous bytea not null,
    hash bytea not null,
    frame bytea not null
  );
  alter table orrery_journal.frames alter column frame set storage external;
  create table if not exists orrery_journal.epoch (
    only_row boolean primary key default true check (only_row),
    epoch integer not null,
    holder uuid,
    confirmed bigint not null default 0,
    history uuid not null default gen_random_uuid()
  );
  create table if not exists orrery_journal.leader (
    only_row boolean primary key default true check (only_row),
    epoch integer not null,
    beats bigint not null,
    has_resigned boolean not null
  );
  insert into orrery_journal.epoch (epoch) values (0) on conflict do nothing;
  insert into orrery_journal.leader (epoch, beats, has_resigned) values (0, 0, true) on conflict do nothing;
`;

/** In a statement of its own: where there is a journal already, its other tables are not touched. */
export const PACKED_TABLE = `
  create table if not exists orrery_journal.packed (
    first_seq bigint primary key,
    last_seq bigint not null check (last_seq >= first_seq),
    frames integer not null,
    segment bytea not null
  );
  alter table orrery_journal.packed alter column segment set storage external;
`;

/** Only one makes them at a time. */
export const TABLES_LOCK = 138_565_034;

/** What a commit of this connection waits for, and since when. */
const WAITS_FOR = `current_setting('synchronous_standby_names') as names, pg_conf_load_time()::text as loaded`;

/**
 * A row when the epoch is still this one after every other transaction on its row has ended, and the frame follows the last one. The lock is held until the
 * commit is durable.
 */
export const APPEND = `
  with head as (select last_seq, hash from orrery_journal.frames order by first_seq desc limit 1)
  insert into orrery_journal.frames (first_seq, last_seq, epoch, previous, hash, frame)
  select $1::bigint, $2::bigint, $3::integer, $4::bytea, $5::bytea, $6::bytea
  from orrery_journal.epoch
  where epoch = $3
    and $1 = coalesce((select last_seq from head), 0) + 1
    and $4 = coalesce((select hash from head), decode(repeat('00', 32), 'hex'))
  for share of epoch
  on conflict (first_seq) do nothing
  returning ${WAITS_FOR}`;

/** A commit behind everything before it. */
export const CONFIRM = `update orrery_journal.epoch set confirmed = confirmed + 1 where epoch = $1`;

/**
 * A server begins to wait when its checkpointer has read the configuration too, which may be late by a checkpoint: while that is young, it counts what a standby says that it has.
 */
export const WAITS_NOW = `
  select ${WAITS_FOR},
    case when clock_timestamp() - pg_conf_load_time() > interval '10 minutes' then true
      else exists (select from pg_stat_replication where sync_state in ('sync', 'quorum') and flush_lsn >= pg_current_wal_flush_lsn())
    end as has_copy`;

export const WRITTEN_TO = `select pg_current_wal_insert_lsn()::text as lsn`;

/** Whether a standby that counts has all up to this place. */
export const HAS_COPY = `
  select exists (select from pg_stat_replication where sync_state in ('sync', 'quorum') and flush_lsn >= $1::pg_lsn) as has_copy`;

/** Those of hearts that led before: what they hold would keep the next one waiting. */
export const END_WRITERS = `
  select pg_terminate_backend(pid) from pg_stat_activity
  where application_name = $1 and datname = current_database() and usename = current_user and pid <> pg_backend_pid()`;

export const TAKE = `
  with taken as (
    update orrery_journal.epoch set epoch = epoch + 1, holder = $2 where epoch = $1 returning epoch
  )
  update orrery_journal.leader set epoch = taken.epoch, beats = 0, has_resigned = false from taken
  returning leader.epoch`;

/** At most about eight megabytes, and one frame at least. */
export const READ = `
  select first_seq, last_seq, epoch, previous, hash, frame from (
    select *, sum(octet_length(frame)) over (order by first_seq) - octet_length(frame) as before
    from (select * from orrery_journal.frames where first_seq > $1 order by first_seq limit 2000) as next
  ) as sized
  where before < 8 << 20
  order by first_seq`;

export const LINK = `
  select first_seq, last_seq, epoch, hash from orrery_journal.frames where first_seq <= $1 order by first_seq desc limit 1`;

/** The packed row in which this command is, if it is in one. */
export const PACKED = `
  select segment from orrery_journal.packed where first_seq <= $1 order by first_seq desc limit 1`;

/**
 * The oldest frames, without those of the newest $1 commands: at most $2 of them, and of about $3 bytes. None while there are fewer than either. By `first_seq` the
 * index ends where those begin that stay.
 */
export const OLDEST = `
  with bound as materialized (
    select last_seq - $1::bigint as seq from orrery_journal.frames order by first_seq desc limit 1
  ), oldest as materialized (
    select first_seq, last_seq, octet_length(frame) as size from orrery_journal.frames
    where first_seq <= (select seq from bound) and last_seq <= (select seq from bound)
    order by first_seq limit $2::integer
  ), sized as (
    select first_seq, sum(size) over (order by first_seq) - size as before from oldest
  ), enough as (
    select count(*) = $2 or sum(size) >= $3::integer as is_enough from oldest
  )
  select f.first_seq, f.last_seq, f.epoch, f.previous, f.hash, f.frame
  from sized join orrery_journal.frames f using (first_seq) cross join enough
  where is_enough and before < $3
  order by first_seq`;

/** All of it, or nothing: where other frames than these would go, `frames` would be null. */
export const PACK = `
  with gone as (
    delete from orrery_journal.frames where first_seq between $1::bigint and $2::bigint returning first_seq
  )
  insert into orrery_journal.packed (first_seq, last_seq, frames, segment)
  select $1::bigint, $2::bigint, case when (select count(*) from gone) = $3::integer then $3::integer end, $4::bytea`;

/** Standbys that have what is committed; null where the role may not see it. */
export const STANDBYS = `
  select current_setting('synchronous_standby_names') as names,
    (select count(*) from pg_stat_replication where sync_state in ('sync', 'quorum') and state = 'streaming')::integer as standbys`;
