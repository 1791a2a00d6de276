/** Folds the heart's history into the tables that the payouts, the claims and the solvency check work from. */
import type { HistoryOffset } from '@orrery/foundation';
import type { DepositCredited, DepositSuspended, DepositWrittenOff, Event, Heart, IndexPriceSet } from '@orrery/protocol';
import { addAtoms, assert, atoms, type Millis, seq, unreachable } from '@orrery/units';
import { gather, type Gathered, isOfOrders, sifted, type StopSignal, type Emitted } from '@orrery/views';
import type { Kysely, Transaction } from 'kysely';
import type { IndexerTables } from './tables.ts';
import type { Worth } from './worth.ts';

type Written = Extract<
  Event,
  {
    type:
      | 'AccountOpened'
      | 'DepositCredited'
      | 'DepositSuspended'
      | 'DepositWrittenOff'
      | 'BudgetFunded'
      | 'WithdrawalHeld'
      | 'WithdrawalSent'
      | 'WithdrawalPosted'
      | 'WithdrawalRefunded'
      | 'FaucetClaimReserved'
      | 'FaucetClaimSettled';
  }
>;

/** Prices are kept in memory only: there is one every few seconds. */
type Wanted = Written | IndexPriceSet;

const EMITTED: ReadonlySet<Event['type']> = new Set<Wanted['type']>([
  'IndexPriceSet',
  'AccountOpened',
  'DepositCredited',
  'DepositSuspended',
  'DepositWrittenOff',
  'BudgetFunded',
  'WithdrawalHeld',
  'WithdrawalSent',
  'WithdrawalPosted',
  'WithdrawalRefunded',
  'FaucetClaimReserved',
  'FaucetClaimSettled',
]);

const isWanted = (event: Event): event is Wanted => EMITTED.has(event.type);

const OFFSET = 'heart';
/** Commands between writes of the offset when none concerns us: reading commands again is idempotent. */
const OFFSET_EVERY = 10_000;

const readOffset = async (sql: Kysely<IndexerTables>): Promise<number> =>
  (await sql.selectFrom('indexer_offset').select('value').where('name', '=', OFFSET).executeTakeFirst())?.value ?? 0;

/** How far this service has folded history; a missing row counts as the beginning. */
export const historyOffset = async (sql: Kysely<IndexerTables>): Promise<HistoryOffset> => ({
  name: "The indexer's record of credits and payouts",
  seq: await readOffset(sql),
  remedy: 'restore a backup of the database that is not newer than the journal, or a newer journal',
});

export interface HeartFollowerOptions {
  readonly heart: Heart;
  readonly sql: Kysely<IndexerTables>;
  /** The token of a chain asset; undefined for an internal one. */
  readonly tokenOf: (asset: number) => string | undefined;
  readonly worth: Pick<Worth, 'apply'>;
  /** Something that the worker may act on has been written. */
  readonly onNews: () => void;
}

export class HeartFollower {
  readonly #options: HeartFollowerOptions;
  #written = 0;
  #followed = 0;

  constructor(options: HeartFollowerOptions) {
    this.#options = options;
  }

  /** The command up to which everything that concerns us is written. */
  get followed(): number {
    return this.#followed;
  }

  /** Ends when the heart stops, or on request. */
  async follow(signal: StopSignal): Promise<void> {
    const { sql, heart, onNews } = this.#options;
    this.#written = await readOffset(sql);
    this.#followed = this.#written;
    const gathering = sifted({ isNear: (applied) => !isOfOrders(applied), isWanted });
    const history = gather(heart.subscribe(seq(this.#written)), gathering);
    try {
      for (;;) {
        const next = await signal.race(history.next());
        if (next === 'stopped' || next.done === true) return;
        const hasNews = await this.#fold(next.value);
        this.#followed = next.value.last;
        if (hasNews) onNews();
      }
    } finally {
      // Also after a failure: an abandoned subscription would buffer history without bound. It may be waiting for a command that never
      // arrives, so its end is not awaited.
      void history.return();
    }
  }

  async #fold({ piece: reported, last }: Gathered<readonly Emitted<Wanted>[]>): Promise<boolean> {
    const written = reported.flatMap(({ event, moment }) => {
      if (event.type !== 'IndexPriceSet') return [{ event, at: moment.at }];
      this.#options.worth.apply(event, moment);
      return [];
    });
    if (written.length === 0 && last - this.#written < OFFSET_EVERY) return false;
    await this.#options.sql.transaction().execute(async (sql) => {
      for (const { event, at } of written) await this.#write(sql, event, at);
      await sql
        .insertInto('indexer_offset')
        .values({ name: OFFSET, value: last })
        .onConflict((row) => row.column('name').doUpdateSet({ value: last }))
        .execute();
    });
    this.#written = last;
    return written.length > 0;
  }

  async #write(sql: Transaction<IndexerTables>, event: Written, at: Millis): Promise<void> {
    switch (event.type) {
      case 'AccountOpened': {
        const { account, address } = event;
        await sql
          .insertInto('indexer_account')
          .values({ account, address })
          .onConflict((row) => row.doNothing())
          .execute();
        return;
      }
      case 'DepositCredited':
        await sql.deleteFrom('indexer_suspense').where('key', '=', event.key).execute();
        return this.#writeCredit(sql, await takenIn(sql, event, at));
      case 'DepositSuspended':
        return writeSuspense(sql, event);
      case 'DepositWrittenOff':
        return this.#writeOff(sql, event, at);
      case 'BudgetFunded':
        return this.#writeCredit(sql, event);
      case 'WithdrawalHeld': {
        const { withdrawalId, account, asset, amount, to } = event;
        const row = {
          withdrawal_id: withdrawalId,
          account,
          asset,
          amount: String(amount),
          recipient: to,
          state: 'held' as const,
          deadline: null,
          review: null,
          review_cause: null,
          review_since: null,
          review_answer: null,
        };
        await sql
          .insertInto('indexer_payout')
          .values(row)
          .onConflict((conflict) => conflict.doNothing())
          .execute();
        return;
      }
      case 'WithdrawalSent':
        return this.#writePayoutState(sql, event.withdrawalId, 'sent');
      case 'WithdrawalPosted':
        return this.#writePayoutState(sql, event.withdrawalId, 'posted');
      case 'WithdrawalRefunded':
        return this.#writePayoutState(sql, event.withdrawalId, 'refunded');
      case 'FaucetClaimReserved': {
        const row = { claim_id: event.claimId, account: event.account, state: 'reserved' as const };
        await sql
          .insertInto('indexer_claim')
          .values(row)
          .onConflict((conflict) => conflict.doNothing())
          .execute();
        return;
      }
      case 'FaucetClaimSettled':
        await sql.updateTable('indexer_claim').set({ state: event.outcome }).where('claim_id', '=', event.claimId).execute();
        return;
      default:
        return unreachable(event);
    }
  }

  /** Its amount has left the ledger: it is no credit any more, and the chain may go on without it. */
  async #writeOff(sql: Transaction<IndexerTables>, event: DepositWrittenOff, at: Millis): Promise<void> {
    const { key, account, asset, amount, fromInsurance, uncovered } = event;
    const token = this.#options.tokenOf(asset);
    const holder = await sql.selectFrom('indexer_account').select('address').where('account', '=', account).executeTakeFirst();
    assert(token !== undefined && holder !== undefined, `the deposit ${key} is of a listed token and a known account`);
    const [, txHash = '', logIndex = ''] = key.split(':');
    const paid = String(addAtoms(fromInsurance, uncovered));
    const row = { account, address: holder.address, token, asset, amount: String(amount), paid, written_at: at, returned_at: null };
    await sql
      .insertInto('indexer_write_off')
      .values({ key, tx_hash: txHash, log_index: Number(logIndex), ...row })
      .onConflict((conflict) => conflict.column('key').doUpdateSet(row))
      .execute();
    await sql.deleteFrom('indexer_suspense').where('key', '=', key).execute();
    await sql.deleteFrom('indexer_credit').where('key', '=', key).execute();
    await sql.updateTable('indexer_orphan').set({ settled_at: at }).where('key', '=', key).where('settled_at', 'is', null).execute();
  }

  /** Internal assets are not money of the vault. */
  async #writeCredit(
    sql: Transaction<IndexerTables>,
    event: Extract<Written, { type: 'DepositCredited' | 'BudgetFunded' }>,
  ): Promise<void> {
    if (this.#options.tokenOf(event.asset) === undefined) return;
    const key = event.type === 'BudgetFunded' ? `budget:${event.key}` : event.key;
    const suspended = event.type === 'DepositCredited' && event.suspended;
    const row = { key, asset: event.asset, amount: String(event.amount), suspended };
    // Emitted again when it leaves suspense.
    await sql
      .insertInto('indexer_credit')
      .values(row)
      .onConflict((conflict) => conflict.column('key').doUpdateSet({ suspended }))
      .execute();
  }

  /** A payout's state never goes back: history read a second time leaves later states unchanged. */
  async #writePayoutState(sql: Transaction<IndexerTables>, withdrawalId: string, state: 'sent' | 'posted' | 'refunded'): Promise<void> {
    const before = state === 'sent' ? ['held' as const] : ['held' as const, 'sent' as const];
    // What was sent was signed, also when this database is older than its review.
    const change = state === 'refunded' ? { state } : { state, review: 'signed' as const };
    const { numUpdatedRows } = await sql
      .updateTable('indexer_payout')
      .set(change)
      .where('withdrawal_id', '=', withdrawalId)
      .where('state', 'in', before)
      .executeTakeFirstOrThrow();
    const known =
      numUpdatedRows > 0n ||
      (await sql.selectFrom('indexer_payout').select('state').where('withdrawal_id', '=', withdrawalId).executeTakeFirst());
    assert(known !== undefined, `withdrawal ${withdrawalId} was ${state} before it was held`);
  }
}

/** Of a deposit that was written off and is back its account is credited with less than what came in: the exchange has the rest. */
async function takenIn(sql: Transaction<IndexerTables>, event: DepositCredited, at: Millis): Promise<DepositCredited> {
  const back = await sql
    .updateTable('indexer_write_off')
    .set({ returned_at: at })
    .where('key', '=', event.key)
    .where('returned_at', 'is', null)
    .returning('amount')
    .executeTakeFirst();
  return back === undefined ? event : { ...event, amount: atoms(BigInt(back.amount)) };
}

async function writeSuspense(sql: Transaction<IndexerTables>, { key, account, asset, amount }: DepositSuspended): Promise<void> {
  const row = { key, account, asset, amount: String(amount) };
  await sql
    .insertInto('indexer_suspense')
    .values(row)
    .onConflict((conflict) => conflict.column('key').doUpdateSet(row))
    .execute();
}
