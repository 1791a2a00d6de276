/** What holds of the contracts of every state, recomputed from nothing but the snapshot, and without the rules of the engine. */
import { assert } from '@orrery/units';
import type { Contract } from '@orrery/protocol';
import type { PositionSnapshot } from '../snapshot/contract-snapshot.ts';
import type { OrderSnapshot, Snapshot } from '../snapshot/snapshot.ts';

export function assertContractsSound(snapshot: Snapshot): void {
  for (const { terms } of snapshot.contracts) {
    const positions = snapshot.positions.filter(({ market }) => market === terms.market);
    assertSidesEqual(terms, positions);
    assertReductionsFit(snapshot, terms, positions);
    for (const { size, cost, margin, account } of positions)
      assert(
        cost >= 0n && margin >= 0n && (size !== 0 || (cost === 0n && margin === 0n)),
        `${terms.symbol}: the position of ${account} adds up`,
      );
  }
  assertSettlements(snapshot);
  assertClearing(snapshot);
}

/** P1, P9. */
function assertSidesEqual({ symbol, openInterestCap }: Contract, positions: readonly PositionSnapshot[]): void {
  const sum = positions.reduce((total, { size }) => total + size, 0);
  assert(sum === 0, `P1: ${symbol} has as much long as short`);
  const long = positions.reduce((total, { size }) => total + Math.max(0, size), 0);
  assert(long <= openInterestCap, `P9: the open interest of ${symbol} is below its cap`);
}

/** P2: a settlement stands as long as somebody who holds a position has not paid it, and the sweep leaves nobody behind. */
function assertSettlements({ settlements, unpaidPositions, positions }: Snapshot): void {
  for (const { market, nextAccount } of settlements) {
    const unpaid = unpaidPositions.filter((one) => one.market === market);
    assert(unpaid.length > 0, `P2: somebody has to pay the settlement of contract ${market}`);
    assert(
      unpaid.every(({ account }) => account >= nextAccount),
      `P2: those whom the sweep of contract ${market} has passed have paid`,
    );
  }
  for (const one of unpaidPositions) {
    const { account, market, positionSide } = one;
    const isHeld = positions.some(
      (held) => held.account === account && held.market === market && held.positionSide === positionSide && held.size !== 0,
    );
    assert(isHeld && settlements.some((settlement) => settlement.market === market), `P2: account ${account} owes for what it holds`);
  }
}

/** P3: what contracts paid and received is what open positions cost, and what CLEARING has advanced of unfinished funding, to the atom. */
function assertClearing({ contracts, positions, systemBalances, settlements }: Snapshot): void {
  const owed = new Map<number, bigint>();
  for (const { terms } of contracts) owed.set(terms.settle, owed.get(terms.settle) ?? 0n);
  for (const { market, size, cost } of positions) {
    const { settle, payoff } = contracts.find(({ terms }) => terms.market === market)!.terms;
    const signed = size > 0 === (payoff === 'linear') ? cost : 0n - cost;
    owed.set(settle, (owed.get(settle) ?? 0n) + signed);
  }
  for (const { market, received } of settlements) {
    const { settle } = contracts.find(({ terms }) => terms.market === market)!.terms;
    owed.set(settle, (owed.get(settle) ?? 0n) + received);
  }
  for (const [asset, cost] of owed) {
    const clearing = systemBalances.find((one) => one.system === 'CLEARING' && one.asset === asset)?.free ?? 0n;
    assert(clearing + cost === 0n, `P3: clearing of asset ${asset} is ${clearing}, positions cost ${cost} with funding that was advanced`);
  }
}

const onlyReduces = ({ order }: OrderSnapshot): boolean => {
  const { contract, side } = order;
  if (contract === undefined) return false;
  return contract.reduceOnly || contract.closePosition || contract.positionSide === (side === 'sell' ? 'long' : 'short');
};

const restingOfSnapshots = new WeakMap<Snapshot, Map<number, readonly OrderSnapshot[]>>();

/** Orders in the book of a contract: not those that wait for a trigger, whatever their trigger is. Listed once for each snapshot. */
function restingIn(snapshot: Snapshot, market: number): readonly OrderSnapshot[] {
  let ofSnapshot = restingOfSnapshots.get(snapshot);
  if (ofSnapshot === undefined) {
    ofSnapshot = new Map();
    for (const { terms, resting } of snapshot.contracts) {
      const ids = new Set<number>(resting);
      const standing = snapshot.orders.filter(({ order }) => ids.has(order.orderId));
      ofSnapshot.set(terms.market, [...standing, ...unfinishedIn(snapshot, terms.market)]);
    }
    restingOfSnapshots.set(snapshot, ofSnapshot);
  }
  return ofSnapshot.get(market) ?? [];
}

/** An order that goes on with the next command counts like one that rests at its worst price; what only reduces and may not rest counts for nothing. */
const unfinishedIn = ({ matching, orders }: Snapshot, market: number): readonly OrderSnapshot[] =>
  matching.flatMap(({ orderId, bound }) => {
    const open = orders.find(({ order }) => order.orderId === orderId);
    if (open === undefined || open.order.market !== market) return [];
    if (onlyReduces(open) && open.order.timeInForce !== 'GTC') return [];
    return [{ ...open, order: { ...open.order, price: bound } }];
  });

/** O5: what only reduces is against its position, and no larger. A stop that was reached and rests stands by itself, the others together. */
function assertReductionsFit(snapshot: Snapshot, { market, symbol }: Contract, positions: readonly PositionSnapshot[]): void {
  const sums = new Map<string, number>();
  for (const open of restingIn(snapshot, market)) {
    if (!onlyReduces(open)) continue;
    const { account, side, contract } = open.order;
    const isStop = open.order.orderType === 'stopLimit' || open.order.orderType === 'stopMarket';
    const key = `${account} ${contract!.positionSide} ${side} ${snapshot.rules >= 8 && isStop ? open.order.orderId : 'together'}`;
    sums.set(key, (sums.get(key) ?? 0) + open.remaining);
  }
  for (const [key, size] of sums) {
    const [account, positionSide, side] = key.split(' ');
    const held = positions.find((one) => `${one.account}` === account && one.positionSide === positionSide)?.size ?? 0;
    assert(size <= (side === 'sell' ? held : 0 - held), `O5: ${symbol}: ${key} reduces by ${size} what holds ${held}`);
  }
}

export const isIsolated = ({ exposures }: Snapshot, account: number, market: number): boolean =>
  exposures.some((one) => one.account === account && one.market === market && one.mode === 'isolated');

/** M4: isolated margin, and what the orders of isolated contracts need, by account, wallet and asset. */
export function contractNeeds(snapshot: Snapshot): Map<string, bigint> {
  const needs = new Map<string, bigint>();
  for (const { terms } of snapshot.contracts) {
    const wallet = terms.payoff === 'linear' ? 'futures' : 'coinFutures';
    const positions = snapshot.positions.filter(({ market }) => market === terms.market);
    const orders = snapshot.orders.filter(({ order }) => order.market === terms.market);
    const accounts = new Set([...positions.map(({ account }) => account), ...orders.map(({ order }) => order.account)]);
    for (const account of accounts) {
      const own = positions.filter((one) => one.account === account);
      const key = `${account} ${wallet} ${terms.settle}`;
      let need = own.reduce((sum, { margin }) => sum + margin, 0n);
      if (isIsolated(snapshot, account, terms.market)) need += ordersNeed(snapshot, terms, account);
      needs.set(key, (needs.get(key) ?? 0n) + need);
    }
  }
  return needs;
}

/** What the resting orders of an account in a contract need, on each side of hedge mode by itself. */
export function ordersNeed(snapshot: Snapshot, terms: Contract, account: number): bigint {
  const isOwn = (one: { readonly account: number; readonly market: number }): boolean =>
    one.account === account && one.market === terms.market;
  const resting = restingIn(snapshot, terms.market).filter((one) => isOwn(one.order) && !onlyReduces(one));
  let need = 0n;
  for (const side of ['both', 'long', 'short'] as const) {
    const position = snapshot.positions.find((one) => isOwn(one) && one.positionSide === side);
    need += needOf(
      terms,
      position,
      resting.filter(({ order }) => order.contract?.positionSide === side),
    );
  }
  return need;
}

/** The greater of what buys and sells may open, at the leverage of the position, and the taker fee of it; each rounded up. */
function needOf(terms: Contract, position: PositionSnapshot | undefined, orders: readonly OrderSnapshot[]): bigint {
  const held = position?.size ?? 0;
  const leverage = BigInt(position?.leverage ?? terms.initLeverage);
  const of = (side: 'buy' | 'sell'): bigint => {
    const ordered = orders.filter(({ order }) => order.side === side);
    const size = ordered.reduce((sum, { remaining }) => sum + remaining, 0);
    const notional = ordered.reduce((sum, { order, remaining }) => sum + notionalOf(terms, order.price, remaining), 0n);
    const openable = size - Math.max(0, side === 'buy' ? 0 - held : held);
    if (openable <= 0) return 0n;
    const opening = openable >= size ? notional : up(notional * BigInt(openable), BigInt(size));
    return up(opening, leverage) + up(opening * BigInt(terms.takerFeePpm), 1_000_000n);
  };
  const [buying, selling] = [of('buy'), of('sell')];
  return buying > selling ? buying : selling;
}

function notionalOf({ payoff, tickLotAtoms }: Contract, price: number, size: number): bigint {
  const one = BigInt(size) * tickLotAtoms;
  return payoff === 'linear' ? one * BigInt(price) : one / BigInt(price);
}

const up = (dividend: bigint, divisor: bigint): bigint => (dividend + divisor - 1n) / divisor;
