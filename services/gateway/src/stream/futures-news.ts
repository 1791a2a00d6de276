/** What happened to accounts in contracts since their readers were last sent anything. */
import type { Event, Position, PositionReduced, Trade } from '@orrery/protocol';
import { marginGroupOf } from '@orrery/rules';
import { NO_ATOMS, NO_LOTS, seq, type AccountId, type MarketId, type OrderId, type Seq } from '@orrery/units';
import type { Moment, OrderState } from '@orrery/views';
import type { Floor } from '../floor.ts';
import { AccountLog, type Missed } from './account-log.ts';
import type { Happening, OwnTrade } from './futures-own.ts';

/** The changes of one account. */
export interface News {
  /** In the order in which it happened. */
  readonly happenings: Happening[];
  readonly orders: Map<OrderId, OrderState>;
  readonly positions: Map<string, Position>;
  readonly twaps: Set<number>;
  /** Contracts in which it has other terms. */
  readonly terms: Set<MarketId>;
  hasBalances: boolean;
  seq: Seq;
}

export interface FuturesNewsPorts {
  readonly floor: Floor;
  /** Accounts that somebody reads: of others only the log is kept. */
  readonly readers: Pick<ReadonlyMap<AccountId, unknown>, 'has' | 'keys' | 'size'>;
}

/** Called with every event, in its order. */
export class FuturesNews {
  readonly #ports: FuturesNewsPorts;
  readonly #news = new Map<AccountId, News>();
  readonly #log: AccountLog<Happening>;
  /** Of the newest event, within its command. */
  readonly #place = { seq: 0, number: 0 };
  /** What the trade that follows has closed: a position is cleared before its trade is an event. */
  readonly #closed = new Map<AccountId, PositionReduced>();

  constructor(ports: FuturesNewsPorts) {
    this.#ports = ports;
    this.#log = new AccountLog(seq(ports.floor.seq + 1));
  }

  /** What happened to the account in these commands, as far back as it is kept. */
  missed(account: AccountId, from: number, isWanted: (happening: Happening) => boolean): Missed<Happening> {
    return this.#log.of(account, from, isWanted);
  }

  /** Up to where its readers may say that they have heard everything. */
  heardOf(account: AccountId): Seq {
    return this.#news.get(account)?.happenings[0]?.seq ?? this.#ports.floor.seq;
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
    this.#count(moment);
    this.#happen(event, moment, orders);
    if (this.#ports.readers.size === 0) return;
    for (const state of orders) {
      if (state.order.contract !== undefined) this.#of(state.order.account, moment)?.orders.set(state.order.orderId, state);
    }
    switch (event.type) {
      case 'PositionChanged':
        this.#of(event.account, moment)?.positions.set(`${event.market} ${event.positionSide}`, event);
        return;
      case 'BalanceChanged': {
        const news = event.wallet === 'futures' || event.wallet === 'coinFutures' ? this.#of(event.account, moment) : undefined;
        if (news !== undefined) news.hasBalances = true;
        return;
      }
      case 'TwapAccepted':
      case 'TwapAdvanced':
      case 'TwapClosed':
        this.#of(event.account, moment)?.twaps.add(event.twapId);
        return;
      default:
        this.#noteTerms(event, moment);
    }
  }

  #count({ seq: at }: Moment): void {
    this.#place.number = at === this.#place.seq ? this.#place.number + 1 : 0;
    this.#place.seq = at;
  }

  /** Whether somebody reads or not: who comes later may lack it. */
  #happen(event: Event, moment: Moment, orders: readonly OrderState[]): void {
    if (event.type === 'Trade' && this.#ports.floor.contracts.contract(event.market) !== undefined) this.#noteTrade(event, moment, orders);
    else if (event.type === 'PositionReduced') this.#noteProfit(event);
    else if (event.type === 'LiquidationStep')
      this.#keep({ account: event.account, step: event, place: this.#place.number, seq: moment.seq, at: moment.at });
  }

  #keep(happening: Happening): void {
    this.#log.note(happening);
    this.#of(happening.account, happening)?.happenings.push(happening);
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
      const order = orders.find((state) => state.order.orderId === orderId)?.order;
      const profit = this.#closed.get(account)?.profit ?? NO_ATOMS;
      const { clientOrderId = '', contract: { positionSide } = { positionSide: 'both' as const } } = order ?? {};
      this.#keep({ account, trade, role, clientOrderId, positionSide, profit, seq: moment.seq, at: moment.at });
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

  #of(account: AccountId, { seq: newest }: Pick<Moment, 'seq'>): News | undefined {
    if (!this.#ports.readers.has(account)) return undefined;
    const news = this.#news.get(account) ?? {
      happenings: [],
      orders: new Map(),
      positions: new Map(),
      twaps: new Set(),
      terms: new Set(),
      hasBalances: false,
      seq: newest,
    };
    this.#news.set(account, news);
    news.seq = newest;
    return news;
  }
}
