/**
 * When the chain reverts final blocks, deposits and withdrawals stop. A depth that can be reconciled resumes automatically
 * once every orphaned deposit is on the chain again; a deeper one, or one that never comes back, waits for a person.
 */
import type { Heart } from '@orrery/protocol';
import { assert } from '@orrery/units';
import type { Kysely, Transaction } from 'kysely';
import { DEEPEST_SELF_HEALING, finalBlock } from './confirmations.ts';
import type { Reorg } from './scanner.ts';
import { CARRIES_PARCEL, type HaltKind, type IndexerTables } from './tables.ts';

export interface HaltsOptions {
  readonly sql: Kysely<IndexerTables>;
  readonly heart: Heart;
  /** As configured: a reorganisation up to this depth has no effect. */
  readonly confirmations: number;
  readonly required: number;
  readonly now: () => number;
}

/** What halts money, in one sentence. */
export interface Halt {
  readonly kind: HaltKind;
  readonly reason: string;
}

function sentenceOf(first: string, others: number): string {
  if (others === 0) return first;
  return `${first}, and ${others} more ${others === 1 ? 'alarm' : 'alarms'}`;
}

export class Halts {
  readonly #options: HaltsOptions;

  constructor(options: HaltsOptions) {
    this.#options = options;
  }

  /** Why money does not move; undefined when it does. */
  async standing(): Promise<Halt | undefined> {
    const alarms = await this.#alarms();
    const [first] = alarms;
    if (first !== undefined) return { kind: 'alarm', reason: sentenceOf(first.reason, alarms.length - 1) };
    return this.#options.sql
      .selectFrom('indexer_halt')
      .select(['kind', 'reason'])
      .where('ended_at', 'is', null)
      .orderBy('kind')
      .orderBy('id')
      .limit(1)
      .executeTakeFirst();
  }

  #alarms() {
    const { sql } = this.#options;
    return sql
      .selectFrom('indexer_halt')
      .select(['id', 'reason'])
      .where('kind', '=', 'alarm')
      .where('ended_at', 'is', null)
      .orderBy('id')
      .execute();
  }

  /** Notes what the blocks to be removed had led to. */
  async onReorg(sql: Transaction<IndexerTables>, { fork, head }: Reorg): Promise<void> {
    const depth = (await this.#highest(sql, head)) - fork;
    const orphans = await sql
      .selectFrom('indexer_deposit')
      .select(['key', 'address', 'token', 'amount'])
      .where('block_number', '>', fork)
      // Cut off between the ledger and here, one is credited and still called pending.
      .where((row) =>
        row.or([row('state', 'in', ['credited', 'suspended']), row('key', 'in', row.selectFrom('indexer_credit').select('key'))]),
      )
      .execute();
    if (orphans.length > 0) {
      const since = this.#options.now();
      const rows = orphans.map((orphan) => ({ ...orphan, suspended: false, since, settled_at: null }));
      await sql
        .insertInto('indexer_orphan')
        .values(rows)
        .onConflict((row) => row.column('key').doUpdateSet({ suspended: false, since, settled_at: null }))
        .execute();
    }
    await sql
      .insertInto('indexer_recall')
      .columns(['withdrawal_id'])
      .expression(sql.selectFrom('indexer_release').select('withdrawal_id').where('block_number', '>', fork))
      .onConflict((row) => row.doNothing())
      .execute();
    // A transaction whose block went away is on its way again.
    await sql
      .updateTable('indexer_parcel')
      .set({ state: 'sent', sent_at: null })
      .where('state', 'in', ['sent', 'succeeded', 'failed'])
      .where((row) =>
        row.exists(row.selectFrom('indexer_transaction').select('hash').where('block_number', '>', fork).where(CARRIES_PARCEL)),
      )
      .execute();
    if (depth <= this.#options.confirmations && orphans.length === 0) return;
    const kind = depth > DEEPEST_SELF_HEALING ? 'human' : 'self';
    const reason = `the chain took back ${depth} blocks after block ${fork}`;
    await sql
      .insertInto('indexer_halt')
      .values({ kind, reason, key: null, block_number: head, since: this.#options.now(), ended_at: null })
      .execute();
  }

  /** A node that is still changing its branch reports one reorganisation in parts: the depth counts from the first part. */
  async #highest(sql: Transaction<IndexerTables>, head: number): Promise<number> {
    const { highest } = await sql
      .selectFrom('indexer_halt')
      .select(({ fn }) => fn.max('block_number').as('highest'))
      .where('ended_at', 'is', null)
      .where('kind', '!=', 'alarm')
      .executeTakeFirstOrThrow();
    return Math.max(head, highest ?? 0);
  }

  /** Reconciles, and ends the halt when all is back. */
  async heal(head: number): Promise<void> {
    await this.reconcile();
    const { sql, now, required } = this.#options;
    const open = await sql.selectFrom('indexer_orphan').select('key').where('settled_at', 'is', null).limit(1).executeTakeFirst();
    if (open !== undefined) return;
    await sql
      .updateTable('indexer_halt')
      .set({ ended_at: now() })
      .where('ended_at', 'is', null)
      .where('kind', '=', 'self')
      .where('block_number', '<=', finalBlock(head, required))
      .execute();
  }

  /**
   * A person has looked, and lets money move again: after this halt, or after every one. The sentence of alarms counts
   * them: one that was raised since is not ended with them.
   */
  async clear(reason: string | undefined): Promise<void> {
    const alarms = await this.#alarms();
    const [first] = alarms;
    if (first !== undefined && reason === sentenceOf(first.reason, alarms.length - 1)) {
      const ids = alarms.map(({ id }) => id);
      await this.#options.sql.updateTable('indexer_halt').set({ ended_at: this.#options.now() }).where('id', 'in', ids).execute();
      return;
    }
    let halts = this.#options.sql.updateTable('indexer_halt').set({ ended_at: this.#options.now() }).where('ended_at', 'is', null);
    if (reason !== undefined) halts = halts.where('reason', '=', reason);
    await halts.execute();
  }

  /**
   * Deposits that left the chain go into suspense, those that are back leave it: also after a halt that a person has ended before.
   * Returned deposits are recorded first: they are credited again, and must not be suspended a second time.
   */
  async reconcile(): Promise<void> {
    const { sql, now } = this.#options;
    const back = await sql
      .selectFrom('indexer_orphan')
      .innerJoin('indexer_deposit', 'indexer_deposit.key', 'indexer_orphan.key')
      .select('indexer_orphan.key')
      .where('settled_at', 'is', null)
      .where('state', 'in', ['credited', 'suspended'])
      .execute();
    for (const { key } of back) await sql.updateTable('indexer_orphan').set({ settled_at: now() }).where('key', '=', key).execute();
    const gone = await sql
      .selectFrom('indexer_orphan')
      .select('key')
      .where('settled_at', 'is', null)
      .where('suspended', '=', false)
      .orderBy('key')
      .execute();
    for (const { key } of gone) await this.#suspend(key);
  }

  async #suspend(key: string): Promise<void> {
    const { heart, sql } = this.#options;
    const { events } = await heart.submit({ type: 'SuspendDeposit', key });
    const refused = events.find((event) => event.type === 'CommandRejected');
    assert(refused === undefined, `orphaned deposit ${key} could not be suspended: ${refused?.reason}`);
    await sql.updateTable('indexer_orphan').set({ suspended: true }).where('key', '=', key).execute();
  }
}
