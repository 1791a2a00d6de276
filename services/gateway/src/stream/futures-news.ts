/** What happened to accounts in contracts since their readers were last sent anything. */
import type { Event, Position, PositionReduced, Trade } from '@orrery/protocol';
import { marginGroupOf } from '@orrery/rules';
import { NO_ATOMS, NO_LOTS, type AccountId, type MarketId, type OrderId, type Seq } from '@orrery/units';
import type { Moment, OrderState } from '@orrery/views';
import type { Floor } from '../floor.ts';
import type { FuturesOwn, OwnMessage, OwnTrade } from './futures-own.ts';

/** The changes of one account. */
export interface News {
  readonly trades: OwnTrade[];
  readonly orders: Map<OrderId, OrderState>;
  readonly positions: Map<string, Position>;
  readonly liquidations: OwnMessage[];
  readonly twaps: Set<number>;
  /** Contracts in which it has other terms. */
  readonly terms: Set<MarketId>;
  hasBalances: boolean;
  seq: Seq;
}

export interface FuturesNewsPorts {
  readonly floor: Floor;
  readonly own: FuturesOwn;
  /** Accounts that somebody reads: of others nothing is kept. */
  readonly readers: { has(account: AccountId): boolean; keys(): Iterable<AccountId> };
}

export class FuturesNews {
  readonly #ports: FuturesNewsPorts;
  readonly #news = new Map<AccountId, News>();
  /** What the trade that follows has closed: a position is cleared before its trade is an event. */
  readonly #closed = new Map<AccountId, PositionReduced>();

  constructor(ports: FuturesNewsPorts) {
    this.#ports = ports;
  }

  /** All of it, which is then sent. */
  take(): readonly (readonly [AccountId, News])[] {
    const taken = [...this.#news];
    this.#news.clear();
    return taken;
  }

  forget(account: AccountId): void {
    this.#news.delete(account);
  }

  note(event: Event, moment: Moment, orders: readonly OrderState[]): void {
    for (const state of orders) {
      if (state.order.contract !== undefined) this.#of(state.order.account, moment)?.orders.set(state.order.orderId, state);
    }
    switch (event.type) {
      case 'Trade':
        if (this.#ports.floor.contracts.contract(event.market) !== undefined) this.#noteTrade(event, moment, orders);
        return;
      case 'PositionReduced':
        return this.#noteProfit(event);
      case 'PositionChanged':
        this.#of(event.account, moment)?.positions.set(`${event.market} ${event.positionSide}`, event);
        return;
      case 'BalanceChanged': {
        const news = event.wallet === 'futures' || event.wallet === 'coinFutures' ? this.#of(event.account, moment) : undefined;
        if (news !== undefined) news.hasBalances = true;
        return;
      }
      case 'LiquidationStep':
        this.#of(event.account, moment)?.liquidations.push(this.#ports.own.liquidation(event, moment));
        return;
      case 'TwapAccepted':
      case 'TwapAdvanced':
      case 'TwapClosed':
        this.#of(event.account, moment)?.twaps.add(event.twapId);
        return;
      default:
        this.#noteTerms(event, moment);
    }
  }

  #noteTerms(event: Event, moment: Moment): void {
    const { floor, readers } = this.#ports;
    switch (event.type) {
      case 'LeverageSet':
      case 'MarginModeSet':
      case 'AutoMarginSet':
        this.#of(event.account, moment)?.terms.add(event.market);
        return;
      case 'PositionModeSet':
        for (const { contract } of floor.contracts.contracts())
          if (marginGroupOf(contract) === event.payoff) this.#of(event.account, moment)?.terms.add(contract.market);
        return;
      case 'FeeTierSet':
        // Where a position breaks even depends on it: its figures are looked at.
        this.#of(event.account, moment);
        return;
      case 'ContractRegistered':
      case 'MarketTermsChanged':
        if (floor.contracts.contract(event.market) === undefined) return;
        for (const account of readers.keys()) this.#of(account, moment)?.terms.add(event.market);
        return;
      default:
    }
  }

  #noteTrade(trade: Trade, moment: Moment, orders: readonly OrderState[]): void {
    const note = (account: AccountId, role: OwnTrade['role'], orderId: OrderId): void => {
      const order = orders.find((state) => state.order.orderId === orderId);
      const profit = this.#closed.get(account)?.profit ?? NO_ATOMS;
      this.#of(account, moment)?.trades.push({ trade, role, order, at: moment.at, profit });
    };
    note(trade.takerAccount, 'TAKER', trade.takerOrderId);
    note(trade.makerAccount, 'MAKER', trade.makerOrderId);
    this.#closed.clear();
  }

  /** What a takeover or a deleveraging closes is in no trade; what pays a loss elsewhere closes no lots. */
  #noteProfit(reduced: PositionReduced): void {
    const isOfTrade = reduced.size > NO_LOTS && reduced.cause !== 'takeover' && reduced.cause !== 'adl';
    if (isOfTrade) this.#closed.set(reduced.account, reduced);
  }

  #of(account: AccountId, { seq }: Moment): News | undefined {
    if (!this.#ports.readers.has(account)) return undefined;
    const news = this.#news.get(account) ?? {
      trades: [],
      orders: new Map(),
      positions: new Map(),
      liquidations: [],
      twaps: new Set(),
      terms: new Set(),
      hasBalances: false,
      seq,
    };
    this.#news.set(account, news);
    news.seq = seq;
    return news;
  }
}
