/** Calls by which testers move prices, funding and their own orders: mounted only where the exchange is given a sandbox. */
import { ApiError, DEPTH_LEVELS_MAX, type Handlers, type sandboxRoutes } from '@orrery/api';
import { lots, millis, parseDecimal, printLots, printTicks, type Lots } from '@orrery/units';
import type { ListedContract, OrderState } from '@orrery/views';
import type { Floor } from '../floor.ts';
import { orderIdOf } from '../orders/parse-order.ts';
import type { Sandbox } from '../ports.ts';
import { contractNamed, ppbRatio } from './contract-listing.ts';
import type { FuturesDesk } from './futures-desk.ts';
import { isWaiting } from './futures-order-text.ts';
import { placeContractOrder } from './parse-contract-order.ts';

const SECOND_MS = 1_000;
const PPM_DECIMALS = 6;
const MOVE_MAX_PPM = 500_000n;

/** What is named is a contract: whether its funding can be settled now is a matter of its prices. */
const FIELDS = { market: 'symbol', interval: 'symbol' };

export interface SandboxPorts {
  readonly desk: FuturesDesk;
  readonly floor: Floor;
  readonly sandbox: Sandbox;
  readonly now: () => number;
}

export const sandboxHandlers = ({ desk, floor, sandbox, now }: SandboxPorts): Handlers<typeof sandboxRoutes> => ({
  movePrice({ body }) {
    const { market, symbol } = contractNamed(floor, body.symbol).contract;
    const at = millis(now());
    const endsAt = millis(at + body.seconds * SECOND_MS);
    sandbox.move({ market, ppm: shiftOf(body.change), endsAt }, at);
    return { symbol, change: body.change, endsAt };
  },
  async forceFunding({ body, caller }) {
    const { contract } = contractNamed(floor, body.symbol);
    const { seq, events } = await desk.give({ type: 'ForceFunding', market: contract.market, interval: millis(now()) }, FIELDS);
    caller.committed(seq);
    const settled = events.find((event) => event.type === 'FundingSettled');
    // Another caller has settled the same millisecond.
    if (settled === undefined) throw new ApiError('NotNow', { retryAfterSeconds: 1 });
    const { ratePpb, price, interval } = settled;
    const { symbol, pricePrecision } = contract;
    return { symbol, fundingRate: ppbRatio(ratePpb), price: printTicks(price, pricePrecision), createdTime: interval };
  },
  async fillMyOrder({ principal, body, caller }) {
    const orderId = orderIdOf(body.orderId);
    const state = await desk.own(principal.account, orderId, 'orderId');
    if (isWaiting(state))
      throw new ApiError('InvalidCombination', { field: 'orderId', message: 'only an order that rests in the book is filled' });
    const listed = floor.listedContract(state.order.market);
    const { symbol, pricePrecision, sizePrecision } = listed.contract;
    const taking = placeContractOrder(floor, await sandbox.house(), {
      symbol,
      orderSide: state.order.side === 'buy' ? 'SELL' : 'BUY',
      orderType: 'LIMIT',
      timeInForce: 'IOC',
      price: printTicks(state.order.price, pricePrecision),
      origQty: printLots(sizeUpTo(floor, listed, state), sizePrecision),
    });
    const { seq, events } = await desk.give(taking);
    caller.committed(seq);
    const filled = events.reduce((sum, event) => sum + (event.type === 'Trade' && event.makerOrderId === orderId ? event.size : 0), 0);
    const isFilled = events.some((event) => event.type === 'OrderClosed' && event.orderId === orderId && event.reason === 'filled');
    return { orderId: body.orderId, filledQty: printLots(lots(filled), sizePrecision), isFilled };
  },
});

/** Millionths. */
function shiftOf(change: string): number {
  const size = parseDecimal(change.replace('-', ''), PPM_DECIMALS);
  if (size === undefined || size > MOVE_MAX_PPM)
    throw new ApiError('MalformedField', { field: 'change', message: 'change must be from -0.5 to 0.5' });
  return change.startsWith('-') ? -Number(size) : Number(size);
}

/** What stands in the book up to and with the price of the order: what is before it has priority. */
function sizeUpTo(floor: Floor, { contract: { market } }: ListedContract, { order, remaining }: OrderState): Lots {
  const { bids, asks } = floor.depth(market).snapshot(DEPTH_LEVELS_MAX);
  const isBuy = order.side === 'buy';
  const before = (isBuy ? bids : asks).filter(({ price }) => (isBuy ? price >= order.price : price <= order.price));
  return lots(
    Math.max(
      remaining,
      before.reduce((sum, { size }) => sum + size, 0),
    ),
  );
}
