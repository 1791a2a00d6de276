/** Private streams of contracts: everything an account has, then every change of it, to those who have its listen key. */
import type { Liquidation, PrivateFuturesTopic, Principal } from '@orrery/api';
import type { Event, LiquidationStep, Position, PositionReduced, Trade } from '@orrery/protocol';
import { addAtoms, NO_ATOMS, NO_TICKS, printAtoms, printLots, type AccountId, type Atoms, type OrderId, type Seq } from '@orrery/units';
import type { Moment, OrderState } from '@orrery/views';
import type { Floor, FloorListener } from '../floor.ts';
import { settleOf } from '../futures/contract-listing.ts';
import { futuresBalancesOf } from '../futures/futures-account.ts';
import { priceIn } from '../futures/futures-market.ts';
import { futuresFillOf, futuresOrderText, POSITION_SIDE_NAMES } from '../futures/futures-order-text.ts';
import { positionText } from '../futures/position-text.ts';
import type { Connection } from './connection.ts';
import { textFrames } from './frame.ts';

interface OwnTrade {
  readonly trade: Trade;
  readonly role: 'TAKER' | 'MAKER';
  readonly order: OrderState | undefined;
  readonly at: number;
  /** Settle atoms realised by it: said by what follows the trade. */
  profit: Atoms;
}

/** The changes of one account since its last message. */
interface News {
  readonly trades: OwnTrade[];
  readonly orders: Map<OrderId, OrderState>;
  readonly positions: Map<string, Position>;
  readonly liquidations: Liquidation[];
  hasBalances: boolean;
  seq: Seq;
}

interface Told {
  readonly topic: PrivateFuturesTopic;
  /** As the push is named. */
  readonly name: string;
  readonly data: string;
}

const STAGES = { orderBook: 'ORDER_BOOK', takeover: 'TAKE_OVER', adl: 'ADL' } as const;

export class FuturesPrivate implements FloorListener {
  readonly #floor: Floor;
  readonly #readers = new Map<AccountId, Map<Connection, Set<PrivateFuturesTopic>>>();
  readonly #news = new Map<AccountId, News>();

  constructor(floor: Floor) {
    this.#floor = floor;
  }

  /** The connection is this reader's from now on: the caller has checked that it is nobody else's. */
  subscribe(connection: Connection, reader: Principal, topic: PrivateFuturesTopic): void {
    connection.reader = reader;
    const readers = this.#readers.get(reader.account) ?? new Map<Connection, Set<PrivateFuturesTopic>>();
    this.#readers.set(reader.account, readers);
    readers.set(connection, (readers.get(connection) ?? new Set()).add(topic));
  }

  /** Everything there is of one topic, and the mark that what follows are changes. */
  tellWhole(connection: Connection, { account }: Principal, topic: PrivateFuturesTopic): void {
    const ready = { topic, name: 'ready', data: JSON.stringify({ topic }) };
    this.#tell(connection, [...this.#present(account, topic), ready], this.#floor.seq);
  }

  /** Without a topic, all of them. */
  unsubscribe(connection: Connection, topic?: PrivateFuturesTopic): void {
    const account = connection.reader?.account;
    const readers = account === undefined ? undefined : this.#readers.get(account);
    if (account === undefined || readers === undefined) return;
    const topics = readers.get(connection);
    if (topic === undefined) topics?.clear();
    else topics?.delete(topic);
    if (topics === undefined || topics.size > 0) return;
    readers.delete(connection);
    connection.reader = undefined;
    if (readers.size > 0) return;
    this.#readers.delete(account);
    this.#news.delete(account);
  }

  change(event: Event, moment: Moment, orders: readonly OrderState[]): void {
    if (this.#readers.size === 0) return;
    for (const state of orders) {
      if (state.order.contract !== undefined) this.#newsOf(state.order.account, moment.seq)?.orders.set(state.order.orderId, state);
    }
    switch (event.type) {
      case 'Trade':
        if (this.#floor.contracts.contract(event.market) !== undefined) this.#noteTrade(event, moment, orders);
        return;
      case 'PositionReduced':
        this.#noteProfit(event);
        return;
      case 'PositionChanged':
        this.#newsOf(event.account, moment.seq)?.positions.set(`${event.market} ${event.positionSide}`, event);
        return;
      case 'BalanceChanged': {
        if (event.wallet !== 'futures' && event.wallet !== 'coinFutures') return;
        const news = this.#newsOf(event.account, moment.seq);
        if (news !== undefined) news.hasBalances = true;
        return;
      }
      case 'LiquidationStep':
        this.#newsOf(event.account, moment.seq)?.liquidations.push(this.#liquidation(event, moment));
        return;
      default:
    }
  }

  settled(): void {
    for (const [account, news] of this.#news) {
      const open = this.#floor.orders.open(account);
      const told: Told[] = [
        ...news.liquidations.map((step) => own('liquidation', step)),
        ...news.trades.map((trade) => this.#trade(trade)),
        ...[...news.orders.values()].map((state) => own('order', futuresOrderText(this.#floor, state, { open }))),
        ...[...news.positions.values()].map((position) => this.#position(position)),
        ...(news.hasBalances || news.positions.size > 0 ? this.#present(account, 'balance') : []),
      ];
      for (const connection of this.#readers.get(account)?.keys() ?? []) this.#tell(connection, told, news.seq);
    }
    this.#news.clear();
  }

  #noteTrade(trade: Trade, { seq, at }: Moment, orders: readonly OrderState[]): void {
    const note = (account: AccountId, role: OwnTrade['role'], orderId: OrderId): void => {
      const order = orders.find((state) => state.order.orderId === orderId);
      this.#newsOf(account, seq)?.trades.push({ trade, role, order, at, profit: NO_ATOMS });
    };
    note(trade.takerAccount, 'TAKER', trade.takerOrderId);
    note(trade.makerAccount, 'MAKER', trade.makerOrderId);
  }

  /** What a trade closed is said after it. */
  #noteProfit({ account, market, price, profit }: PositionReduced): void {
    const trade = this.#news.get(account)?.trades.findLast((each) => each.trade.market === market && each.trade.price === price);
    if (trade !== undefined) trade.profit = addAtoms(trade.profit, profit);
  }

  #newsOf(account: AccountId, seq: Seq): News | undefined {
    if (!this.#readers.has(account)) return undefined;
    const news = this.#news.get(account) ?? {
      trades: [],
      orders: new Map(),
      positions: new Map(),
      liquidations: [],
      hasBalances: false,
      seq,
    };
    this.#news.set(account, news);
    news.seq = seq;
    return news;
  }

  #present(account: AccountId, topic: PrivateFuturesTopic): Told[] {
    switch (topic) {
      case 'order': {
        const open = this.#floor.orders.open(account);
        return open
          .filter(({ order }) => order.contract !== undefined)
          .map((state) => own('order', futuresOrderText(this.#floor, state, { open })));
      }
      case 'position':
        return this.#floor.positions.of(account).map((position) => this.#position(position));
      case 'balance':
        return futuresBalancesOf(this.#floor, account).map((balance) => own('balance', balance));
      default:
        return [];
    }
  }

  #position(position: Position): Told {
    return own('position', positionText(this.#floor, position, this.#floor.listedContract(position.market)));
  }

  #trade({ trade, role, order, at, profit }: OwnTrade): Told {
    const { contract } = this.#floor.listedContract(trade.market);
    const fill = futuresFillOf(
      {
        trade,
        account: role === 'TAKER' ? trade.takerAccount : trade.makerAccount,
        role,
        clientOrderId: order?.order.clientOrderId ?? '',
        at,
      },
      {
        contract,
        settle: settleOf(this.#floor, contract),
        positionSide: order?.order.contract?.positionSide ?? 'both',
        closeProfit: profit,
      },
    );
    return { topic: 'trade', name: 'own_trade', data: JSON.stringify(fill) };
  }

  #liquidation(step: LiquidationStep, { seq, at }: Moment): Liquidation {
    const { contract } = this.#floor.listedContract(step.market);
    const settle = settleOf(this.#floor, contract);
    const money = (amount: Atoms): string => printAtoms(amount, settle.decimals);
    const price = priceIn(contract);
    return {
      id: `${seq}:${step.liquidationId}`,
      liquidationId: String(step.liquidationId),
      symbol: contract.symbol,
      positionSide: POSITION_SIDE_NAMES[step.positionSide],
      stage: STAGES[step.stage],
      markPrice: price(step.mark) ?? '0',
      equity: money(step.equity),
      maintenanceMargin: money(step.maintenance),
      size: printLots(step.size, contract.sizePrecision),
      price: step.price === NO_TICKS ? null : price(step.price),
      fromMargin: money(step.fromMargin),
      fromLiquidator: money(step.fromLiquidator),
      fromInsurance: money(step.fromInsurance),
      uncovered: money(step.uncovered),
      settleCoin: settle.code,
      createdTime: at,
    };
  }

  /** The data is printed once; only the number differs between the account's connections. */
  #tell(connection: Connection, told: readonly Told[], seq: Seq): void {
    const account = connection.reader?.account;
    const topics = account === undefined ? undefined : this.#readers.get(account)?.get(connection);
    const wanted = told.filter(({ topic }) => topics?.has(topic) === true);
    if (wanted.length === 0) return;
    connection.write(
      textFrames(
        wanted.map(({ name, data }) => {
          connection.n += 1;
          return `{"topic":"${name}","n":${connection.n},"seq":${seq},"data":${data}}`;
        }),
      ),
    );
  }
}

const own = (topic: PrivateFuturesTopic, data: unknown): Told => ({ topic, name: topic, data: JSON.stringify(data) });
