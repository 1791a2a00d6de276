/** The order calls of contracts: given through the desk; open ones read from memory, closed ones from history. */
import { ApiError, type FuturesOrder, type futuresEntrustRoutes, type futuresOrderRoutes, type Handlers } from '@orrery/api';
import type { OrderSource } from '@orrery/protocol';
import { NO_ATOMS, NO_LOTS, type AccountId, type Atoms, type OrderId, type Seq } from '@orrery/units';
import type { OrderState } from '@orrery/views';
import type { Floor } from '../floor.ts';
import type { Answered } from '../orders/order-desk.ts';
import { rangeOf } from '../orders/orders.ts';
import { orderIdOf } from '../orders/parse-order.ts';
import type { ReadBarrier } from '../orders/read-barrier.ts';
import type { ContractHistory } from '../ports.ts';
import { contractNamed } from './contract-listing.ts';
import type { FuturesDesk } from './futures-desk.ts';
import {
  futuresOrderText,
  isPlan,
  isProfitStop,
  isWaiting,
  PLAN_SOURCES,
  planText,
  PROFIT_STOP_SOURCES,
  profitStopTerms,
  profitStopText,
} from './futures-order-text.ts';
import { cutTo, numbered, slotOf } from './paging.ts';
import { futuresMaxSize } from './max-size.ts';
import { twapText } from './twap-text.ts';

export interface FuturesOrderPorts {
  readonly desk: FuturesDesk;
  readonly floor: Floor;
  readonly contractHistory: ContractHistory;
  readonly barrier: ReadBarrier;
}

type OrderTable = typeof futuresOrderRoutes;
type EntrustTable = typeof futuresEntrustRoutes;
type Given<Table, Name extends keyof Table> = Pick<Table, Name>;

export const futuresOrderHandlers = (ports: FuturesOrderPorts): Handlers<OrderTable> => ({
  ...givingHandlers(ports.desk),
  ...readingHandlers(ports),
});

/** Says to the caller which command it was. */
async function said<Data>(caller: { committed(seq: Seq): void }, answer: Promise<Answered<Data>>): Promise<Data> {
  const { seq, data } = await answer;
  caller.committed(seq);
  return data;
}

type Giving =
  | 'createFuturesOrder'
  | 'createFuturesOrders'
  | 'updateFuturesOrder'
  | 'cancelFuturesOrder'
  | 'cancelAllFuturesOrders'
  | 'closeAllPositions'
  | 'reversePosition'
  | 'scheduleCancel'
  | 'createTwap'
  | 'cancelTwap';

const givingHandlers = (desk: FuturesDesk): Handlers<Given<OrderTable, Giving>> => ({
  createFuturesOrder: ({ principal, body, caller }) => said(caller, desk.create(principal.account, body)),
  createFuturesOrders({ principal, body, caller }) {
    caller.weigh(body.orders.length);
    const { account } = principal;
    return said(caller, body.allOrNothing === true ? desk.createTogether(account, body.orders) : desk.createEach(account, body.orders));
  },
  updateFuturesOrder: ({ principal, body, caller }) => said(caller, desk.update(principal.account, body)),
  cancelFuturesOrder: ({ principal, body, caller }) => said(caller, desk.cancel(principal.account, body)),
  cancelAllFuturesOrders: ({ principal, body, caller }) =>
    said(
      caller,
      desk.cancelWanted(principal.account, {
        symbol: body.symbol,
        isWanted: (state) => !isWaiting(state),
        weigh: (items) => caller.weigh(items),
      }),
    ),
  closeAllPositions: ({ principal, body, caller }) => said(caller, desk.closeAll(principal.account, body)),
  reversePosition: ({ principal, body, caller }) => said(caller, desk.reverse(principal.account, body)),
  scheduleCancel: ({ principal, body, caller }) => said(caller, desk.scheduleCancel(principal.account, body.time)),
  createTwap: ({ principal, body, caller }) => said(caller, desk.createTwap(principal.account, body)),
  cancelTwap: ({ principal, body, caller }) => said(caller, desk.cancelTwap(principal.account, body.twapId)),
});

const readingHandlers = (ports: Omit<FuturesOrderPorts, 'desk'>): Handlers<Omit<OrderTable, Giving>> => {
  const { floor, contractHistory, barrier } = ports;
  return {
    async twaps({ principal, query }) {
      await barrier.views(query.minSeq);
      return floor.twaps.of(principal.account).map((twap) => twapText(floor, twap));
    },
    async twapHistory({ principal, query }) {
      await barrier.history(query.minSeq);
      const slice = { account: principal.account, ...slotOf(query), ...rangeOf(query), ...marketOf(floor, query.symbol) };
      return numbered(contractHistory.twaps(slice), query);
    },
    async futuresMaxSize({ principal, query }) {
      await barrier.views(query.minSeq);
      return futuresMaxSize(floor, principal.account, query);
    },
    async futuresOrder({ principal: { account }, query }) {
      await barrier.views(query.minSeq);
      const { orderId, clientOrderId } = query;
      if ((orderId === undefined) === (clientOrderId === undefined)) throw new ApiError('MissingField', { field: 'orderId' });
      if (clientOrderId === undefined) return shown(ports, await found(ports, account, orderIdOf(orderId ?? ''), 'orderId'));
      const state = await barrier.eventually(() => Promise.resolve(floor.orders.findByClientOrderId(account, clientOrderId)));
      if (state?.order.contract === undefined) throw new ApiError('UnknownOrder', { field: 'clientOrderId' });
      return shown(ports, state);
    },
    async futuresOrders({ principal, query }) {
      await barrier.views(query.minSeq);
      const open = floor.orders.open(principal.account);
      const { items, ...page } = cutTo(
        ofContracts(floor, open, query.symbol).filter((state) => !isWaiting(state)),
        query,
      );
      const profits = await realised(ports, principal.account, items);
      return { ...page, items: items.map((state) => futuresOrderText(floor, state, { open, closeProfit: profits(state) })) };
    },
    async futuresOrderHistory({ principal, query }) {
      await barrier.history(query.minSeq);
      const { orderSide, forceClose } = query;
      const answer = contractHistory.orders({
        account: principal.account,
        ...slotOf(query),
        ...rangeOf(query),
        ...marketOf(floor, query.symbol),
        ...(orderSide === undefined ? {} : { side: orderSide === 'BUY' ? 'buy' : 'sell' }),
        ...(forceClose === undefined ? {} : { sources: forceClose === 'true' ? FORCED : UNFORCED }),
      });
      const { items, ...page } = await numbered(answer, query);
      const open = floor.orders.open(principal.account);
      const profits = await realised(ports, principal.account, items);
      return { ...page, items: items.map((state) => futuresOrderText(floor, state, { open, closeProfit: profits(state) })) };
    },
    async futuresFills({ principal, query }) {
      await barrier.history(query.minSeq);
      const { orderId } = query;
      const answer = contractHistory.fills({
        account: principal.account,
        ...slotOf(query),
        ...rangeOf(query),
        ...marketOf(floor, query.symbol),
        ...(orderId === undefined ? {} : { orderId: orderIdOf(orderId) }),
      });
      return numbered(answer, query);
    },
  };
};

const FORCED: readonly OrderSource[] = ['liquidation'];
const UNFORCED: readonly OrderSource[] = ['plain', 'plan', 'takeProfit', 'stopLoss', 'twap', 'closeAll'];

export function entrustHandlers(ports: FuturesOrderPorts): Handlers<EntrustTable> {
  const { desk, floor, barrier } = ports;
  const open = (account: AccountId, symbol: string | undefined): OrderState[] => ofContracts(floor, floor.orders.open(account), symbol);
  return {
    createPlan: ({ principal, body, caller }) => said(caller, desk.createPlan(principal.account, body)),
    cancelPlan: ({ principal, body, caller }) =>
      said(caller, desk.cancelWaiting(principal.account, { text: body.entrustId, field: 'entrustId', sources: PLAN_SOURCES })),
    cancelAllPlans: ({ principal, body, caller }) =>
      said(caller, desk.cancelWanted(principal.account, { symbol: body.symbol, isWanted: isPlan, weigh: (items) => caller.weigh(items) })),
    async plans({ principal, query }) {
      await barrier.views(query.minSeq);
      const waiting = open(principal.account, query.symbol).filter(isPlan);
      return cutTo(
        waiting.map((state) => planText(floor, state)),
        query,
      );
    },
    planHistory: ({ principal: { account }, query }) =>
      ended(ports, { account, query, sources: PLAN_SOURCES }, (state) => planText(floor, state)),
    async plan({ principal, query }) {
      await barrier.views(query.minSeq);
      const state = await found(ports, principal.account, orderIdOf(query.entrustId, 'entrustId'), 'entrustId');
      if (!hasSource(state, PLAN_SOURCES)) throw new ApiError('UnknownOrder', { field: 'entrustId' });
      return planText(floor, state);
    },
    createProfitStop: ({ principal, body, caller }) => {
      caller.weigh(body.triggerProfitPrice !== undefined && body.triggerStopPrice !== undefined ? 2 : 1);
      return said(caller, desk.createProfitStops(principal.account, body));
    },
    updateProfitStop: ({ principal, body, caller }) => said(caller, desk.updateProfitStop(principal.account, body)),
    cancelProfitStop: ({ principal, body, caller }) =>
      said(caller, desk.cancelWaiting(principal.account, { text: body.profitId, field: 'profitId', sources: PROFIT_STOP_SOURCES })),
    cancelAllProfitStops: ({ principal, body, caller }) =>
      said(
        caller,
        desk.cancelWanted(principal.account, { symbol: body.symbol, isWanted: isProfitStop, weigh: (items) => caller.weigh(items) }),
      ),
    async profitStops({ principal, query }) {
      await barrier.views(query.minSeq);
      const waiting = open(principal.account, query.symbol).filter(isProfitStop);
      return cutTo(
        waiting.map((state) => profitStopText(floor, state)),
        query,
      );
    },
    setProtection: ({ principal, body, caller }) => said(caller, desk.setProtection(principal.account, body)),
    profitStopHistory: ({ principal: { account }, query }) =>
      ended(ports, { account, query, sources: PROFIT_STOP_SOURCES }, (state) => profitStopTerms(floor, state)),
    async profitStop({ principal, query }) {
      await barrier.views(query.minSeq);
      const state = await found(ports, principal.account, orderIdOf(query.profitId, 'profitId'), 'profitId');
      if (!hasSource(state, PROFIT_STOP_SOURCES)) throw new ApiError('UnknownOrder', { field: 'profitId' });
      return profitStopText(floor, state);
    },
  };
}

interface Ended {
  readonly account: AccountId;
  readonly query: {
    readonly minSeq?: number;
    readonly symbol?: string;
    readonly page?: number;
    readonly size?: number;
    readonly id?: string;
    readonly startTime?: number;
    readonly endTime?: number;
  };
  readonly sources: readonly OrderSource[];
}

/** Orders of these sources that are over, newest first. */
async function ended<Text>(ports: FuturesOrderPorts, { account, query, sources }: Ended, print: (state: OrderState) => Text) {
  await ports.barrier.history(query.minSeq);
  const slice = { account, ...slotOf(query), ...rangeOf(query), ...marketOf(ports.floor, query.symbol), sources };
  const { items, ...page } = await numbered(ports.contractHistory.orders(slice), query);
  return { ...page, items: items.map(print) };
}

const hasSource = ({ order }: OrderState, sources: readonly OrderSource[]): boolean =>
  order.contract !== undefined && sources.includes(order.contract.source);

/** Newest first. */
function ofContracts(floor: Floor, open: readonly OrderState[], symbol: string | undefined): OrderState[] {
  const { market } = marketOf(floor, symbol);
  return open.filter(({ order }) => order.contract !== undefined && (market === undefined || order.market === market)).toReversed();
}

export const marketOf = (floor: Floor, symbol: string | undefined) =>
  symbol === undefined ? {} : { market: contractNamed(floor, symbol).contract.market };

/** Another account's order is as unknown as one that never was. */
async function found(
  { floor, contractHistory, barrier }: Omit<FuturesOrderPorts, 'desk'>,
  account: AccountId,
  orderId: OrderId,
  field: string,
): Promise<OrderState> {
  const state = await barrier.eventually(async () => {
    const open = floor.orders.find(orderId);
    if (open !== undefined) return open.order.account === account && open.order.contract !== undefined ? open : undefined;
    // What has just closed has left memory: history must have come as far before it says that there is no such order.
    await barrier.history(floor.seq);
    return contractHistory.order({ account, orderId });
  });
  if (state === undefined) throw new ApiError('UnknownOrder', { field });
  return state;
}

async function shown(ports: Omit<FuturesOrderPorts, 'desk'>, state: OrderState): Promise<FuturesOrder> {
  const { account } = state.order;
  const profits = await realised(ports, account, [state]);
  return futuresOrderText(ports.floor, state, { open: ports.floor.orders.open(account), closeProfit: profits(state) });
}

/** All that wait for no trigger, newest first. */
export async function openOrdersText(
  ports: Omit<FuturesOrderPorts, 'desk'>,
  account: AccountId,
  symbol: string | undefined,
): Promise<FuturesOrder[]> {
  const open = ports.floor.orders.open(account);
  const orders = ofContracts(ports.floor, open, symbol).filter((state) => !isWaiting(state));
  const profits = await realised(ports, account, orders);
  return orders.map((state) => futuresOrderText(ports.floor, state, { open, closeProfit: profits(state) }));
}

/**
 * What each of these orders has realised. One without a fill has realised nothing; of the others history knows it, when it has come as far as the orders.
 * Open orders are shown without it while history is late or does not answer: undefined.
 */
async function realised(
  { floor, contractHistory, barrier }: Omit<FuturesOrderPorts, 'desk'>,
  account: AccountId,
  states: readonly OrderState[],
): Promise<(state: OrderState) => Atoms | undefined> {
  const orderIds = states.filter(({ filled }) => filled > NO_LOTS).map(({ order }) => order.orderId);
  if (orderIds.length === 0) return () => NO_ATOMS;
  const areOpen = states.some(({ status }) => status !== 'closed');
  try {
    if (areOpen) await barrier.history(floor.seq);
    const profits = await contractHistory.closeProfits({ account, orderIds });
    return ({ order }) => profits.get(order.orderId) ?? NO_ATOMS;
  } catch (error) {
    if (!areOpen || !(error instanceof ApiError) || error.retryAfterSeconds === undefined) throw error;
    return ({ filled }) => (filled > NO_LOTS ? undefined : NO_ATOMS);
  }
}
