/**
 * What operators did, as a chain: each row holds the hash of the one before it and its own. A row that was changed, left out or put in
 * afterwards does not fit, and is named. It is written in the transaction of the change it records, or not at all. The heads of the chain are
 * kept outside of the database too, so that a chain that was rebuilt does not fit either.
 */
import type { AuditRow } from '@orrery/api';
import type { AuditHead, AuditHeads } from './audit-heads.ts';
import { canonical, hashOf, type Json } from './canonical.ts';
import { FIRST_PREVIOUS_HASH, type OperatorsDb, type OperatorsTables, type OperatorsTx } from './tables.ts';
import type { Slice } from './ports.ts';

const BATCH = 1_000;
/** Before the first row. */
const FIRST: AuditHead = { seq: 0, hash: FIRST_PREVIOUS_HASH };

export interface AuditEntry {
  /** The name of the operator who did it. */
  readonly operator: string;
  readonly action: string;
  readonly detail: Json;
}

export class AuditLog {
  readonly #db: OperatorsDb;
  readonly #heads: AuditHeads;
  readonly #now: () => number;
  #brokenAt: number | undefined;
  /** One at a time: heads are appended in their order. */
  #keeping: Promise<void> = Promise.resolve();

  constructor(parts: { db: OperatorsDb; heads: AuditHeads; now: () => number }) {
    this.#db = parts.db;
    this.#heads = parts.heads;
    this.#now = parts.now;
  }

  /** Why the log cannot be believed, as it was last checked; undefined when it can. */
  untrue(): string | undefined {
    return this.#brokenAt === undefined ? undefined : `row ${this.#brokenAt} of the audit log is not as it was written`;
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
    // A head is known once its row is written: those that are known now are of rows that are read below.
    const heads = firstOfEach(this.#heads.all());
    this.#brokenAt = await this.#brokenBeside(heads);
    return this.#brokenAt;
  }

  /** Appends the heads of the rows that were written since the last call. A row that does not follow the last head is reported, and ends it. */
  keepHeads(): Promise<void> {
    const kept = this.#keeping.then(() => this.#keepHeads());
    this.#keeping = kept.catch(() => undefined);
    return kept;
  }

  async #keepHeads(): Promise<void> {
    const last = this.#heads.last() ?? FIRST;
    const head = await this.#head();
    if (head === undefined || this.#brokenAt !== undefined) return;
    if (head.seq === last.seq && head.hash === last.hash) return;
    const fresh: AuditHead[] = [];
    let previous = last;
    for (const row of await this.#rows(last, head.seq)) {
      if (!follows(previous, row)) break;
      previous = { seq: row.seq, hash: row.hash };
      fresh.push(previous);
    }
    if (fresh.length > 0) await this.#heads.append(fresh);
    else this.#brokenAt = (await this.brokenAt()) ?? head.seq;
  }

  async #brokenBeside(heads: ReadonlyMap<number, string>): Promise<number | undefined> {
    let previous = FIRST;
    // Taken first: rows that come while this reads are no concern of it.
    const head = await this.#head();
    if (head === undefined) return 1;
    for (;;) {
      const rows = await this.#rows(previous, head.seq);
      for (const row of rows) {
        if (!follows(previous, row) || (heads.get(row.seq) ?? row.hash) !== row.hash) return previous.seq + 1;
        previous = row;
      }
      if (rows.length < BATCH) break;
    }
    if (previous.seq !== head.seq) return previous.seq + 1;
    if (previous.hash !== head.hash) return head.seq;
    return [...heads.keys()].some((seq) => seq > head.seq) ? head.seq + 1 : undefined;
  }

  #head(): Promise<AuditHead | undefined> {
    return this.#db.selectFrom('operators_audit_head').select(['seq', 'hash']).executeTakeFirst();
  }

  #rows(after: AuditHead, until: number): Promise<OperatorsTables['operators_audit'][]> {
    return this.#db
      .selectFrom('operators_audit')
      .selectAll()
      .where('seq', '>', after.seq)
      .where('seq', '<=', until)
      .orderBy('seq')
      .limit(BATCH)
      .execute();
  }
}

/** Of two heads of one row the first was written by us, and the second after somebody had put another row there. */
function firstOfEach(heads: readonly AuditHead[]): ReadonlyMap<number, string> {
  const found = new Map<number, string>();
  for (const { seq, hash } of heads) if (!found.has(seq)) found.set(seq, hash);
  return found;
}

function follows(previous: { seq: number; hash: string }, { hash, ...row }: OperatorsTables['operators_audit']): boolean {
  return row.seq === previous.seq + 1 && row.previous_hash === previous.hash && hash === hashOf(row);
}
