/** The advertisements that are not taken down, in memory: a list by price is made of prices that change with the outside. */
import {
  ApiError,
  type DataOf,
  type OtcAdvertisement,
  type otcAdvertisingRoutes,
  type OtcPaymentKind,
  type OwnOtcAdvertisement,
  type QueryOf,
} from '@orrery/api';
import type { AccountDirectory } from '@orrery/foundation';
import type { Pricing } from '@orrery/protocol';
import { type AccountId, accountId, assetId, atoms, type Cents, cents, fiatPrice, type FiatPrice, signedPpm } from '@orrery/units';
import { type Selectable, sql } from 'kysely';
import type { Coins } from './coins.ts';
import type { DeskState } from './desk-state.ts';
import { advertisementIs } from './ids.ts';
import { amountText, currentPrice, premiumText, priceText, totalField, totalText, worthOf } from './money.ts';
import type { PersonKeysPort } from './ports.ts';
import { opened } from './sealed.ts';
import type { OtcDb, OtcTables } from './tables.ts';
import type { Traders } from './traders.ts';

/** What an advertiser writes. */
export interface AdvertisementText {
  readonly conditions: string | null;
  readonly autoReply: string | null;
}

/** As it is in SQL, with its words. */
export interface Advertised {
  readonly advertisement: number;
  readonly account: AccountId;
  readonly clientId: string;
  readonly side: 'buy' | 'sell';
  readonly asset: number;
  readonly currency: 'usd' | 'cny';
  readonly pricing: Pricing;
  readonly minTotal: Cents;
  readonly maxTotal: Cents;
  readonly payWindowMs: number;
  readonly available: bigint;
  readonly version: number;
  readonly state: OtcAdvertisement['status'];
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly methodIds: readonly string[];
  readonly paymentKinds: readonly OtcPaymentKind[];
  readonly text: AdvertisementText;
}

interface BoardParts {
  readonly db: OtcDb;
  readonly keys: PersonKeysPort;
  readonly coins: Coins;
  readonly desk: DeskState;
  readonly directory: AccountDirectory;
  readonly traders: Traders;
  readonly minuteMs: number;
  readonly now: () => number;
}

type ListQuery = QueryOf<(typeof otcAdvertisingRoutes)['otcAdvertisements']>;
type MineQuery = QueryOf<(typeof otcAdvertisingRoutes)['otcOwnAdvertisements']>;

type Row = Selectable<OtcTables['otc_advertisement']> & {
  readonly [Name in 'method_ids' | 'payment_kinds' | 'sealed']: OtcTables['otc_advertisement_text'][Name] | null;
};

const NO_TEXT: AdvertisementText = { conditions: null, autoReply: null };

export class Board {
  readonly #parts: BoardParts;
  readonly #live = new Map<number, Advertised>();

  constructor(parts: BoardParts) {
    this.#parts = parts;
  }

  async load(): Promise<void> {
    const rows = await this.#rows().where('otc_advertisement.state', '!=', 'TAKEN_DOWN').execute();
    for (const row of rows) this.#live.set(row.advertisement, await this.#advertised(row));
  }

  /** After a change in SQL. */
  async readAgain(advertisements: readonly number[]): Promise<void> {
    if (advertisements.length === 0) return;
    const rows = await this.#rows()
      .where('otc_advertisement.advertisement', 'in', [...advertisements])
      .execute();
    for (const row of rows) {
      const found = await this.#advertised(row);
      if (found.state === 'TAKEN_DOWN') this.#live.delete(found.advertisement);
      else this.#live.set(found.advertisement, found);
    }
  }

  /** After another process has changed the words of an account's advertisements, or of any. */
  readTextsAgain(account: AccountId | undefined): Promise<void> {
    const concerned = this.all().filter((one) => account === undefined || one.account === account);
    return this.readAgain(concerned.map(({ advertisement }) => advertisement));
  }

  /** Those that are not taken down. */
  all(): readonly Advertised[] {
    return [...this.#live.values()];
  }

  /** @throws ApiError UnknownThing unless it is live, and of this account where one is given. */
  find(advertisement: number, account?: AccountId): Advertised {
    const found = this.#live.get(advertisement);
    if (found === undefined || (account !== undefined && found.account !== account))
      throw new ApiError('UnknownThing', { field: 'advertisingId' });
    return found;
  }

  /** At this moment; undefined while a floating one has no fresh assist price. */
  priceOf({ pricing, asset, currency }: Pick<Advertised, 'pricing' | 'asset' | 'currency'>): FiatPrice | undefined {
    return currentPrice(pricing, this.#parts.desk.assist(assetId(asset), currency, this.#parts.now()));
  }

  /** Those that can be taken, the best price for the taker first; of one price the older first. */
  async list(query: ListQuery, reader: AccountId | undefined): Promise<DataOf<(typeof otcAdvertisingRoutes)['otcAdvertisements']>> {
    const { page = 1, pageSize = 10 } = query;
    const of = query.traderId === undefined ? undefined : await this.#parts.traders.accountOf(query.traderId);
    const total = query.total === undefined ? undefined : totalField(query.total, 'total');
    const merchants = new Map<AccountId, boolean>();
    const found: { readonly one: Advertised; readonly price: FiatPrice }[] = [];
    for (const one of this.#live.values()) {
      const price = this.priceOf(one);
      if (price === undefined || one.account === reader || !this.#isTakeable(one) || !this.#fits(one, query)) continue;
      if (query.traderId !== undefined && one.account !== of) continue;
      if (total !== undefined && (total < one.minTotal || total > this.#mostOf(one, price))) continue;
      if (query.merchants === 'ONLY' && !(await this.#isMerchant(one.account, merchants))) continue;
      found.push({ one, price });
    }
    found.sort((left, right) => {
      // Both sides in one list: each by its own order.
      if (left.one.side !== right.one.side) return left.one.side === 'sell' ? -1 : 1;
      if (left.price === right.price) return left.one.advertisement - right.one.advertisement;
      return left.price < right.price === (left.one.side === 'sell') ? -1 : 1;
    });
    const list = await Promise.all(found.slice((page - 1) * pageSize, page * pageSize).map(({ one }) => this.shown(one)));
    return { list, total: found.length };
  }

  /** Newest first, those that are taken down too. */
  async mine(
    account: AccountId,
    { status, page = 1, pageSize = 10 }: MineQuery,
  ): Promise<DataOf<(typeof otcAdvertisingRoutes)['otcOwnAdvertisements']>> {
    const { db } = this.#parts;
    const wanted = db
      .selectFrom('otc_advertisement')
      .where('account', '=', account)
      .$if(status !== undefined, (all) => all.where('state', '=', status ?? ''));
    const { total } = await wanted.select((of) => of.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
    const ids = await wanted
      .select('advertisement')
      .orderBy('advertisement', 'desc')
      .limit(pageSize)
      .offset((page - 1) * pageSize)
      .execute();
    if (ids.length === 0) return { list: [], total };
    const rows = await this.#rows()
      .where(
        'otc_advertisement.advertisement',
        'in',
        ids.map(({ advertisement }) => advertisement),
      )
      .orderBy('otc_advertisement.advertisement', 'desc')
      .execute();
    return { list: await Promise.all(rows.map(async (row) => this.#own(await this.#advertised(row)))), total };
  }

  /** @throws ApiError UnknownThing unless there is one of the account. */
  async own(account: AccountId, wanted: { readonly advertisement: number } | { readonly clientId: string }): Promise<OwnOtcAdvertisement> {
    const row = await this.#rows()
      .where('otc_advertisement.account', '=', account)
      .$if('clientId' in wanted, (all) => all.where('otc_advertisement.client_id', '=', 'clientId' in wanted ? wanted.clientId : ''))
      .$if('advertisement' in wanted, (all) =>
        all.where('otc_advertisement.advertisement', '=', 'advertisement' in wanted ? wanted.advertisement : 0),
      )
      .executeTakeFirst();
    if (row === undefined) throw new ApiError('UnknownThing', { field: 'advertisingId' });
    return this.#own(await this.#advertised(row));
  }

  async shown(one: Advertised): Promise<OtcAdvertisement> {
    const { coins, traders } = this.#parts;
    const asset = coins.byId(assetId(one.asset));
    const price = this.priceOf(one);
    return {
      advertisingId: String(one.advertisement),
      side: one.side === 'buy' ? 'BUY' : 'SELL',
      coin: asset.code,
      currency: one.currency,
      priceType: one.pricing.kind,
      price: price === undefined ? null : priceText(price),
      premium: one.pricing.kind === 'FLOATING' ? premiumText(one.pricing.premium) : null,
      available: amountText(atoms(one.available), asset),
      minTotal: totalText(one.minTotal),
      maxTotal: totalText(price === undefined ? one.maxTotal : this.#mostOf(one, price)),
      paymentKinds: [...one.paymentKinds],
      payWindowMinutes: one.payWindowMs <= 15 * this.#parts.minuteMs ? 15 : 30,
      conditions: one.text.conditions,
      status: one.state,
      takeable: price !== undefined && this.#isTakeable(one),
      trader: await traders.of(one.account),
      createdTime: one.createdAt,
    };
  }

  async #own(one: Advertised): Promise<OwnOtcAdvertisement> {
    const { db, coins } = this.#parts;
    const { open } = await db
      .selectFrom('otc_order')
      .select(sql<string>`coalesce(sum(amount), 0)`.as('open'))
      .where('advertisement', '=', one.advertisement)
      .where('ended_at', 'is', null)
      .executeTakeFirstOrThrow();
    return {
      ...(await this.shown(one)),
      maxTotal: totalText(one.maxTotal),
      clientAdvertisingId: one.clientId,
      paymentMethodIds: [...one.methodIds],
      autoReply: one.text.autoReply,
      inOrders: amountText(atoms(BigInt(open)), coins.byId(assetId(one.asset))),
      updatedTime: one.updatedAt,
      version: one.version,
    };
  }

  #fits({ side, asset, currency, paymentKinds }: Advertised, query: ListQuery): boolean {
    if (query.side !== undefined && (query.side === 'BUY') !== (side === 'buy')) return false;
    if (query.coin !== undefined && this.#parts.coins.byId(assetId(asset)).code !== query.coin) return false;
    if (query.currency !== undefined && query.currency !== currency) return false;
    return query.paymentKind === undefined || paymentKinds.includes(query.paymentKind);
  }

  #isTakeable({ account, state }: Advertised): boolean {
    return state === 'PUBLISHED' && this.#parts.directory.get(account)?.flags.blocked !== true;
  }

  async #isMerchant(account: AccountId, known: Map<AccountId, boolean>): Promise<boolean> {
    const found = known.get(account) ?? (await this.#parts.traders.of(account)).merchant;
    known.set(account, found);
    return found;
  }

  /** The most that an order can be worth: rounded down, so that what is shown can be taken. */
  #mostOf({ maxTotal, available, asset }: Advertised, price: FiatPrice): Cents {
    const worth = worthOf(atoms(available), price, this.#parts.coins.byId(assetId(asset)));
    return worth < maxTotal ? worth : maxTotal;
  }

  #rows() {
    return this.#parts.db
      .selectFrom('otc_advertisement')
      .leftJoin('otc_advertisement_text', (join) =>
        join
          .onRef('otc_advertisement_text.account', '=', 'otc_advertisement.account')
          .onRef('otc_advertisement_text.client_id', '=', 'otc_advertisement.client_id'),
      )
      .selectAll('otc_advertisement')
      .select(['otc_advertisement_text.method_ids', 'otc_advertisement_text.payment_kinds', 'otc_advertisement_text.sealed']);
  }

  async #advertised(row: Row): Promise<Advertised> {
    const account = accountId(row.account);
    const text =
      row.sealed === null
        ? undefined
        : ((await opened(this.#parts.keys, account, advertisementIs(row.client_id), row.sealed)) as AdvertisementText | undefined);
    return {
      advertisement: row.advertisement,
      account,
      clientId: row.client_id,
      side: row.side === 'buy' ? 'buy' : 'sell',
      asset: row.asset,
      currency: row.currency === 'usd' ? 'usd' : 'cny',
      pricing:
        row.price === null
          ? { kind: 'FLOATING', premium: signedPpm(row.premium ?? 0) }
          : { kind: 'FIXED', price: fiatPrice(BigInt(row.price)) },
      minTotal: cents(BigInt(row.min_total)),
      maxTotal: cents(BigInt(row.max_total)),
      payWindowMs: row.pay_window_ms,
      available: BigInt(row.available),
      version: row.version,
      state: row.state as Advertised['state'],
      createdAt: row.created_at,
      updatedAt: row.updated_at,
      methodIds: row.method_ids ?? [],
      paymentKinds: (row.payment_kinds ?? []) as OtcPaymentKind[],
      text: text ?? NO_TEXT,
    };
  }
}
