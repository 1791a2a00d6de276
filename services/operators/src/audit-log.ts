/**
 * What operators did, as a chain: each row holds the hash of the one before it and its own. A row that was changed, left out or put in
 * afterwards does not fit, and is named. It is written in the transaction of the change it records, or not at all.
 */
import type { AuditRow } from '@orrery/api';
import { canonical, hashOf, type Json } from './canonical.ts';
import { FIRST_PREVIOUS_HASH, type OperatorsDb, type OperatorsTables, type OperatorsTx } from './tables.ts';
import type { Slice } from './ports.ts';

const BATCH = 1_000;

export interface AuditEntry {
  /** The name of the operator who did it. */
  readonly operator: string;
  readonly action: string;
  readonly detail: Json;
}

export class AuditLog {
  readonly #db: OperatorsDb;
  readonly #now: () => number;

  constructor(parts: { db: OperatorsDb; now: () => number }) {
    this.#db = parts.db;
    this.#now = parts.now;
  }

  /** Holds the end of the chain until the transaction is over: changes of operators happen one after the other. */
  async append(tx: OperatorsTx, { operator, action, detail }: AuditEntry): Promise<void> {
    const head = await tx.selectFrom('operators_audit_head').select(['seq', 'hash']).forUpdate().executeTakeFirstOrThrow();
    const row = { seq: head.seq + 1, at: this.#now(), operator, action, detail: canonical(detail), previous_hash: head.hash };
    const hash = hashOf(row);
    await tx
      .insertInto('operators_audit')
      .values({ ...row, hash })
      .execute();
    await tx.updateTable('operators_audit_head').set({ seq: row.seq, hash }).execute();
  }

  /** Newest first. @param action all of them when it is left out. */
  async page({ page, size }: Slice, action?: string): Promise<{ list: AuditRow[]; total: number }> {
    const wanted = this.#db.selectFrom('operators_audit').$if(action !== undefined, (all) => all.where('action', '=', action ?? ''));
    const rows = await wanted
      .selectAll()
      .orderBy('seq', 'desc')
      .limit(size)
      .offset((page - 1) * size)
      .execute();
    const { total } = await wanted.select((of) => of.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
    return { list: rows.map(({ previous_hash: previousHash, ...row }) => ({ ...row, previousHash })), total };
  }

  /** @returns the number of the first row that is not as it was written, undefined when all are. */
  async brokenAt(): Promise<number | undefined> {
    let previous = { seq: 0, hash: FIRST_PREVIOUS_HASH };
    // Taken first: rows that come while this reads are no concern of it.
    const head = await this.#db.selectFrom('operators_audit_head').select(['seq', 'hash']).executeTakeFirst();
    if (head === undefined) return 1;
    for (;;) {
      const rows = await this.#db
        .selectFrom('operators_audit')
        .selectAll()
        .where('seq', '>', previous.seq)
        .where('seq', '<=', head.seq)
        .orderBy('seq')
        .limit(BATCH)
        .execute();
      for (const row of rows) {
        if (!follows(previous, row)) return previous.seq + 1;
        previous = row;
      }
      if (rows.length < BATCH) break;
    }
    if (previous.seq !== head.seq) return previous.seq + 1;
    return previous.hash === head.hash ? undefined : head.seq;
  }
}

function follows(previous: { seq: number; hash: string }, { hash, ...row }: OperatorsTables['operators_audit']): boolean {
  return row.seq === previous.seq + 1 && row.previous_hash === previous.hash && hash === hashOf(row);
}
