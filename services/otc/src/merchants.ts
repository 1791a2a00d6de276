/** Merchants: an application with a deposit in escrow, approved by an operator; what others read of somebody. */
import {
  ApiError,
  type BodyOf,
  type OtcApplication,
  type OtcMerchantInfo,
  type otcMerchantRoutes,
  type OtcMerchantState,
  type OtcTrader,
} from '@orrery/api';
import { Turns } from '@orrery/foundation';
import type { Heart } from '@orrery/protocol';
import { type AccountId, accountId, assetId, atoms } from '@orrery/units';
import { type Selectable, sql } from 'kysely';
import type { Coins } from './coins.ts';
import type { DeskState } from './desk-state.ts';
import type { Slice } from './disputes.ts';
import type { OtcFollower } from './follower.ts';
import { appraisalIs, applicationIs } from './ids.ts';
import { amountText } from './money.ts';
import type { IdentityPort, PersonKeysPort } from './ports.ts';
import { submitted } from './refusals.ts';
import { openedText, sealed } from './sealed.ts';
import type { OtcDb, OtcTables } from './tables.ts';
import type { Traders } from './traders.ts';

const TRADED_MS = 30 * 86_400_000;
const APPRAISALS = 20;

type Row = Selectable<OtcTables['otc_merchant']>;

export interface MerchantDecided {
  readonly traderId: string;
  readonly decision: 'APPROVED' | 'REFUSED';
  /** For the person; null where it is approved. */
  readonly reason: string | null;
}

interface MerchantsParts {
  readonly heart: Heart;
  readonly db: OtcDb;
  readonly keys: PersonKeysPort;
  readonly coins: Coins;
  readonly desk: DeskState;
  readonly traders: Traders;
  readonly identities: IdentityPort;
  readonly follower: OtcFollower;
  readonly now: () => number;
}

export class Merchants {
  readonly #parts: MerchantsParts;
  readonly #turns = new Turns<AccountId>();

  constructor(parts: MerchantsParts) {
    this.#parts = parts;
  }

  /** Without a name it is no application, only what fills a deposit up. @throws ApiError AlreadyThere, MissingField, or with the reason of the engine where the deposit is not there. */
  apply(account: AccountId, { name, text }: BodyOf<(typeof otcMerchantRoutes)['applyAsOtcMerchant']>): Promise<OtcMerchantInfo> {
    return this.#turns.take(account, async () => {
      const { heart, db, keys, coins, traders, follower, now } = this.#parts;
      const before = await this.#find(account);
      if (before?.state === 'APPROVED' && (await this.#isShort(account))) return this.#fillUp(before);
      if (name === undefined && before?.state === 'APPROVED') return this.info(account, account);
      if (name === undefined) throw new ApiError('MissingField', { field: 'name' });
      if (text === undefined) throw new ApiError('MissingField', { field: 'text' });
      if (before !== undefined && (before.state === 'WAITING' || before.state === 'APPROVED'))
        throw new ApiError('AlreadyThere', { field: 'merchant', message: 'you have applied already' });
      if (before !== undefined && (await this.#depositOf(account)) !== undefined)
        throw new ApiError('AlreadyThere', { field: 'merchant', message: 'your deposit is not returned yet: try again in a minute' });
      const taken = await db
        .selectFrom('otc_merchant')
        .select('account')
        .where(sql<string>`lower(name)`, '=', name.toLowerCase())
        .where('state', 'in', ['WAITING', 'APPROVED'])
        .where('account', '!=', account)
        .executeTakeFirst();
      if (taken !== undefined) throw new ApiError('AlreadyThere', { field: 'name' });
      // One whose answer was lost goes on under its own number: the deposit moves once.
      const nth = before === undefined ? 1 : before.state === 'DEPOSITING' ? before.nth : before.nth + 1;
      const row = {
        name,
        sealed: await sealed(keys, account, applicationIs(account), text),
        state: 'DEPOSITING',
        answer: null,
        applied_at: now(),
        decided_at: null,
        nth,
      };
      await db.transaction().execute(async (tx) => {
        await tx
          .insertInto('otc_merchant')
          .values({ account, ...row })
          .onConflict((conflict) => conflict.column('account').doUpdateSet(row))
          .execute();
        await traders.note(tx, account);
      });
      const { seq } = await submitted(heart, coins, { type: 'DepositAsMerchant', account, key: `merchant-${nth}` });
      await follower.reached(seq);
      return this.info(account, account);
    });
  }

  /** @throws ApiError UnknownThing where there is nothing to leave, OtcNotIdle. */
  leave(account: AccountId): Promise<OtcMerchantInfo> {
    return this.#turns.take(account, async () => {
      const row = await this.#find(account);
      if (row === undefined || (row.state !== 'WAITING' && row.state !== 'APPROVED'))
        throw new ApiError('UnknownThing', { field: 'merchant' });
      await this.#giveBack(row);
      this.#parts.traders.forget(account);
      return this.info(account, account);
    });
  }

  /** What anybody reads; `reader` herself reads more. */
  async info(account: AccountId, reader: AccountId | undefined): Promise<OtcMerchantInfo> {
    const { db, coins, desk, keys, traders, now } = this.#parts;
    const row = await this.#find(account);
    const isOwn = account === reader;
    const state = stateOf(row);
    const deposit = await this.#depositOf(account);
    const depositAsset = deposit?.asset ?? desk.terms?.depositAsset;
    const asset = depositAsset === undefined ? coins.field('USDC') : coins.byId(assetId(depositAsset));
    const traded = await db
      .selectFrom('otc_order')
      .select(['asset', sql<string>`sum(amount)`.as('amount')])
      .where('status', '=', 'RELEASED')
      .where('ended_at', '>', now() - TRADED_MS)
      .where((of) => of.or([of('buyer', '=', account), of('seller', '=', account)]))
      .groupBy('asset')
      .orderBy('asset')
      .execute();
    const appraisals = await db
      .selectFrom('otc_appraisal')
      .selectAll()
      .where('of_account', '=', account)
      .orderBy('at', 'desc')
      .limit(APPRAISALS)
      .execute();
    return {
      ...(await traders.of(account)),
      state: isOwn || state === 'APPROVED' ? state : 'NONE',
      since: state === 'APPROVED' ? (row?.decided_at ?? null) : null,
      deposit: amountText(atoms(BigInt(isOwn || state === 'APPROVED' ? (deposit?.amount ?? 0) : 0)), asset),
      depositCoin: asset.code,
      answer: isOwn ? (row?.answer ?? null) : null,
      tradedDays30: traded.map((each) => {
        const coin = coins.byId(assetId(each.asset));
        return { coin: coin.code, amount: amountText(atoms(BigInt(each.amount)), coin) };
      }),
      appraisals: await Promise.all(
        appraisals.map(async (each) => ({
          appraisal: each.appraisal as 'POSITIVE' | 'NEGATIVE',
          text:
            each.sealed === null
              ? null
              : ((await openedText(keys, accountId(each.account), appraisalIs(each.order_id), each.sealed)) ?? null),
          at: each.at,
        })),
      ),
    };
  }

  /** Those with most finished orders first. */
  async list({ page, size }: Slice): Promise<{ list: OtcTrader[]; total: number }> {
    const { db, traders } = this.#parts;
    const { rows } = await sql<{ account: number }>`
      select m.account from otc_merchant m where m.state = 'APPROVED'
      order by (select count(*) from otc_order o where (o.buyer = m.account or o.seller = m.account) and o.status = 'RELEASED') desc, m.account
      limit ${size} offset ${(page - 1) * size}`.execute(db);
    const { total } = await db
      .selectFrom('otc_merchant')
      .select((of) => of.fn.countAll<number>().as('total'))
      .where('state', '=', 'APPROVED')
      .executeTakeFirstOrThrow();
    return { list: await Promise.all(rows.map(({ account }) => traders.of(accountId(account)))), total };
  }

  /** Those that wait first, the longest first; then the others, newest first. */
  async applications({ page, size }: Slice): Promise<{ list: OtcApplication[]; total: number }> {
    const { db, coins, keys, traders, identities } = this.#parts;
    const wanted = db.selectFrom('otc_merchant').where('state', '!=', 'DEPOSITING');
    const rows = await wanted
      .selectAll()
      .orderBy(sql`state <> 'WAITING'`)
      .orderBy(sql`case when state = 'WAITING' then applied_at else -applied_at end`)
      .limit(size)
      .offset((page - 1) * size)
      .execute();
    const { total } = await wanted.select((of) => of.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
    const list = await Promise.all(
      rows.map(async (row): Promise<OtcApplication> => {
        const account = accountId(row.account);
        const deposit = await this.#depositOf(account);
        return {
          traderId: traders.idOf(account),
          account,
          name: row.name,
          text: (await openedText(keys, account, applicationIs(account), row.sealed)) ?? null,
          deposit: deposit === undefined ? '0' : amountText(atoms(BigInt(deposit.amount)), coins.byId(assetId(deposit.asset))),
          verified: identities.isVerified(account),
          finished: (await traders.of(account)).finished,
          state: stateOf(row),
          appliedTime: row.applied_at,
        };
      }),
    );
    return { list, total };
  }

  /** Undefined unless somebody has applied. */
  async stateOfTrader(traderId: string): Promise<OtcMerchantState | undefined> {
    const account = await this.#parts.traders.accountOf(traderId);
    const row = account === undefined ? undefined : await this.#find(account);
    return row === undefined ? undefined : stateOf(row);
  }

  /** Decided the same way again nothing happens. @throws ApiError UnknownThing where nothing waits for it. */
  async decide({ traderId, decision, reason }: MerchantDecided): Promise<void> {
    const { db, traders, now } = this.#parts;
    const account = await traders.accountOf(traderId);
    const row = account === undefined ? undefined : await this.#find(account);
    if (account === undefined || row === undefined) throw new ApiError('UnknownThing', { field: 'traderId' });
    if (row.state === decision) return;
    // An operator ends a merchant as well; what was refused is applied for again.
    if (row.state !== 'WAITING' && !(row.state === 'APPROVED' && decision === 'REFUSED'))
      throw new ApiError('UnknownThing', { field: 'traderId' });
    await db
      .updateTable('otc_merchant')
      .set({ state: decision, answer: reason, decided_at: now() })
      .where('account', '=', account)
      .where('state', '=', row.state)
      .execute();
    traders.forget(account);
    if (decision === 'REFUSED') await this.returnDue();
  }

  /** Deposits of those who are refused return as soon as their last order has ended. */
  async returnDue(): Promise<void> {
    const rows = await this.#parts.db
      .selectFrom('otc_merchant')
      .innerJoin('otc_deposit', 'otc_deposit.account', 'otc_merchant.account')
      .selectAll('otc_merchant')
      .where('state', '=', 'REFUSED')
      .execute();
    for (const row of rows) {
      await this.#giveBack(row).catch((error: unknown) => {
        // Something of it is open: the next round tries again.
        if (!(error instanceof ApiError)) throw error;
      });
    }
  }

  /** Deposits by coin. */
  async deposits(): Promise<readonly { readonly asset: number; readonly amount: bigint }[]> {
    const rows = await this.#parts.db
      .selectFrom('otc_deposit')
      .select(['asset', sql<string>`sum(amount)`.as('amount')])
      .groupBy('asset')
      .execute();
    return rows.map(({ asset, amount }) => ({ asset, amount: BigInt(amount) }));
  }

  /** What lies there has paid for a dispute. */
  async #isShort(account: AccountId): Promise<boolean> {
    const deposit = await this.#depositOf(account);
    return deposit !== undefined && BigInt(deposit.amount) < (this.#parts.desk.terms?.merchantDeposit ?? 0n);
  }

  async #fillUp({ account: number, nth }: Row): Promise<OtcMerchantInfo> {
    const { heart, db, coins, follower } = this.#parts;
    const account = accountId(number);
    // The number first: a crash between the two leaves one unused, and none twice.
    await db
      .updateTable('otc_merchant')
      .set({ nth: nth + 1 })
      .where('account', '=', account)
      .execute();
    const command = { type: 'DepositAsMerchant' as const, account, key: `merchant-${nth + 1}` };
    await follower.reached((await submitted(heart, coins, command)).seq);
    return this.info(account, account);
  }

  async #giveBack({ account, nth }: Row): Promise<void> {
    const { heart, coins, follower } = this.#parts;
    const command = { type: 'ReturnMerchantDeposit' as const, account: accountId(account), key: `merchant-${nth}` };
    await follower.reached((await submitted(heart, coins, command)).seq);
  }

  #find(account: AccountId): Promise<Row | undefined> {
    return this.#parts.db.selectFrom('otc_merchant').selectAll().where('account', '=', account).executeTakeFirst();
  }

  #depositOf(account: AccountId) {
    return this.#parts.db.selectFrom('otc_deposit').selectAll().where('account', '=', account).executeTakeFirst();
  }
}

/** One whose deposit is on its way has not applied yet. */
const stateOf = (row: Row | undefined): OtcMerchantState =>
  row === undefined || row.state === 'DEPOSITING' ? 'NONE' : (row.state as OtcMerchantState);
