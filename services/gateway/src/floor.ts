/** The current state: the views of `core/views`, updated from the heart, and the listeners to their changes. */
import { systemTimer, type Timer } from '@orrery/foundation';
import type { Applied, Asset, Event, Heart, View } from '@orrery/protocol';
import { assert, millis, seq, type AssetId, type MarketId, type Millis, type Seq } from '@orrery/units';
import {
  AccountsView,
  AdlLights,
  BalancesView,
  CandlesBefore,
  CandlesView,
  ContractsView,
  DepthView,
  MarketsView,
  InsuranceView,
  OrdersView,
  PositionsView,
  PriceRoundsView,
  TradesView,
  TwapsView,
  QuotaUsesView,
  WithdrawalCapsView,
  type ListedContract,
  type ListedMarket,
  type Moment,
  type OrderState,
} from '@orrery/views';
import { ApiError } from '@orrery/api';
import type { MarketHistory } from './ports.ts';

export interface FloorListener {
  /** After the views have taken the event in. @param orders as it left them; a closed order is passed for the last time */
  change(event: Event, moment: Moment, orders: readonly OrderState[]): void;
  /** All events that arrived together have been passed on. */
  settled(): void;
}

const NO_ORDERS: readonly OrderState[] = [];

export interface FloorOptions {
  readonly heart: Heart;
  readonly marketHistory: MarketHistory;
  /** Resolves when `marketHistory` includes this command. */
  readonly pastReaches: (seq: Seq) => Promise<void>;
  readonly onFailure: (error: unknown) => void;
  readonly timer?: Timer;
  readonly now?: () => number;
}

interface Waiter {
  readonly seq: Seq;
  readonly resolve: () => void;
}

export class Floor {
  readonly markets = new MarketsView();
  readonly accounts = new AccountsView();
  readonly balances = new BalancesView();
  readonly orders = new OrdersView();
  readonly withdrawalCaps = new WithdrawalCapsView();
  readonly quotaUses = new QuotaUsesView();
  readonly trades = new TradesView();
  readonly candles = new CandlesView();
  readonly contracts = new ContractsView();
  readonly positions = new PositionsView();
  readonly twaps = new TwapsView();
  readonly priceRounds = new PriceRoundsView();
  readonly insurance = new InsuranceView();
  /** Candles of the mark prices and of the index prices of contracts. */
  readonly markCandles = new CandlesView();
  readonly indexCandles = new CandlesView();
  readonly adlLights = new AdlLights(this);
  readonly #depths = new Map<MarketId, DepthView>();
  readonly #listedAt = new Map<MarketId, Millis>();
  /** Iterated at every event: an array, replaced when a listener is added or removed. */
  #listeners: readonly FloorListener[] = [];
  readonly #waiters = new Set<Waiter>();
  readonly #view: View;
  readonly #timer: Timer;
  #seq: Seq;
  #at = millis(0);
  #ended: Promise<void> | undefined;
  #isFollowing = true;

  private constructor(view: View, timer: Timer) {
    this.#view = view;
    this.#timer = timer;
    this.#seq = view.seq;
  }

  /** Loads the present facts and the markets' past, then follows. `onFailure` is called when following ends by a failure. */
  static async open(options: FloorOptions): Promise<Floor> {
    const floor = new Floor(options.heart.open(), options.timer ?? systemTimer);
    for (const event of floor.#view.facts) floor.#fold(event, { seq: floor.#seq, at: floor.#at });
    // No start waits for it, and damage there is found by those who need the whole of history.
    void floor.#readListing(options.heart).catch(() => undefined);
    await options.pastReaches(floor.#seq);
    for (const { market } of floor.markets.markets()) {
      floor.candles.preload(market.market, await options.marketHistory.minutes(market));
      floor.trades.preload(await options.marketHistory.trades(market));
    }
    for (const { contract } of floor.contracts.contracts()) {
      const minutes = await options.marketHistory.contractMinutes(contract);
      const common = new CandlesBefore(minutes.common);
      floor.candles.preload(contract.market, minutes.trades, common);
      floor.markCandles.preload(contract.market, minutes.mark, common);
      floor.indexCandles.preload(contract.market, minutes.index, common);
      floor.trades.preload(await options.marketHistory.trades(contract));
    }
    floor.#ended = floor
      .#follow()
      .catch(options.onFailure)
      .finally(() => (floor.#isFollowing = false));
    return floor;
  }

  get seq(): Seq {
    return this.#seq;
  }

  /** False when the heart has stopped: the views are then out of date. */
  get isFollowing(): boolean {
    return this.#isFollowing;
  }

  /** Of the last command. */
  get at(): Millis {
    return this.#at;
  }

  depth(market: MarketId): DepthView {
    const depth = this.#depths.get(market);
    assert(depth !== undefined, `market ${market} is listed and has a depth`);
    return depth;
  }

  /** The asset of a fact. */
  asset(asset: AssetId): Asset {
    const found = this.markets.asset(asset);
    assert(found !== undefined, `asset ${asset} was registered before it was used`);
    return found;
  }

  listed(market: MarketId): ListedMarket {
    const found = this.markets.market(market);
    assert(found !== undefined, `market ${market} was registered before it was used`);
    return found;
  }

  listedContract(market: MarketId): ListedContract {
    const found = this.contracts.contract(market);
    assert(found !== undefined, `contract ${market} was registered before it was used`);
    return found;
  }

  /** When the market was registered; until the first commands of history are read, the time of the last command. */
  listedAt(market: MarketId): Millis {
    return this.#listedAt.get(market) ?? this.#at;
  }

  listen(listener: FloorListener): () => void {
    this.#listeners = [...this.#listeners, listener];
    return () => {
      this.#listeners = this.#listeners.filter((known) => known !== listener);
    };
  }

  /** Resolves when the views include `minSeq`; throws when that takes longer than `withinMs`. */
  reached(minSeq: number | undefined, withinMs: number): Promise<void> {
    if (minSeq === undefined || minSeq <= this.#seq) return Promise.resolve();
    const wanted = seq(minSeq);
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        seq: wanted,
        resolve: () => {
          takeBack();
          resolve();
        },
      };
      const takeBack = this.#timer(() => {
        this.#waiters.delete(waiter);
        reject(new ApiError('NotNow', { retryAfterSeconds: 1, message: 'minSeq is not reached yet' }));
      }, withinMs);
      this.#waiters.add(waiter);
    });
  }

  async close(): Promise<void> {
    this.#view.close();
    await this.#ended;
  }

  /**
   * Facts do not say when a market was registered: the first commands of history do. One that was listed after them counts
   * from the beginning of history: no more of it is read at a start.
   */
  async #readListing(heart: Heart): Promise<void> {
    if (this.#seq === 0) return;
    for await (const first of heart.subscribe(seq(0))) {
      const listed = [...this.markets.markets().map(({ market }) => market), ...this.contracts.contracts().map(({ contract }) => contract)];
      for (const { market } of listed) this.#listedAt.set(market, first[0]?.at ?? this.#at);
      for (const { events, at } of first) {
        for (const event of events) {
          if (event.type === 'MarketRegistered' || event.type === 'ContractRegistered') this.#listedAt.set(event.market, at);
        }
      }
      return;
    }
  }

  async #follow(): Promise<void> {
    for await (const batch of this.#view.tail) {
      for (const applied of batch) this.#advance(applied);
      for (const listener of this.#listeners) listener.settled();
      this.#wake();
    }
  }

  #advance(applied: Applied): void {
    this.priceRounds.apply(applied);
    for (const event of applied.events) {
      const orders = this.#fold(event, applied);
      for (const listener of this.#listeners) listener.change(event, applied, orders);
    }
    this.#seq = applied.seq;
    this.#at = applied.at;
  }

  /**
   * Each view receives only its own events: almost all of history is orders and their results.
   * @returns the orders that changed
   */
  #fold(event: Event, moment: Moment): readonly OrderState[] {
    switch (event.type) {
      case 'BalanceChanged':
        this.balances.apply(event);
        return NO_ORDERS;
      case 'OrderAccepted':
      case 'OrderArmed':
      case 'OrderTriggered':
      case 'TriggerAmended':
      case 'TriggerStalled':
        return this.orders.apply(event, moment);
      case 'OrderRested':
      case 'OrderReduced':
      case 'OrderAmended':
      case 'OrderClosed':
        this.depth(event.market).apply(event);
        return this.orders.apply(event, moment);
      case 'Trade':
        this.depth(event.market).apply(event);
        this.candles.apply(event, moment);
        this.markets.apply(event, moment);
        this.contracts.apply(event, moment);
        this.trades.apply(event, moment);
        return this.orders.apply(event, moment);
      case 'PricesSet':
        this.contracts.apply(event, moment);
        // Facts name no time: the minutes of before are read from history.
        if (moment.at === 0) return NO_ORDERS;
        this.markCandles.mark(event.market, event.mark, moment.at);
        this.indexCandles.mark(event.market, event.index, moment.at);
        return NO_ORDERS;
      case 'PositionChanged':
        this.positions.apply(event);
        return NO_ORDERS;
      default:
        if (event.type === 'MarketRegistered' || event.type === 'ContractRegistered') {
          this.#depths.set(event.market, new DepthView(event.market));
          this.#listedAt.set(event.market, moment.at);
        }
        this.accounts.apply(event);
        this.withdrawalCaps.apply(event);
        this.quotaUses.apply(event);
        this.markets.apply(event, moment);
        this.contracts.apply(event, moment);
        this.positions.apply(event);
        this.twaps.apply(event, moment);
        this.insurance.apply(event);
        return NO_ORDERS;
    }
  }

  #wake(): void {
    for (const waiter of this.#waiters) {
      if (waiter.seq > this.#seq) continue;
      this.#waiters.delete(waiter);
      waiter.resolve();
    }
  }
}
