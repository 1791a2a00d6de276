/** The order calls over HTTP: given through the desk; open ones read from memory, closed ones from history. */
import { ApiError, orderText, type BatchItem, type Handlers, type Order, type orderRoutes } from '@orrery/api';
import { millis, type AccountId, type OrderId } from '@orrery/units';
import type { OrderState } from '@orrery/views';
import type { Floor } from '../floor.ts';
import { listingOf, marketNamed } from '../market-data/listing.ts';
import { spotMaxSize } from './max-size.ts';
import { orderIdsOf, ordersOf, type OrderDesk } from './order-desk.ts';
import { orderIdOf } from './parse-order.ts';
import type { History } from '../ports.ts';
import type { ReadBarrier } from './read-barrier.ts';

const PAGE_SIZE_DEFAULT = 10;

export interface OrderPorts {
  readonly desk: OrderDesk;
  readonly floor: Floor;
  readonly history: History;
  readonly barrier: ReadBarrier;
}

type OrderTable = typeof orderRoutes;
type Giving = Pick<
  OrderTable,
  'createOrder' | 'createPair' | 'cancelOrder' | 'updateOrder' | 'cancelAllOrders' | 'createOrders' | 'cancelOrders'
>;

export const orderHandlers = (ports: OrderPorts): Handlers<OrderTable> => ({ ...givingHandlers(ports.desk), ...readingHandlers(ports) });

const givingHandlers = (desk: OrderDesk): Handlers<Giving> => ({
  async createOrder({ principal, body, caller }) {
    const { seq, data } = await desk.create(principal.account, body);
    caller.committed(seq);
    return data;
  },

  async createPair({ principal, body, caller }) {
    const { seq, data } = await desk.createPair(principal.account, body);
    caller.committed(seq);
    return data;
  },

  async cancelOrder({ principal, body, caller }) {
    const { seq, data } = await desk.cancel(principal.account, body);
    caller.committed(seq);
    return data;
  },

  async updateOrder({ principal, body, caller }) {
    const { seq, data } = await desk.update(principal.account, body);
    caller.committed(seq);
    return data;
  },

  async cancelAllOrders({ principal, body, caller }) {
    const { seq, data } = await desk.cancelAll(principal.account, body);
    caller.committed(seq);
    return data;
  },

  async createOrders({ principal, body, caller }) {
    const orders = ordersOf(body);
    caller.weigh(orders.length);
    const { seq, data } = await (body.allOrNothing === true
      ? desk.createTogether(principal.account, orders)
      : desk.createEach(principal.account, orders));
    caller.committed(seq);
    return data;
  },

  async cancelOrders({ principal, body, caller }) {
    const orderIds = orderIdsOf(body);
    caller.weigh(orderIds.length);
    const { seq, data } = await (body.allOrNothing === true
      ? desk.cancelTogether(principal.account, orderIds)
      : desk.cancelEach(principal.account, orderIds));
    caller.committed(seq);
    return body.orderIdsJson === undefined ? data : cancelledIds(data);
  },
});

/** The answer of the older API to a batch of cancels. */
const cancelledIds = (items: readonly BatchItem[]): string[] => items.flatMap(({ data }) => data ?? []);

const readingHandlers = ({ floor, history, barrier }: Omit<OrderPorts, 'desk'>): Handlers<Omit<OrderTable, keyof Giving>> => ({
  async maxSize({ principal, query }) {
    await barrier.views(query.minSeq);
    return spotMaxSize(floor, principal.account, query);
  },

  async openOrders({ principal, query }) {
    await barrier.views(query.minSeq);
    const market = query.symbol === undefined ? undefined : marketNamed(floor, query.symbol).market.market;
    const orders = floor.orders
      .open(principal.account)
      .filter(({ order }) => order.contract === undefined && (market === undefined || order.market === market))
      .map((state) => shown(floor, state))
      .filter(({ state }) => query.state === undefined || state === query.state)
      .toReversed();
    const { page = 1, size = PAGE_SIZE_DEFAULT } = query;
    return { items: orders.slice((page - 1) * size, page * size), page, ps: size, total: orders.length };
  },

  async orderHistory({ principal, query }) {
    await barrier.history(query.minSeq);
    const { symbol, state, direction, page = 1, id } = query;
    const size = query.size ?? query.limit ?? PAGE_SIZE_DEFAULT;
    const { items, total, next } = await history.orders({
      account: principal.account,
      page,
      size,
      ...(id === undefined ? {} : { id }),
      ...rangeOf(query),
      ...(symbol === undefined ? {} : { symbol: marketNamed(floor, symbol).market.symbol }),
      ...(state === undefined ? {} : { state }),
      ...(direction === undefined ? {} : { side: direction === 'BUY' ? 'buy' : 'sell' }),
    });
    return { items: [...items], page, ps: size, total, next };
  },

  async order({ principal: { account }, query }) {
    await barrier.views(query.minSeq);
    if ((query.orderId === undefined) === (query.clientOrderId === undefined)) throw new ApiError('MissingField', { field: 'orderId' });
    if (query.clientOrderId !== undefined) {
      const name = query.clientOrderId;
      const state = await barrier.eventually(() => Promise.resolve(floor.orders.findByClientOrderId(account, name)));
      if (state === undefined || state.order.contract !== undefined) throw new ApiError('UnknownOrder', { field: 'clientOrderId' });
      return shown(floor, state);
    }
    return found({ floor, history, barrier }, account, orderIdOf(query.orderId ?? ''));
  },

  async fills({ principal, query }) {
    await barrier.history(query.minSeq);
    const { symbol, orderId, page = 1, size = PAGE_SIZE_DEFAULT, id } = query;
    const { items, total, next } = await history.fills({
      account: principal.account,
      page,
      size,
      ...(id === undefined ? {} : { id }),
      ...rangeOf(query),
      ...(symbol === undefined ? {} : { symbol: marketNamed(floor, symbol).market.symbol }),
      ...(orderId === undefined ? {} : { orderId: orderIdOf(orderId) }),
    });
    return { items: [...items], page, ps: size, total, next };
  },
});

/** Another account's order is as unknown as one that never was. */
async function found({ floor, history, barrier }: Omit<OrderPorts, 'desk'>, account: AccountId, orderId: OrderId): Promise<Order> {
  const order = await barrier.eventually(async () => {
    const open = floor.orders.find(orderId);
    if (open !== undefined) return open.order.account === account && open.order.contract === undefined ? shown(floor, open) : undefined;
    // What has just closed has left memory: history must have come as far before it says that there is no such order.
    await barrier.history(floor.seq);
    return history.order({ account, orderId });
  });
  if (order === undefined) throw new ApiError('UnknownOrder', { field: 'orderId' });
  return order;
}

const shown = (floor: Floor, state: OrderState): Order => orderText(state, listingOf(floor, floor.listed(state.order.market).market));

export const rangeOf = ({ startTime, endTime }: { startTime?: number; endTime?: number }) => ({
  ...(startTime === undefined ? {} : { startTime: millis(startTime) }),
  ...(endTime === undefined ? {} : { endTime: millis(endTime) }),
});
