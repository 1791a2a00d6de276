/**
 * Whether the account of a resting order could bear a trade, a second time: the trades are made on a copy of the snapshot from before the command, one after
 * the other, and the margin of the account is recomputed from what results. Without a line of the engine or the rules.
 */
import { atoms, lots, millis, NO_ATOMS, NO_LOTS, signedLots, type AccountId } from '@orrery/units';
import type { Contract, Order, PositionSide } from '@orrery/protocol';
import type { PositionSnapshot } from '../snapshot/contract-snapshot.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { isIsolated, ordersNeed } from './contracts-sound.ts';
import type { Unpaid } from './naive-books.ts';
import { agedOf, equityOf, initialOf, marginsOf, worthOf } from './naive-margin.ts';

const MILLION = 1_000_000n;
/** Of an account's fee tier, 0 to 6: what a maker pays at most, in parts per million. */
const MAKER_FEES = [MILLION, 100n, 60n, 20n, 0n, 0n, 0n];

export interface Carried {
  /**
   * What the account keeps beyond what it must, or what it lacks, below zero. Undefined where the margin of an isolated position did not pay for what closed,
   * or what opened did not receive its initial margin.
   */
  readonly beyond: bigint | undefined;
  /** A price that is not worse than the mark takes nothing from an account: where it only closes, it is not looked at. */
  readonly isWorse: boolean;
  /** Whether it would open something: of cross margin it needs the initial margin of everything, of an isolated position the maintenance. */
  readonly opens: boolean;
}

interface Making {
  readonly order: Order;
  readonly price: number;
  readonly size: number;
  readonly notional: bigint;
  /** A rebate does not count. */
  readonly fee: bigint;
}

/** The account while it trades. */
interface Bearer {
  readonly positions: Map<PositionSide, Held>;
  free: bigint;
  opened: bigint;
  isPaid: boolean;
}

interface Held {
  size: number;
  cost: bigint;
  margin: bigint;
  readonly leverage: number;
}

/** @param before the state in which the order that acts found the book */
export function carry(before: Snapshot, { order, size, trades, closed }: Unpaid, at: number): Carried {
  const { account, market } = order;
  const { terms, prices } = before.contracts.find((one) => one.terms.market === market)!;
  const isolated = isIsolated(before, account, market);
  const bearer = bearerOf(before, terms, account);
  const makings: Making[] = [];
  for (const trade of trades) {
    if (trade.makerAccount !== account) continue;
    const made = before.orders.find((one) => one.order.orderId === trade.makerOrderId)!;
    makings.push({ ...trade, order: made.order, fee: trade.makerFee > 0n ? trade.makerFee : 0n });
  }
  const notional = notionalOf(terms, order.price, size);
  makings.push({ order, price: order.price, size, notional, fee: up(notional * makerFee(before, terms, account), MILLION) });
  let opens = false;
  for (const making of makings) {
    // Of two isolated sides each stands by itself.
    if (isolated && sideOf(making.order) !== sideOf(order)) continue;
    opens = make(bearer, terms, making, isolated);
  }
  const isWorse = prices.mark === 0 || (order.side === 'buy' ? order.price > prices.mark : order.price < prices.mark);
  const mark = prices.mark === 0 ? order.price : prices.mark;
  const contracts = before.contracts.map((one) => (one.terms.market === market ? { ...one, prices: { ...one.prices, mark } } : one));
  const after = { ...withBearer(before, terms, { account, bearer }), contracts, orders: ordersAfter(before, makings, closed) };
  const needsMargin = isolated ? opens : bearer.opened > 0n;
  return { beyond: bearer.isPaid ? beyondOf(after, { order, isolated, needsMargin, at }) : undefined, isWorse, opens };
}

function ordersAfter({ orders }: Snapshot, makings: readonly Making[], closed: readonly number[]): Snapshot['orders'] {
  return orders.map((open) => {
    if (closed.includes(open.order.orderId)) return { ...open, remaining: NO_LOTS };
    const made = makings.filter(({ order }) => order.orderId === open.order.orderId);
    return made.reduce((left, { size }) => ({ ...left, remaining: lots(left.remaining - size) }), open);
  });
}

function beyondOf(
  after: Snapshot,
  { order, isolated, needsMargin, at }: { order: Order; isolated: boolean; needsMargin: boolean; at: number },
): bigint {
  const { account, market } = order;
  const { payoff, settle } = after.contracts.find(({ terms }) => terms.market === market)!.terms;
  const key = isolated ? `${account} ${market} ${sideOf(order)}` : `${account} ${payoff}`;
  const margin = marginsOf(after, account).find((one) => one.key === key);
  if (isolated) return margin === undefined ? 0n : equityOf(margin) - (needsMargin ? margin.maintenance : 0n);
  const equity = margin === undefined ? worthOf(after, { account, payoff, settle }) : equityOf(margin);
  return equity - (needsMargin ? agedOf(after, account, payoff, at) + initialOf(after, account, payoff, at) : 0n);
}

function bearerOf(before: Snapshot, terms: Contract, account: AccountId): Bearer {
  const positions = before.positions.filter((one) => one.account === account && one.market === terms.market);
  const { free } = balanceOf(before, terms, account);
  // What the orders of an isolated contract hold is free for a trade, and held again after it.
  const held = isIsolated(before, account, terms.market) ? ordersNeed(before, terms, account) : 0n;
  return {
    positions: new Map(positions.map(({ positionSide, size, cost, margin, leverage }) => [positionSide, { size, cost, margin, leverage }])),
    free: free + held,
    opened: 0n,
    isPaid: true,
  };
}

/** @returns whether it opened something */
function make(bearer: Bearer, terms: Contract, { order, price, size, notional, fee }: Making, isolated: boolean): boolean {
  const held = bearer.positions.get(sideOf(order)) ?? { size: 0, cost: 0n, margin: 0n, leverage: terms.initLeverage };
  bearer.positions.set(sideOf(order), held);
  const buys = order.side === 'buy';
  const closed = held.size !== 0 && held.size > 0 !== buys ? Math.min(Math.abs(held.size), size) : 0;
  const opened = size - closed;
  const closing = opened === 0 ? notional : notionalOf(terms, price, closed);
  const closingFee = opened === 0 ? fee : (fee * BigInt(closed)) / BigInt(size);
  if (closed > 0) {
    const before = BigInt(Math.abs(held.size));
    const released = (held.cost * BigInt(closed)) / before;
    const freed = isolated ? (held.margin * BigInt(closed)) / before : 0n;
    const profit = held.size > 0 === (terms.payoff === 'linear') ? closing - released : released - closing;
    const change = freed + profit - closingFee;
    held.size += buys ? closed : -closed;
    held.cost -= released;
    held.margin -= freed;
    if (isolated && change < 0n) held.margin += change;
    else bearer.free += change;
    // What it receives for what it opens comes too late for this loss: others would have paid it.
    if (held.margin < 0n) bearer.isPaid = false;
  }
  if (opened > 0) {
    const opening = notional - closing;
    held.size += buys ? opened : -opened;
    held.cost += opening;
    bearer.opened += BigInt(opened);
    if (isolated) open(bearer, held, opening, fee - closingFee);
    else bearer.free -= fee - closingFee;
  }
  if (held.margin < 0n) bearer.isPaid = false;
  return opened > 0;
}

function open(bearer: Bearer, held: Held, opening: bigint, fee: bigint): void {
  const needed = up(opening, BigInt(held.leverage));
  const posted = least(needed, bearer.free);
  if (posted < needed) bearer.isPaid = false;
  const paid = least(fee, bearer.free - posted);
  bearer.free -= posted + paid;
  held.margin += posted - (fee - paid);
}

function withBearer(before: Snapshot, terms: Contract, { account, bearer }: { account: AccountId; bearer: Bearer }): Snapshot {
  const { market } = terms;
  const others = before.positions.filter((one) => one.account !== account || one.market !== market);
  const own = [...bearer.positions].map(([positionSide, { size, cost, margin, leverage }]): PositionSnapshot => {
    const amounts = {
      size: signedLots(size),
      cost: atoms(cost),
      margin: atoms(margin),
      realised: NO_ATOMS,
      fees: NO_ATOMS,
      funding: NO_ATOMS,
    };
    return { account, market, positionSide, leverage, autoMargin: false, ...amounts, openedAt: millis(0), maxSize: NO_LOTS };
  });
  const balance = balanceOf(before, terms, account);
  const balances = [...before.balances.filter((one) => one !== balance), { ...balance, free: atoms(bearer.free) }];
  return { ...before, positions: [...others, ...own], balances };
}

function balanceOf({ balances }: Snapshot, { payoff, settle }: Contract, account: AccountId): Snapshot['balances'][number] {
  const wallet = payoff === 'linear' ? 'futures' : 'coinFutures';
  const found = balances.find((one) => one.account === account && one.wallet === wallet && one.asset === settle);
  return found ?? { account, wallet, asset: settle, free: NO_ATOMS, held: NO_ATOMS };
}

function makerFee({ holders }: Snapshot, { makerFeePpm }: Contract, account: AccountId): bigint {
  const { feeTier, rebateTier } = holders.find((one) => one.account === account) ?? { feeTier: 0, rebateTier: 0 };
  return rebateTier > 0 ? 0n : least(BigInt(makerFeePpm), MAKER_FEES[feeTier] ?? 0n);
}

const sideOf = ({ contract }: Order): PositionSide => contract?.positionSide ?? 'both';

function notionalOf({ payoff, tickLotAtoms }: Contract, price: number, size: number): bigint {
  const one = BigInt(size) * tickLotAtoms;
  return payoff === 'linear' ? one * BigInt(price) : one / BigInt(price);
}

const least = (one: bigint, other: bigint): bigint => (one < other ? one : other);
const up = (dividend: bigint, divisor: bigint): bigint => (dividend + divisor - 1n) / divisor;
