/** Who somebody is to others: a name without an account, and facts that follow from orders that have ended. */
import { createHmac } from 'node:crypto';
import type { OtcTrader } from '@orrery/api';
import { type AccountId, accountId } from '@orrery/units';
import { sql } from 'kysely';
import type { IdentityPort } from './ports.ts';
import type { OtcDb, OtcTx } from './tables.ts';

const DAY_MS = 86_400_000;
const RATE_DAYS = 30;
/** Of which the median is taken. */
const RELEASES = 100;
const ID_LENGTH = 12;
/** What is known of somebody changes by the clock too: an order leaves the 30 days. */
const KEPT_MS = 60_000;

interface Facts {
  readonly finished: number;
  readonly completionRate: string | null;
  readonly medianReleaseSeconds: number | null;
  readonly positive: number;
  readonly negative: number;
  /** The name of one who is a merchant. */
  readonly merchant: string | null;
}

interface TradersParts {
  readonly db: OtcDb;
  readonly key: Buffer;
  readonly identities: IdentityPort;
  /** Whether what other processes change is heard: if not, nothing that was read before is believed. */
  readonly isFresh: () => boolean;
  readonly now: () => number;
}

export class Traders {
  readonly #parts: TradersParts;
  readonly #known = new Map<AccountId, { readonly at: number; readonly facts: Promise<Facts> }>();

  constructor(parts: TradersParts) {
    this.#parts = parts;
  }

  /** The same each time, and nobody without the key finds the account by it. */
  idOf(account: AccountId): string {
    return createHmac('sha256', this.#parts.key).update(String(account)).digest('hex').slice(0, ID_LENGTH);
  }

  async accountOf(traderId: string): Promise<AccountId | undefined> {
    const row = await this.#parts.db.selectFrom('otc_trader').select('account').where('trader_id', '=', traderId).executeTakeFirst();
    return row === undefined ? undefined : accountId(row.account);
  }

  /** From here on it is found by its id. */
  async note(tx: OtcTx, account: AccountId): Promise<void> {
    await tx
      .insertInto('otc_trader')
      .values({ account, trader_id: this.idOf(account) })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }

  /** Something of it has changed. @param account undefined: of anybody */
  forget(account: AccountId | undefined): void {
    if (account === undefined) this.#known.clear();
    else this.#known.delete(account);
  }

  async of(account: AccountId): Promise<OtcTrader> {
    const facts = await this.#factsOf(account);
    const traderId = this.idOf(account);
    const { merchant, ...counts } = facts;
    return {
      traderId,
      nickname: merchant ?? `Trader ${traderId.slice(0, 4)}`,
      merchant: merchant !== null,
      verified: this.#parts.identities.isVerified(account),
      ...counts,
    };
  }

  #factsOf(account: AccountId): Promise<Facts> {
    const now = this.#parts.now();
    const known = this.#known.get(account);
    if (known !== undefined && now - known.at < KEPT_MS && this.#parts.isFresh()) return known.facts;
    const facts = this.#read(account, now);
    this.#known.set(account, { at: now, facts });
    facts.catch(() => this.#known.delete(account));
    return facts;
  }

  /** An order counts against who ended it: who cancelled it or let it expire, and the side against which it was decided. */
  async #read(account: AccountId, now: number): Promise<Facts> {
    const { db } = this.#parts;
    const { rows } = await sql<{ finished: number; released: number; against: number }>`
      select count(*) filter (where status = 'RELEASED') as finished,
        count(*) filter (where status = 'RELEASED' and ended_at > ${now - RATE_DAYS * DAY_MS}
          and not (seller = ${account} and disputed_at is not null)) as released,
        count(*) filter (where ended_at > ${now - RATE_DAYS * DAY_MS} and (
          (buyer = ${account} and status in ('CANCELLED', 'EXPIRED', 'RETURNED')) or
          (seller = ${account} and status = 'RELEASED' and disputed_at is not null))) as against
      from otc_order where (buyer = ${account} or seller = ${account}) and ended_at is not null`.execute(db);
    const median = await sql<{ median: number | null }>`
      select percentile_disc(0.5) within group (order by took) as median from (
        select ended_at - paid_at as took from otc_order
        where seller = ${account} and status = 'RELEASED' and paid_at is not null order by order_id desc limit ${RELEASES}) as taken`.execute(
      db,
    );
    const appraisals = await db
      .selectFrom('otc_appraisal')
      .select((of) => [
        of.fn.countAll<number>().filterWhere('appraisal', '=', 'POSITIVE').as('positive'),
        of.fn.countAll<number>().filterWhere('appraisal', '=', 'NEGATIVE').as('negative'),
      ])
      .where('of_account', '=', account)
      .executeTakeFirstOrThrow();
    const merchant = await db
      .selectFrom('otc_merchant')
      .select('name')
      .where('account', '=', account)
      .where('state', '=', 'APPROVED')
      .executeTakeFirst();
    const { finished, released, against } = rows[0] ?? { finished: 0, released: 0, against: 0 };
    const took = median.rows[0]?.median ?? null;
    return {
      finished,
      completionRate: released + against === 0 ? null : String(Math.floor((released * 100) / (released + against))),
      medianReleaseSeconds: took === null ? null : Math.round(took / 1_000),
      ...appraisals,
      merchant: merchant?.name ?? null,
    };
  }
}
