/** What holds of every state, recomputed from nothing but the snapshot. Named by the rows of the invariants. */
import { assert, type AssetId, type Atoms } from '@orrery/units';
import type { BookTerms, Market } from '@orrery/protocol';
import { assertContractsSound, contractNeeds } from './contracts-sound.ts';
import type { OrderSnapshot, Snapshot } from '../snapshot/snapshot.ts';

export function assertSound(snapshot: Snapshot): void {
  assertSumsToZero(snapshot);
  assertNothingOverdrawn(snapshot);
  assertHoldsAreNeeds(snapshot);
  for (const { terms, resting } of [...snapshot.markets, ...snapshot.contracts]) {
    const orders = resting.map((id) => snapshot.orders.find(({ order }) => order.orderId === id)!);
    assertBookInOrder(terms, orders);
  }
  assertOrdersAddUp(snapshot);
  assertContractsSound(snapshot);
  assertEscrowSound(snapshot);
}

/** M1. */
function assertSumsToZero({ balances, systemBalances }: Snapshot): void {
  const sums = new Map<AssetId, bigint>();
  for (const { asset, free, held } of [...balances, ...systemBalances]) sums.set(asset, (sums.get(asset) ?? 0n) + free + held);
  for (const [asset, sum] of sums) assert(sum === 0n, `M1: asset ${asset} sums to zero, not ${sum}`);
}

/** M3, M10. */
function assertNothingOverdrawn({ balances, systemBalances }: Snapshot): void {
  for (const { free, held, account } of balances) assert(free >= 0n && held >= 0n, `M3: account ${account} has nothing below zero`);
  for (const { system, free, held } of systemBalances)
    assert(
      system === 'EXTERNAL' || system === 'CLEARING' || system === 'UNCOVERED' || (free >= 0n && held >= 0n),
      `M10: ${system} is not below zero`,
    );
}

/** M4: what is held is what the open orders and withdrawals need, no more and no less. */
function assertHoldsAreNeeds(snapshot: Snapshot): void {
  const needs = new Map<string, bigint>();
  const need = (key: string, amount: bigint): void => void needs.set(key, (needs.get(key) ?? 0n) + amount);
  for (const open of snapshot.orders) {
    if (open.order.contract !== undefined) continue;
    const { terms } = snapshot.markets.find(({ terms }) => terms.market === open.order.market)!;
    need(`${open.order.account} spot ${open.order.side === 'buy' ? terms.quote : terms.base}`, needWithPair(snapshot, open, terms));
  }
  for (const { account, asset, amount, state } of snapshot.withdrawals) {
    if (state === 'held' || state === 'sent') need(`${account} funding ${asset}`, amount);
  }
  for (const { fund, redemptions } of snapshot.funds)
    for (const { account, shares } of redemptions) need(`${account} funding ${fund}`, shares);
  for (const [key, amount] of contractNeeds(snapshot)) need(key, amount);
  for (const { account, wallet, asset, held } of snapshot.balances) {
    const key = `${account} ${wallet} ${asset}`;
    assert(held === (needs.get(key) ?? 0n), `M4: ${key} holds what it needs`);
    needs.delete(key);
  }
  for (const [key, amount] of needs) assert(amount === 0n, `M4: ${key} holds what it needs`);
}

/** The two of a pair need together what the one that needs more does. */
function needWithPair(snapshot: Snapshot, open: OrderSnapshot, terms: Market): bigint {
  const own = needOf(snapshot, open, terms);
  const group = open.order.spot?.group ?? 0;
  const other = group === 0 ? undefined : snapshot.orders.find((one) => one !== open && one.order.spot?.group === group);
  if (other === undefined) return own;
  assert(other.remaining === open.remaining && other.order.side === open.order.side, 'the two of a pair have the same left to trade');
  const others = needOf(snapshot, other, terms);
  return own > others || (own === others && open.order.orderId < other.order.orderId) ? own : 0n;
}

function needOf({ matching }: Snapshot, { order, remaining }: OrderSnapshot, terms: Market): Atoms | bigint {
  if (order.side === 'sell') return BigInt(remaining) * terms.lotAtoms;
  const unfinished = matching.find(({ orderId }) => orderId === order.orderId);
  if (unfinished !== undefined)
    return order.funds > 0n ? unfinished.fundsLeft : BigInt(unfinished.bound) * BigInt(remaining) * terms.tickLotAtoms;
  if (order.funds > 0n) return order.funds;
  // Where it began to follow is not in the state.
  if (order.spot !== undefined && order.spot.trailingPpm > 0)
    return BigInt(order.spot.reservePrice) * BigInt(remaining) * terms.tickLotAtoms;
  const ownWorst = order.orderType !== 'stopMarket' || order.price > 0;
  const price = ownWorst ? BigInt(order.price) : (BigInt(order.triggerPrice) * (1_000_000n + BigInt(terms.marketBandPpm))) / 1_000_000n;
  return price * BigInt(remaining) * terms.tickLotAtoms;
}

/** OT1: what lies in escrow is what is for sale, what open orders are of, and the deposits of merchants. */
function assertEscrowSound({ advertisements, otcOrders, merchantDeposits, systemBalances }: Snapshot): void {
  const sums = new Map<AssetId, bigint>();
  const add = (asset: AssetId, amount: bigint): void => void sums.set(asset, (sums.get(asset) ?? 0n) + amount);
  for (const { side, asset, available } of advertisements) if (side === 'sell') add(asset, available);
  for (const { status, terms } of otcOrders) if (['CREATED', 'PAID', 'DISPUTED'].includes(status)) add(terms.asset, terms.amount);
  for (const { asset, amount } of merchantDeposits) add(asset, amount);
  const escrow = systemBalances.filter(({ system }) => system === 'OTC_ESCROW');
  for (const { asset, free } of escrow) add(asset, 0n - free);
  for (const [asset, sum] of sums) assert(sum === 0n, `OT1: the escrow of asset ${asset} is what lies there for somebody`);
}

/** O2, and the priority in which a snapshot holds the book. */
function assertBookInOrder(terms: BookTerms, resting: readonly OrderSnapshot[]): void {
  const buys = resting.filter(({ order }) => order.side === 'buy').map(({ order }) => order.price);
  const sells = resting.filter(({ order }) => order.side === 'sell').map(({ order }) => order.price);
  assert(
    buys.every((price, index) => index === 0 || price <= buys[index - 1]!),
    `${terms.symbol}: buys from the best down`,
  );
  assert(
    sells.every((price, index) => index === 0 || price >= sells[index - 1]!),
    `${terms.symbol}: sells from the best up`,
  );
  assert(buys.length === 0 || sells.length === 0 || buys[0]! < sells[0]!, `O2: ${terms.symbol} is not crossed`);
}

/** O1, O7. */
function assertOrdersAddUp({ orders }: Snapshot): void {
  const names = new Set<string>();
  for (const { order, remaining, filled } of orders) {
    assert(order.size === 0 || (remaining > 0 && filled + remaining <= order.size), `O1: order ${order.orderId} adds up`);
    const name = `${order.account} ${order.clientOrderId}`;
    assert(order.clientOrderId === '' || !names.has(name), `O7: clientOrderId ${name} names one open order`);
    names.add(name);
  }
}
