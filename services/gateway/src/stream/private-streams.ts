/** Private streams: everything an account has, then every change of it, to those who proved that it is theirs. */
import type { Principal, SiteMessage } from '@orrery/api';
import { type AccountId, type OrderId, type Seq, seq } from '@orrery/units';
import type { Event, Trade } from '@orrery/protocol';
import type { Moment, OrderState, WalletBalance } from '@orrery/views';
import { estimateBy } from '../orders/estimate.ts';
import type { Floor, FloorListener } from '../floor.ts';
import { listingOf } from '../market-data/listing.ts';
import type { AccountNews, MessageNews } from '../ports.ts';
import { balanceOf, type TradeSide, userBalanceOf, userOrderOf, userTradeOf } from '../market-data/wire.ts';
import { AccountLog } from './account-log.ts';
import type { Connection } from './connection.ts';
import { textFrames } from './frame.ts';

interface NumberedSide extends TradeSide {
  readonly seq: Seq;
}

/** The changes of one account since its last message: the newest state of each order and balance, and every trade. */
interface News {
  readonly trades: NumberedSide[];
  readonly orders: Map<OrderId, OrderState>;
  readonly balances: Map<string, WalletBalance>;
  seq: Seq;
}

interface OwnMessage {
  readonly resType: string;
  readonly data: string;
  /** Of the command that caused it, where that is not the one of all messages that go together. */
  readonly seq?: Seq;
}

export class PrivateStreams implements FloorListener {
  readonly #floor: Floor;
  readonly #readers = new Map<AccountId, Set<Connection>>();
  readonly #news = new Map<AccountId, News>();
  readonly #log: AccountLog<NumberedSide>;

  constructor(floor: Floor) {
    this.#floor = floor;
    this.#log = new AccountLog(seq(floor.seq + 1));
  }

  countOf(account: AccountId): number {
    return this.#readers.get(account)?.size ?? 0;
  }

  subscribe(connection: Connection, reader: Principal): void {
    this.unsubscribe(connection);
    connection.reader = reader;
    connection.n = 0;
    const readers = this.#readers.get(reader.account) ?? new Set();
    this.#readers.set(reader.account, readers.add(connection));
  }

  /** Everything there is, and the mark that what follows are changes; before it the trades of these commands and later ones, which the reader may lack. */
  sendWhole(connection: Connection, { account }: Principal, from?: number): void {
    const balances = this.#floor.balances.of(account).filter(({ free, held }) => free > 0n || held > 0n);
    const messages = [
      ...(from === undefined ? [] : this.#missed(account, from)),
      ...balances.flatMap((balance) => this.#balanceData(balance)),
      ...this.#floor.orders
        .open(account)
        .filter(({ order }) => order.contract === undefined)
        .map((order) => this.#orderData(order)),
      { resType: 'uReady', data: 'null' },
    ];
    this.#send(connection, messages, this.#floor.seq);
  }

  #missed(account: AccountId, wanted: number): OwnMessage[] {
    const { from, items } = this.#log.of(account, wanted);
    const gap = { resType: 'uGap', data: JSON.stringify({ from: wanted, to: from }), seq: seq(wanted) };
    return [...(from > wanted ? [gap] : []), ...items.map((side) => this.#tradeData(side))];
  }

  sendNews(news: AccountNews | MessageNews): void {
    if (news.resType !== 'znxMessage') return this.#sendToAccount(news.account, news);
    const allScope = news.account === 'everybody';
    const accounts = news.account === 'everybody' ? [...this.#readers.keys()] : [news.account];
    for (const account of accounts) {
      const data: SiteMessage = { ...news.data, allScope, userId: String(account), read: false };
      this.#sendToAccount(account, { resType: news.resType, data });
    }
  }

  #sendToAccount(account: AccountId, { resType, data }: { resType: string; data: unknown }): void {
    const messages = [{ resType, data: JSON.stringify(data) }];
    // Trades that wait to be sent come after it: a stream that goes on from its number must not lack them.
    const at = this.#news.get(account)?.trades[0]?.seq ?? this.#floor.seq;
    for (const connection of this.#readers.get(account) ?? []) this.#send(connection, messages, at);
  }

  unsubscribe(connection: Connection): void {
    const { reader } = connection;
    if (reader === undefined) return;
    const readers = this.#readers.get(reader.account);
    readers?.delete(connection);
    if (readers?.size === 0) {
      this.#readers.delete(reader.account);
      this.#news.delete(reader.account);
    }
    connection.reader = undefined;
  }

  change(event: Event, moment: Moment, orders: readonly OrderState[]): void {
    // The streams of contracts say what happens in contracts.
    if (event.type === 'Trade' && this.#floor.contracts.contract(event.market) !== undefined) return;
    if (event.type === 'Trade') {
      const sides = sidesOf(event, moment, orders);
      this.#log.note(...sides);
      for (const side of sides) this.#newsOf(side.account, moment.seq)?.trades.push(side);
    }
    if (this.#readers.size === 0) return;
    for (const state of orders) {
      if (state.order.contract === undefined) this.#newsOf(state.order.account, moment.seq)?.orders.set(state.order.orderId, state);
    }
    if (event.type === 'BalanceChanged') this.#newsOf(event.account, moment.seq)?.balances.set(`${event.wallet} ${event.asset}`, event);
  }

  settled(): void {
    for (const [account, news] of this.#news) {
      const messages = [
        ...news.trades.map((side) => this.#tradeData(side)),
        ...[...news.orders.values()].map((state) => this.#orderData(state)),
        ...[...news.balances.values()].flatMap((balance) => this.#balanceData(balance)),
      ];
      for (const connection of this.#readers.get(account) ?? []) this.#send(connection, messages, news.seq);
    }
    this.#news.clear();
  }

  #newsOf(account: AccountId, at: Seq): News | undefined {
    if (!this.#readers.has(account)) return undefined;
    const news = this.#news.get(account) ?? { trades: [], orders: new Map(), balances: new Map(), seq: at };
    this.#news.set(account, news);
    news.seq = at;
    return news;
  }

  /** The data is printed once; only the number differs between the account's connections. */
  #send(connection: Connection, messages: readonly OwnMessage[], newest: Seq): void {
    connection.write(
      textFrames(
        messages.map(({ resType, data, seq: own = newest }) => {
          connection.n += 1;
          return `{"resType":"${resType}","n":${connection.n},"seq":${own},"data":${data}}`;
        }),
      ),
    );
  }

  #tradeData(side: NumberedSide): OwnMessage {
    const listing = listingOf(this.#floor, this.#floor.listed(side.trade.market).market);
    return { resType: 'uTrade', data: JSON.stringify(userTradeOf(side, listing)), seq: side.seq };
  }

  #orderData(state: OrderState): { resType: string; data: string } {
    const listing = listingOf(this.#floor, this.#floor.listed(state.order.market).market);
    return { resType: 'uOrder', data: JSON.stringify(userOrderOf(state, listing)) };
  }

  #balanceData(balance: WalletBalance): { resType: string; data: string }[] {
    const asset = this.#floor.asset(balance.asset);
    if (asset.kind !== 'chain') return [];
    return [{ resType: 'uBalance', data: JSON.stringify(userBalanceOf(balanceOf(balance, asset, estimateBy(this.#floor)))) }];
  }
}

function sidesOf(trade: Trade, { seq: at, at: time }: Moment, orders: readonly OrderState[]): readonly NumberedSide[] {
  const nameOf = (orderId: OrderId): string => orders.find(({ order }) => order.orderId === orderId)?.order.clientOrderId ?? '';
  const { takerAccount, takerOrderId, makerAccount, makerOrderId } = trade;
  return [
    { trade, account: takerAccount, role: 'TAKER', clientOrderId: nameOf(takerOrderId), at: time, seq: at },
    { trade, account: makerAccount, role: 'MAKER', clientOrderId: nameOf(makerOrderId), at: time, seq: at },
  ];
}
