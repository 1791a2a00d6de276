/** Takes orders in the words of the public contract, over HTTP and over WebSocket alike. */
import {
  ApiError,
  OrderIdList,
  OrderList,
  SUCCESS,
  type BatchItem,
  type CancelAllOrders,
  type CancelOrder,
  type CancelOrders,
  type CreateOrder,
  type CreateOrders,
  type CreatePair,
  type UpdateOrder,
} from '@orrery/api';
import type { Command, Heart, Market, Receipt } from '@orrery/protocol';
import { assert, AssertionError, seq, type AccountId, type OrderId, type Seq } from '@orrery/units';
import type { Floor } from '../floor.ts';
import { marketNamed } from '../market-data/listing.ts';
import { amendOrder, cancelAllOrders, cancelOrder, orderIdOf, ownMarketOf, placeOrder, placePair } from './parse-order.ts';
import type { History } from '../ports.ts';
import type { ReadBarrier } from './read-barrier.ts';
import { refusalOf } from '../http/refuse.ts';
import { jsonOf } from '../input/request-text.ts';
import { amendedOrder, isPlaced, tookEffect } from './receipt.ts';
import { eachOf, itemOf, placedTogether, tookEffectTogether } from './together.ts';
import { validatorOf } from '../input/validate.ts';

/** The ids of a pair; it has the name of its first order. */
export interface PlacedPair {
  readonly groupId: string;
  readonly above: string;
  readonly below: string;
}

export interface Answered<Data> {
  readonly seq: Seq;
  readonly data: Data;
}

/** How deep the JSON text of a batch may be nested: an array of orders. */
const BATCH_DEPTH = 2;

const validOrders = validatorOf(OrderList);
const validOrderIds = validatorOf(OrderIdList);

/** Every method throws or rejects with an `ApiError` what is refused. What an order goes through is not async itself: to hand a promise on costs less than to wait for it. */
export class OrderDesk {
  readonly #heart: Heart;
  readonly #floor: Floor;
  readonly #history: History;
  readonly #barrier: ReadBarrier;

  constructor(ports: { heart: Heart; floor: Floor; history: History; barrier: ReadBarrier }) {
    this.#heart = ports.heart;
    this.#floor = ports.floor;
    this.#history = ports.history;
    this.#barrier = ports.barrier;
  }

  create(account: AccountId, body: CreateOrder): Promise<Answered<string>> {
    return this.#heart.submit(placeOrder(this.#floor, account, body)).then(this.#accepted);
  }

  async createPair(account: AccountId, body: CreatePair): Promise<Answered<PlacedPair>> {
    const receipt = tookEffect(this.#floor, await this.#heart.submit(placePair(this.#floor, account, body)));
    const ids = receipt.events.filter(isPlaced).map(({ orderId }) => String(orderId));
    // The one on the winning side comes first, and names the pair.
    const [first, second] = ids;
    assert(first !== undefined && second !== undefined, 'a pair that took effect has two orders');
    const [above, below] = body.direction === 'SELL' ? [first, second] : [second, first];
    return { seq: receipt.seq, data: { groupId: first, above, below } };
  }

  cancel(account: AccountId, body: CancelOrder): Promise<Answered<string>> {
    return this.#heart.submit(cancelOrder(account, body)).then(this.#closed);
  }

  async update(account: AccountId, body: UpdateOrder): Promise<Answered<string>> {
    if (body.price === undefined && body.totalAmount === undefined) throw new ApiError('MissingField', { field: 'price' });
    const market = await this.#marketOf(account, body);
    const command = amendOrder({ floor: this.#floor, market }, account, body);
    return amendedOrder(tookEffect(this.#floor, await this.#heart.submit(command)), command.orderId);
  }

  /** An amendment that comes again may find its order over: then history knows the market, and the engine the name that it gave. */
  async #marketOf(account: AccountId, { orderId: text, clientOrderId }: UpdateOrder): Promise<Market> {
    const orderId = orderIdOf(text);
    const market = await this.#barrier.eventually(async () => {
      const open = ownMarketOf(this.#floor, account, orderId);
      if (open !== undefined || clientOrderId === undefined || this.#floor.orders.find(orderId) !== undefined) return open;
      await this.#barrier.history(this.#floor.seq);
      const closed = await this.#history.order({ account, orderId });
      return closed && marketNamed(this.#floor, closed.symbol).market;
    });
    if (market === undefined) throw new ApiError('UnknownOrder', { field: 'orderId' });
    return market;
  }

  async cancelAll(account: AccountId, body: CancelAllOrders): Promise<Answered<string[]>> {
    const commands = cancelAllOrders(this.#floor, account, body.symbol);
    const receipts = (await Promise.all(commands.map((command) => this.#heart.submit(command)))).map((receipt) =>
      tookEffect(this.#floor, receipt),
    );
    return {
      seq: seq(Math.max(0, ...receipts.map((receipt) => receipt.seq))),
      data: receipts.flatMap(({ events }) => events.flatMap((event) => (event.type === 'OrderClosed' ? [String(event.orderId)] : []))),
    };
  }

  createEach(account: AccountId, orders: readonly CreateOrder[]): Promise<Answered<BatchItem[]>> {
    return this.#each(orders, (body) => placeOrder(this.#floor, account, body), this.#accepted);
  }

  /** All of them, or none. */
  async createTogether(account: AccountId, bodies: readonly CreateOrder[]): Promise<Answered<BatchItem[]>> {
    const orders = eachOf('orders', bodies, (body) => placeOrder(this.#floor, account, body));
    return placedTogether(
      tookEffectTogether(this.#floor, await this.#heart.submit({ type: 'PlaceOrders', account, orders }), { list: 'orders' }),
    );
  }

  /** The same of cancels. */
  async cancelTogether(account: AccountId, ids: readonly string[]): Promise<Answered<BatchItem[]>> {
    const orderIds = eachOf('orderIds', ids, (id) => orderIdOf(id, ''));
    const { seq: at } = tookEffectTogether(this.#floor, await this.#heart.submit({ type: 'CancelOrders', account, orderIds }), {
      list: 'orderIds',
    });
    return { seq: at, data: orderIds.map(itemOf) };
  }

  cancelEach(account: AccountId, orderIds: readonly string[]): Promise<Answered<BatchItem[]>> {
    return this.#each(orderIds, (orderId) => cancelOrder(account, { orderId }), this.#closed);
  }

  readonly #accepted = (receipt: Receipt): Answered<string> => acceptedOrder(tookEffect(this.#floor, receipt));
  readonly #closed = (receipt: Receipt): Answered<string> => closedOrder(tookEffect(this.#floor, receipt));

  /** The commands go together, in order; an item that is refused takes none of the others with it. */
  async #each<Item>(
    items: readonly Item[],
    commandOf: (item: Item) => Command,
    answerOf: (receipt: Receipt) => Answered<string>,
  ): Promise<Answered<BatchItem[]>> {
    const itemOf = (receipt: Receipt): BatchAnswer => {
      try {
        const answered = answerOf(receipt);
        return { seq: answered.seq, item: { code: SUCCESS, msg: 'success', data: answered.data } };
      } catch (error) {
        return refusedItem(error);
      }
    };
    const answers = await Promise.all(
      items.map((item) => {
        try {
          return this.#heart.submit(commandOf(item)).then(itemOf, refusedItem);
        } catch (error) {
          return Promise.resolve(refusedItem(error));
        }
      }),
    );
    return { seq: seq(Math.max(0, ...answers.map((answer) => answer.seq))), data: answers.map((answer) => answer.item) };
  }
}

interface BatchAnswer {
  readonly seq: Seq;
  readonly item: BatchItem;
}

function refusedItem(error: unknown): BatchAnswer {
  const refused = refusalOf(error);
  return { seq: seq(0), item: { code: refused.code, msg: refused.message, data: null } };
}

/** The orders of a batch, given as an array or as its JSON text. */
export function ordersOf({ orders, ordersJsonStr }: CreateOrders): readonly CreateOrder[] {
  if (orders !== undefined && ordersJsonStr === undefined) return orders;
  if (ordersJsonStr === undefined || orders !== undefined) throw new ApiError('MissingField', { field: 'orders' });
  return validOrders(textOf(ordersJsonStr, 'ordersJsonStr'));
}

/** The ids of a batch, given as an array or as its JSON text; older clients write them as numbers. */
export function orderIdsOf({ orderIds, orderIdsJson }: CancelOrders): readonly string[] {
  if (orderIds !== undefined && orderIdsJson === undefined) return orderIds;
  if (orderIdsJson === undefined || orderIds !== undefined) throw new ApiError('MissingField', { field: 'orderIds' });
  const value = textOf(orderIdsJson, 'orderIdsJson');
  const ids: readonly unknown[] = Array.isArray(value) ? value : [value];
  return validOrderIds(ids.map((id) => (typeof id === 'number' ? String(id) : id)));
}

function textOf(text: string, field: string): unknown {
  try {
    return jsonOf(text, BATCH_DEPTH);
  } catch {
    throw new ApiError('MalformedField', { field });
  }
}

function acceptedOrder({ seq: at, events }: Receipt): Answered<string> {
  for (const event of events) {
    if (event.type === 'OrderAccepted' || event.type === 'OrderRepeated') return answered(at, event.orderId);
  }
  throw new AssertionError('a placed order was accepted, repeated or rejected');
}

function closedOrder({ seq: at, events }: Receipt): Answered<string> {
  for (const event of events) if (event.type === 'OrderClosed') return answered(at, event.orderId);
  throw new AssertionError('a cancelled order was closed or the cancel rejected');
}

const answered = (at: Seq, orderId: OrderId): Answered<string> => ({ seq: at, data: String(orderId) });
