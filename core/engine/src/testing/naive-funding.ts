/**
 * Funding a second time, obvious and slow: what everybody owes is listed when an interval is settled, from positions as their events show them, and crossed out as it
 * is paid, without a line of the engine or the rules.
 */
import { assert, atoms, NO_ATOMS } from '@orrery/units';
import type { Contract, Event, FundingPaid, FundingSettled } from '@orrery/protocol';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { isIsolated } from './contracts-sound.ts';

export class NaiveFunding {
  readonly #contracts = new Map<number, Contract>();
  /** Signed lots of open positions, by account, market and side. */
  readonly #sizes = new Map<string, number>();
  /** Settle atoms to receive by position, below zero to pay, of intervals that were settled. */
  readonly #owed = new Map<string, bigint>();
  readonly #settled = new Set<string>();

  /** P2: once an interval, by those who held a position when it was settled, before the position changes. */
  follow(events: readonly Event[]): void {
    for (const event of events) {
      if (event.type === 'ContractRegistered') this.#contracts.set(event.market, event);
      else if (event.type === 'FundingSettled') this.#settle(event);
      else if (event.type === 'FundingPaid') this.#pay(event);
      else if (event.type === 'PositionReduced' && event.size > 0)
        assert(!this.#owed.has(keyOf(event)), `P2: ${keyOf(event)} pays its funding before it is reduced`);
    }
    for (const event of events) if (event.type === 'PositionChanged') this.#sizes.set(keyOf(event), event.size);
  }

  #settle({ market, interval, ratePpb, price }: FundingSettled): void {
    const key = `${market} ${interval}`;
    assert(!this.#settled.has(key), `P2: interval ${key} is settled once`);
    this.#settled.add(key);
    for (const [position, size] of this.#sizes) {
      if (Number(position.split(' ')[1]) !== market || size === 0) continue;
      assert(!this.#owed.has(position), `P2: ${position} has paid before the next interval is settled`);
      const amount = fundingOf(this.#contracts.get(market)!, { size, price, ratePpb });
      if (amount !== 0n) this.#owed.set(position, amount);
    }
  }

  #pay(event: FundingPaid): void {
    const key = keyOf(event);
    assert(this.#owed.get(key) === event.amount, `P2: ${key} pays ${event.amount}, and owes ${this.#owed.get(key)}`);
    assert(this.#settled.has(`${event.market} ${event.interval}`), `P2: ${key} pays for an interval that was settled`);
    this.#owed.delete(key);
  }

  /** What is unpaid by the state is what is owed. */
  compare(snapshot: Snapshot): void {
    const unpaid = unpaidOf(snapshot);
    for (const [key, amount] of this.#owed)
      assert(unpaid.get(key) === amount, `P2: ${key} owes ${amount}, the state has ${unpaid.get(key)}`);
    for (const [key, amount] of unpaid) assert(amount === 0n || this.#owed.has(key), `P2: the state lets ${key} owe ${amount}`);
  }
}

const keyOf = ({ account, market, positionSide }: { account: number; market: number; positionSide: string }): string =>
  `${account} ${market} ${positionSide}`;

const unpaidOfSnapshots = new WeakMap<Snapshot, ReadonlyMap<string, bigint>>();

/** What each position has yet to receive by a state, by account, market and side. Counted once for each snapshot. */
export function unpaidOf(snapshot: Snapshot): ReadonlyMap<string, bigint> {
  const before = unpaidOfSnapshots.get(snapshot);
  if (before !== undefined) return before;
  const unpaid = new Map<string, bigint>();
  for (const one of snapshot.unpaidPositions) {
    const settlement = snapshot.settlements.find(({ market }) => market === one.market)!;
    const { terms } = snapshot.contracts.find((contract) => contract.terms.market === one.market)!;
    const position = snapshot.positions.find((held) => keyOf(held) === keyOf(one))!;
    unpaid.set(keyOf(one), fundingOf(terms, { ...settlement, size: position.size }));
  }
  unpaidOfSnapshots.set(snapshot, unpaid);
  return unpaid;
}

/** The state with all funding paid at once: what margin is computed from, however little has been paid. A wallet that cannot pay is below zero. */
export function withFundingPaid(snapshot: Snapshot): Snapshot {
  const unpaid = unpaidOf(snapshot);
  if (unpaid.size === 0) return snapshot;
  const balances = [...snapshot.balances];
  const positions = snapshot.positions.map((position) => {
    const { account, market } = position;
    const amount = unpaid.get(keyOf(position)) ?? 0n;
    if (amount === 0n) return position;
    const margin = position.margin + amount;
    if (isIsolated(snapshot, account, market)) return { ...position, margin: atoms(margin > 0n ? margin : 0n) };
    const { payoff, settle: asset } = snapshot.contracts.find(({ terms }) => terms.market === market)!.terms;
    const wallet = payoff === 'linear' ? 'futures' : 'coinFutures';
    const place = balances.findIndex((one) => one.account === account && one.wallet === wallet && one.asset === asset);
    const before = balances[place] ?? { account, wallet, asset, free: NO_ATOMS, held: NO_ATOMS };
    balances.splice(place === -1 ? balances.length : place, 1, { ...before, free: atoms(before.free + amount) });
    return position;
  });
  return { ...snapshot, balances, positions, settlements: [], unpaidPositions: [] };
}

interface Rated {
  readonly size: number;
  readonly price: number;
  readonly ratePpb: number;
}

/** Signed: a payment is rounded away from zero and a receipt towards it, so both are rounded down. */
function fundingOf({ payoff, tickLotAtoms }: Contract, { size, price, ratePpb }: Rated): bigint {
  const exact = 0n - BigInt(size) * BigInt(ratePpb) * tickLotAtoms;
  return payoff === 'linear' ? down(exact * BigInt(price), 1_000_000_000n) : down(exact, BigInt(price) * 1_000_000_000n);
}

const down = (dividend: bigint, divisor: bigint): bigint => (dividend - (((dividend % divisor) + divisor) % divisor)) / divisor;
