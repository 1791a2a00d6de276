/** Jobs that make files of an account's history, and the files in pieces. They are no projection: rebuilding history leaves them. Times are unix milliseconds. */

export interface ExportTables {
  projector_export: {
    export_id: string;
    account: number;
    layout: string;
    /** Null where the period has no such end. */
    start_at: number | null;
    end_at: number | null;
    wallets: string[];
    /** In the order in which they are written. */
    files: string[];
    /** `waiting`, `running`, `ready` or `failed`. */
    state: string;
    failure: string | null;
    /** The newest command whose facts are in it. */
    until_seq: number;
    /** The file at work, the key of the last row that was read for it, and how many pieces it has. */
    file_index: number;
    cursor: number;
    pieces: number;
    /** Written, in all files. */
    rows: number;
    /** Rows that were read so far, and about how many there are to read. */
    scanned: number;
    to_scan: number;
    restarts: number;
    created_at: number;
    finished_at: number | null;
    /** When something was last done for it: the one that waits longest is next. */
    stepped_at: number;
  };
  projector_export_piece: { export_id: string; file: string; number: number; rows: number; bytes: number; text: string };
}

export type ExportRow = ExportTables['projector_export'];

export const EXPORT_STATEMENTS = [
  `create table projector_export (
    export_id text primary key, account bigint not null, layout text not null, start_at bigint, end_at bigint, wallets text[] not null,
    files text[] not null, state text not null, failure text, until_seq bigint not null, file_index int not null, cursor bigint not null,
    pieces int not null, rows bigint not null, scanned bigint not null, to_scan bigint not null, restarts int not null,
    created_at bigint not null, finished_at bigint, stepped_at bigint not null)`,
  `create unique index projector_export_at_work on projector_export (account) where state in ('waiting', 'running')`,
  `create index projector_export_account on projector_export (account, created_at desc)`,
  `create index projector_export_next on projector_export (stepped_at) where state in ('waiting', 'running')`,
  `create table projector_export_piece (
    export_id text not null references projector_export on delete cascade, file text not null, number int not null, rows int not null,
    bytes int not null, text text not null, primary key (export_id, file, number))`,
];
