/**
 * What memory has of tables that several processes share: the row decides, and each change of one wakes the others. Each copy is
 * read again for the key that changed; after a time in which changes may have been missed, all of it.
 */

/** What other processes on the same database have changed, as it is committed. */
export interface Changes {
  /** False while it is not known whether changes are missed: from a second after the last sign of the database on. */
  isHeard(): boolean;
  /** @returns ends it */
  subscribe(listener: ChangeListener): () => void;
}

interface ChangeListener {
  changed(table: string, key: string): void;
  /** Any number of changes, of any table. */
  missed(): void;
}

/** Statements of a migration: from then on each change of the table is sent to those who listen. @param key the column that names what changed */
export const sendChanges = (table: string, key: string, of: string): readonly string[] => [
  `create or replace function orrery_row_changed() returns trigger language plpgsql as $$
  begin
    perform pg_notify('${CHANNEL}', tg_table_name || ' ' || coalesce(to_jsonb(new) ->> tg_argv[0], to_jsonb(old) ->> tg_argv[0]));
    return null;
  end $$`,
  `create trigger ${table}_changed after ${of} on ${table} for each row execute function orrery_row_changed('${key}')`,
];

/** What memory has of a table. */
export interface RowCopy {
  readonly tables: readonly string[];
  /** @param key of what changed, as its trigger writes it; undefined: of anything */
  readAgain(key: string | undefined): Promise<void>;
}

/** On which changes are sent, and heard. */
export const CHANNEL = 'accounts_changed';

const RETRY_MS = 100;
/** Longer than this a change is not left unread while what it may have ended is believed. */
const UNREAD_MS = 1_000;

export class CopyKeeper {
  readonly #changes: Changes;
  readonly #copies: readonly RowCopy[];
  readonly #monotonicMs: () => number;
  readonly #onTrouble: (error: unknown) => void;
  readonly #unsubscribe: () => void;
  /** Keys to be read again; undefined among them: all. */
  readonly #unread = new Map<RowCopy, Set<string | undefined>>();
  #unreadSince: number | undefined;
  #running: Promise<void> | undefined;
  #isStopped = false;

  /** @param parts.copies in the order in which they are read again */
  constructor(parts: { changes: Changes; copies: readonly RowCopy[]; monotonicMs?: () => number; onTrouble: (error: unknown) => void }) {
    this.#changes = parts.changes;
    this.#copies = parts.copies;
    this.#monotonicMs = parts.monotonicMs ?? (() => performance.now());
    this.#onTrouble = parts.onTrouble;
    this.#unsubscribe = parts.changes.subscribe({
      changed: (table, key) =>
        this.#note(
          this.#copies.filter(({ tables }) => tables.includes(table)),
          key,
        ),
      missed: () => this.#note(this.#copies, undefined),
    });
  }

  /** Whether what memory says of these tables is no older than a second. */
  get isFresh(): boolean {
    const since = this.#unreadSince;
    return this.#changes.isHeard() && (since === undefined || this.#monotonicMs() - since <= UNREAD_MS);
  }

  /** Resolves when nothing that was heard is unread. */
  async settled(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#unsubscribe();
    await this.#running;
  }

  #note(copies: readonly RowCopy[], key: string | undefined): void {
    if (copies.length === 0) return;
    for (const copy of copies) this.#unread.set(copy, (this.#unread.get(copy) ?? new Set()).add(key));
    // What was missed may be old.
    if (key === undefined) this.#unreadSince = Number.NEGATIVE_INFINITY;
    this.#unreadSince ??= this.#monotonicMs();
    this.#running ??= this.#run().finally(() => (this.#running = undefined));
  }

  async #run(): Promise<void> {
    while (this.#unread.size > 0 && !this.#isStopped) {
      const copy = this.#copies.find((each) => this.#unread.has(each));
      if (copy === undefined) return;
      const keys = this.#unread.get(copy) ?? new Set();
      this.#unread.delete(copy);
      try {
        if (keys.has(undefined)) await copy.readAgain(undefined);
        else for (const key of keys) await copy.readAgain(key);
      } catch (error) {
        for (const key of keys) this.#unread.set(copy, (this.#unread.get(copy) ?? new Set()).add(key));
        this.#onTrouble(error);
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
      if (this.#unread.size === 0) this.#unreadSince = undefined;
    }
  }
}
