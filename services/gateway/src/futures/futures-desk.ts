/** Takes the commands of contracts in the words of the public contract. Every method rejects with an `ApiError` what is refused. */
import { randomUUID } from 'node:crypto';
import {
  ApiError,
  SUCCESS,
  type BatchItem,
  type CancelFuturesOrder,
  type CloseAllPositions,
  type ClosingItem,
  type CreateFuturesOrder,
  type CreatePlan,
  type CreateProfitStop,
  type CreateTwap,
  type Protection,
  type ReversePosition,
  type SetProtection,
  type UpdateFuturesOrder,
  type UpdateProfitStop,
} from '@orrery/api';
import type { CloseAllMode, Command, Heart, MarginGroup, OrderSource, PositionClosing, Receipt } from '@orrery/protocol';
import { DEFAULT_SLIPPAGE_PPM, marginGroupOf } from '@orrery/rules';
import {
  AssertionError,
  lots,
  millis,
  printDecimal,
  printLots,
  seq,
  type AccountId,
  type MarketId,
  type OrderId,
  type Seq,
} from '@orrery/units';
import type { OrderState } from '@orrery/views';
import type { Floor } from '../floor.ts';
import { refusalOf } from '../http/refuse.ts';
import { cancelsWeigh } from '../limits/limits.ts';
import type { Answered } from '../orders/order-desk.ts';
import { cancelOrder, orderIdOf } from '../orders/parse-order.ts';
import type { ReadBarrier } from '../orders/read-barrier.ts';
import { amendedOrder, tookEffect } from '../orders/receipt.ts';
import { eachOf, placedTogether, tookEffectTogether } from '../orders/together.ts';
import { contractNamed, GROUPS_OF } from './contract-listing.ts';
import { isProfitStop, POSITION_SIDE_NAMES } from './futures-order-text.ts';
import {
  amendContractOrder,
  amendTrigger,
  CONTRACT_FIELDS,
  placeContractOrder,
  placePlan,
  placeProfitStops,
  placeTwap,
  POSITION_SIDES,
  PROTECTION_FIELDS,
  reversal,
  setProtection,
} from './parse-contract-order.ts';
import { leftText } from './stall-text.ts';

const CLOSE_MODES = { MARKET: 'market', LIMIT_AT_MID: 'limitAtMid' } as const satisfies Record<string, CloseAllMode>;

/** Which open orders a call means. */
export interface Wanted {
  readonly symbol: string | undefined;
  readonly isWanted: (state: OrderState) => boolean;
  /** Charges what they weigh before any is cancelled. */
  readonly weigh: (items: number) => void;
}

/** What an order that reverses a position was placed for; null of one that was placed before. */
interface Reversed {
  readonly orderId: string;
  readonly positionQty: string | null;
  readonly origQty: string | null;
}

export class FuturesDesk {
  readonly #heart: Heart;
  readonly #floor: Floor;
  readonly #barrier: ReadBarrier;

  constructor(ports: { heart: Heart; floor: Floor; barrier: ReadBarrier }) {
    this.#heart = ports.heart;
    this.#floor = ports.floor;
    this.#barrier = ports.barrier;
  }

  /** What a command did, where it took effect. @param names of its fields, as the caller knows them */
  async give(command: Command, names: Readonly<Record<string, string>> = CONTRACT_FIELDS): Promise<Receipt> {
    return tookEffect(this.#floor, await this.#heart.submit(command), names);
  }

  async create(account: AccountId, body: CreateFuturesOrder): Promise<Answered<string>> {
    return acceptedOrder(await this.give(placeContractOrder(this.#floor, account, body)));
  }

  createEach(account: AccountId, orders: readonly CreateFuturesOrder[]): Promise<Answered<BatchItem[]>> {
    return this.#each(orders, (body) => placeContractOrder(this.#floor, account, body), acceptedOrder);
  }

  /** All of them, or none. */
  async createTogether(account: AccountId, bodies: readonly CreateFuturesOrder[]): Promise<Answered<BatchItem[]>> {
    const orders = eachOf('orders', bodies, (body) => placeContractOrder(this.#floor, account, body));
    const receipt = await this.#heart.submit({ type: 'PlaceOrders', account, orders });
    return placedTogether(tookEffectTogether(this.#floor, receipt, { list: 'orders', names: CONTRACT_FIELDS }));
  }

  async update(account: AccountId, body: UpdateFuturesOrder): Promise<Answered<string>> {
    if (body.price === undefined && body.origQty === undefined) throw new ApiError('MissingField', { field: 'price' });
    const state = await this.own(account, orderIdOf(body.orderId), 'orderId');
    const command = amendContractOrder(this.#floor, state, body);
    return amendedOrder(await this.give(command), command.orderId);
  }

  async cancel(account: AccountId, body: CancelFuturesOrder): Promise<Answered<string>> {
    return closedOrder(await this.give(cancelOrder(account, body)));
  }

  /** Of an order that the caller names by another field: a plan, or a profit-stop. */
  async cancelWaiting(
    account: AccountId,
    named: { text: string; field: string; sources: readonly OrderSource[] },
  ): Promise<Answered<string>> {
    const { text, field, sources } = named;
    const { order } = await this.own(account, orderIdOf(text, field), field);
    if (order.contract === undefined || !sources.includes(order.contract.source)) throw new ApiError('UnknownOrder', { field });
    return closedOrder(await this.give(cancelOrder(account, { orderId: text })));
  }

  /** The orders that are open now; one that closes meanwhile is left out of the answer. */
  async cancelWanted(account: AccountId, { symbol, isWanted, weigh }: Wanted): Promise<Answered<string[]>> {
    const market: MarketId | undefined = symbol === undefined ? undefined : contractNamed(this.#floor, symbol).contract.market;
    await this.upToDate();
    const orders = this.#floor.orders
      .open(account)
      .filter((state) => state.order.contract !== undefined && (market === undefined || state.order.market === market) && isWanted(state));
    weigh(cancelsWeigh(orders.length));
    const { seq: at, data } = await this.#each(
      orders,
      ({ order }) => cancelOrder(account, { orderId: String(order.orderId) }),
      closedOrder,
    );
    return { seq: at, data: data.flatMap((item) => item.data ?? []) };
  }

  async createPlan(account: AccountId, body: CreatePlan): Promise<Answered<string>> {
    return acceptedOrder(await this.give(placePlan(this.#floor, account, body)));
  }

  async createProfitStops(account: AccountId, body: CreateProfitStop): Promise<Answered<BatchItem[]>> {
    const { market } = contractNamed(this.#floor, body.symbol).contract;
    await this.upToDate();
    const positionSide = POSITION_SIDES[body.positionSide ?? 'BOTH'];
    const position = this.#floor.positions.get({ account, market, positionSide });
    if (position === undefined) throw new ApiError('UnknownPosition', { field: 'positionSide' });
    const orders = placeProfitStops(this.#floor, account, { body, isLong: position.size > 0 });
    return this.#each(orders, (order) => order, acceptedOrder);
  }

  async updateProfitStop(account: AccountId, body: UpdateProfitStop): Promise<Answered<string>> {
    const state = await this.own(account, orderIdOf(body.profitId, 'profitId'), 'profitId');
    if (!isProfitStop(state)) throw new ApiError('UnknownOrder', { field: 'profitId' });
    const triggerPrice = body.triggerProfitPrice === undefined ? 'triggerStopPrice' : 'triggerProfitPrice';
    const { seq: at } = await this.give(amendTrigger(this.#floor, state, body), { ...CONTRACT_FIELDS, triggerPrice });
    return { seq: at, data: body.profitId };
  }

  /** Of the same call again what stands now. */
  async setProtection(account: AccountId, body: SetProtection): Promise<Answered<Protection>> {
    const command = setProtection(this.#floor, account, body, body.key ?? randomUUID());
    const { seq: at, events } = await this.give(command, PROTECTION_FIELDS);
    const set = events.find((event) => event.type === 'ProtectionSet');
    if (set !== undefined) return { seq: at, data: { profitId: idOrNull(set.takeProfit), stopId: idOrNull(set.stopLoss) } };
    await this.upToDate();
    const standing = this.#floor.orders.open(account).filter(({ order: { market, contract } }) => {
      const isOfScope = contract?.closePosition === (command.scope === 'whole');
      return market === command.market && contract?.positionSide === command.positionSide && isOfScope;
    });
    const idOf = (source: OrderSource): OrderId | 0 =>
      standing.findLast((state) => isProfitStop(state) && state.order.contract?.source === source)?.order.orderId ?? 0;
    return { seq: at, data: { profitId: idOrNull(idOf('takeProfit')), stopId: idOrNull(idOf('stopLoss')) } };
  }

  async closeAll(account: AccountId, { mode, underlyingType, key }: CloseAllPositions): Promise<Answered<ClosingItem[]>> {
    const payoff = underlyingType === undefined ? 'any' : GROUPS_OF[underlyingType];
    const { seq: at, events } = await this.give({
      type: 'CloseAllPositions',
      account,
      payoff,
      mode: CLOSE_MODES[mode ?? 'MARKET'],
      key: key ?? randomUUID(),
    });
    const closed = events.find((event) => event.type === 'PositionsClosed');
    if (closed !== undefined) return { seq: at, data: closed.closings.map((closing) => this.#closingItem(closing)) };
    await this.upToDate();
    return { seq: at, data: this.#stillOpen(account, payoff) };
  }

  #closingItem({ market, positionSide, asked, closed, left, reason, orderId }: PositionClosing): ClosingItem {
    const { contract } = this.#floor.listedContract(market);
    const signed = (size: number): string => printDecimal(BigInt(size), contract.sizePrecision);
    const { code } = new ApiError('PositionLeft');
    const stopped = { side: asked > 0 ? 'sell' : 'buy', slippagePpm: DEFAULT_SLIPPAGE_PPM } as const;
    return {
      code: left === 0 ? SUCCESS : code,
      msg: left === 0 ? 'success' : leftText(reason, stopped, contract),
      data: {
        symbol: contract.symbol,
        positionSide: POSITION_SIDE_NAMES[positionSide],
        positionSize: signed(asked),
        closedQty: printLots(closed, contract.sizePrecision),
        leftQty: signed(left),
        reason: reason === 'none' ? null : reason,
        orderId: idOrNull(orderId),
      },
    };
  }

  /** What is open now, where the same call was made before. */
  #stillOpen(account: AccountId, payoff: MarginGroup | 'any'): ClosingItem[] {
    return [...this.#floor.positions.of(account)].flatMap(({ market, positionSide, size }) => {
      const group = marginGroupOf(this.#floor.listedContract(market).contract);
      if (size === 0 || (payoff === 'any' ? group === 'practice' : group !== payoff)) return [];
      const item = this.#closingItem({ market, positionSide, asked: size, closed: lots(0), left: size, reason: 'none', orderId: 0 });
      return [{ ...item, msg: 'this call was made before, and the position is open' }];
    });
  }

  /** One command: its size is that of the position when it applies. */
  async reverse(account: AccountId, wanted: ReversePosition): Promise<Answered<Reversed>> {
    const command = reversal(this.#floor, account, wanted);
    const receipt = await this.give(command, { ...CONTRACT_FIELDS, side: 'from' });
    const accepted = receipt.events.find((event) => event.type === 'OrderAccepted');
    const { contract } = this.#floor.listedContract(command.market);
    const print = (size: number): string => printLots(lots(size), contract.sizePrecision);
    const { seq: at, data: orderId } = acceptedOrder(receipt);
    const sizes =
      accepted === undefined
        ? { positionQty: null, origQty: null }
        : { positionQty: print(accepted.size / 2), origQty: print(accepted.size) };
    return { seq: at, data: { orderId, ...sizes } };
  }

  async scheduleCancel(account: AccountId, time: number | undefined): Promise<Answered<{ time: number | null }>> {
    const { seq: at } = await this.give({ type: 'ScheduleCancel', account, at: millis(time ?? 0) });
    return { seq: at, data: { time: time ?? null } };
  }

  async createTwap(account: AccountId, body: CreateTwap): Promise<Answered<string>> {
    const key = body.clientOrderId ?? randomUUID();
    const { seq: at, events } = await this.give(placeTwap(this.#floor, account, body, key));
    for (const event of events) if (event.type === 'TwapAccepted') return { seq: at, data: String(event.twapId) };
    await this.#barrier.views(at);
    const running = this.#floor.twaps.of(account).find((twap) => twap.key === key);
    if (running === undefined) throw new ApiError('KeyConflict', { field: 'clientOrderId' });
    return { seq: at, data: String(running.twapId) };
  }

  async cancelTwap(account: AccountId, twapId: string): Promise<Answered<string>> {
    const { seq: at } = await this.give({ type: 'CancelTwap', account, twapId: orderIdOf(twapId, 'twapId') });
    return { seq: at, data: twapId };
  }

  /** The caller's own open order in a contract: another's is as unknown as one that never was. */
  async own(account: AccountId, orderId: OrderId, field: string): Promise<OrderState> {
    const open = this.#floor.orders.find(orderId);
    if (open === undefined) await this.upToDate();
    const state = open ?? this.#floor.orders.find(orderId);
    if (state?.order.account !== account || state.order.contract === undefined) throw new ApiError('UnknownOrder', { field });
    return state;
  }

  /** A view may be behind what the caller was just answered, by this process or another. */
  upToDate(): Promise<void> {
    return this.#barrier.latest();
  }

  /** The commands go together, in order; an item that is refused takes none of the others with it. */
  async #each<Item>(
    items: readonly Item[],
    commandOf: (item: Item) => Command,
    answerOf: (receipt: Receipt) => Answered<string>,
  ): Promise<Answered<BatchItem[]>> {
    const answers = await Promise.all(
      items.map(async (item): Promise<{ at: Seq; item: BatchItem }> => {
        try {
          const answered = answerOf(await this.give(commandOf(item)));
          return { at: answered.seq, item: { code: SUCCESS, msg: 'success', data: answered.data } };
        } catch (error) {
          const { code, message } = refusalOf(error);
          return { at: seq(0), item: { code, msg: message, data: null } };
        }
      }),
    );
    return { seq: seq(Math.max(0, ...answers.map(({ at }) => at))), data: answers.map(({ item }) => item) };
  }
}

const idOrNull = (id: OrderId | 0): string | null => (id === 0 ? null : String(id));

function acceptedOrder({ seq: at, events }: Receipt): Answered<string> {
  for (const event of events)
    if (event.type === 'OrderAccepted' || event.type === 'OrderRepeated') return { seq: at, data: String(event.orderId) };
  throw new AssertionError('a placed order was accepted, repeated or rejected');
}

function closedOrder({ seq: at, events }: Receipt): Answered<string> {
  for (const event of events) if (event.type === 'OrderClosed') return { seq: at, data: String(event.orderId) };
  throw new AssertionError('a cancelled order was closed or the cancel rejected');
}
