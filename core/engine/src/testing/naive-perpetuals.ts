/**
 * Positions a second time, obvious and slow: they are recomputed from the list of all trades, of what was taken over and deleveraged, and of the profits that paid
 * for other positions, without a line of the engine or the rules.
 */
import { assert } from '@orrery/units';
import type { Contract, DeficitShared, Event, Order, PositionReduced, Trade } from '@orrery/protocol';
import type { PositionSnapshot } from '../snapshot/contract-snapshot.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';

/** What happened to one position. */
interface Part {
  readonly key: string;
  readonly market: number;
  readonly filled: Filled;
}

/** Profit that a position paid without closing: to its account, or for somebody else, whose deficit takes it. */
interface Settled {
  readonly key: string;
  readonly market: number;
  readonly profit: bigint;
  readonly isShared: boolean;
}

interface Recomputed {
  size: number;
  cost: bigint;
  realised: bigint;
  fees: bigint;
}

export class NaivePerpetuals {
  readonly #contracts = new Map<number, Contract>();
  readonly #orders = new Map<number, Order>();
  readonly #parts: (Part | Settled)[] = [];
  /** They stand before the event of the trade in which they were paid, and happened after it. */
  #settled: Settled[] = [];
  #liquidator = 0;

  follow(events: readonly Event[]): void {
    for (const event of events) {
      if (event.type === 'ContractRegistered') this.#contracts.set(event.market, event);
      else if (event.type === 'OrderAccepted') this.#orders.set(event.orderId, event);
      else if (event.type === 'LiquidatorSet') this.#liquidator = event.account;
      else if (event.type === 'PositionReduced') this.#reduce(event);
      // Funding is paid before the trade: what paid for it happened before what comes now.
      else if (event.type === 'FundingPaid') this.#afterTrade();
      else if (event.type === 'DeficitShared') this.#share(event);
      else if (event.type === 'Trade' && this.#contracts.has(event.market)) {
        this.#trade(event, event.takerOrderId, event.takerFee);
        this.#trade(event, event.makerOrderId, event.makerFee);
        this.#afterTrade();
      }
    }
    this.#afterTrade();
  }

  #share({ account, market, positionSide, paid }: DeficitShared): void {
    this.#afterTrade();
    this.#parts.push({ key: keyOf(account, market, positionSide), market, profit: paid, isShared: true });
  }

  #afterTrade(): void {
    this.#parts.push(...this.#settled);
    this.#settled = [];
  }

  #trade({ market, size, price }: Trade, orderId: number, fee: bigint): void {
    const order = this.#orders.get(orderId)!;
    const key = keyOf(order.account, market, order.contract?.positionSide ?? 'both');
    this.#parts.push({ key, market, filled: { bought: order.side === 'buy', size, price, fee, reduces: onlyReduces(order) } });
  }

  /** What closed without an order. Trades have been counted by themselves, and the liquidator receives what others lose to it. */
  #reduce({ account, market, positionSide, isLong, size, price, notional, profit, cause }: PositionReduced): void {
    const key = keyOf(account, market, positionSide);
    if (size === 0) this.#settled.push({ key, market, profit, isShared: false });
    if (size === 0 || (cause !== 'adl' && cause !== 'takeover')) return;
    if (cause === 'takeover' && account === this.#liquidator) return this.#afterTrade();
    const filled = { size, price, fee: 0n, notional };
    this.#parts.push({ key, market, filled: { ...filled, bought: !isLong, reduces: true } });
    if (cause === 'takeover')
      this.#parts.push({ key: keyOf(this.#liquidator, market, 'both'), market, filled: { ...filled, bought: isLong, reduces: false } });
    this.#afterTrade();
  }

  /** P3 for each position: the state has what the trades amount to. */
  compare({ positions }: Snapshot): void {
    const found = new Map(positions.filter(({ size }) => size !== 0).map((one) => [keyOf(one.account, one.market, one.positionSide), one]));
    for (const [key, expected] of this.#recompute()) {
      const actual = found.get(key);
      found.delete(key);
      assert((actual?.size ?? 0) === expected.size, `${key}: size ${actual?.size ?? 0}, by its trades ${expected.size}`);
      if (actual !== undefined) this.#compareOne(key, actual, expected);
    }
    assert(found.size === 0, `positions without a trade: ${[...found.keys()].join(', ')}`);
  }

  #compareOne(key: string, { cost, realised, fees }: PositionSnapshot, expected: Recomputed): void {
    assert(cost === expected.cost, `${key}: cost ${cost}, by its trades ${expected.cost}`);
    assert(realised === expected.realised, `${key}: realised ${realised}, by its trades ${expected.realised}`);
    assert(fees === expected.fees, `${key}: fees ${fees}, by its trades ${expected.fees}`);
  }

  #recompute(): Map<string, Recomputed> {
    const positions = new Map<string, Recomputed>();
    for (const part of this.#parts) {
      const position = positions.get(part.key) ?? { size: 0, cost: 0n, realised: 0n, fees: 0n };
      positions.set(part.key, position);
      const terms = this.#contracts.get(part.market)!;
      if ('filled' in part) add(position, terms, part.filled);
      else settle(position, terms, part);
    }
    return positions;
  }
}

const keyOf = (account: number, market: number, side: string): string => `${account} ${market} ${side}`;

interface Filled {
  readonly bought: boolean;
  readonly size: number;
  readonly price: number;
  readonly fee: bigint;
  readonly reduces: boolean;
  /** Of a part of what was closed together at one price: the parts are worth what the whole is, and each within an atom what it is alone. */
  readonly notional?: bigint;
}

/** By its terms, or by the side of hedge mode it is against. */
const onlyReduces = ({ side, contract }: Order): boolean =>
  contract !== undefined &&
  (contract.reduceOnly || contract.closePosition || contract.positionSide === (side === 'sell' ? 'long' : 'short'));

function add(position: Recomputed, terms: Contract, { bought, size, price, fee, reduces, notional }: Filled): void {
  const isAgainst = position.size !== 0 && position.size > 0 !== bought;
  const held = Math.abs(position.size);
  const closed = isAgainst ? Math.min(held, size) : 0;
  const opened = size - closed;
  assert(!reduces || opened === 0, `O5: an order that only reduces opened ${opened} lots`);
  const alone = notionalOf(terms, price, size);
  const whole = notional ?? alone;
  assert(whole - alone >= -1n && whole - alone <= 1n, `a part of ${size} lots at ${price} is worth ${whole}, alone ${alone}`);
  const closing = opened === 0 ? whole : notionalOf(terms, price, closed);
  const closingFee = opened === 0 ? fee : (fee * BigInt(closed)) / BigInt(size);
  if (closed > 0) {
    const released = (position.cost * BigInt(closed)) / BigInt(held);
    const gains = position.size > 0 === (terms.payoff === 'linear');
    position.realised += gains ? closing - released : released - closing;
    position.cost -= released;
    position.fees += closingFee;
    position.size += bought ? closed : -closed;
  }
  if (opened === 0) return;
  if (position.size === 0) Object.assign(position, { realised: 0n, fees: 0n });
  position.cost += whole - closing;
  position.fees += fee - closingFee;
  position.size += bought ? opened : -opened;
}

/** Its cost moves towards the mark by what it paid. */
function settle(position: Recomputed, { payoff }: Contract, { profit, isShared }: Settled): void {
  position.cost += position.size > 0 === (payoff === 'linear') ? profit : -profit;
  if (!isShared) position.realised += profit;
}

function notionalOf({ payoff, tickLotAtoms }: Contract, price: number, size: number): bigint {
  const one = BigInt(size) * tickLotAtoms;
  return payoff === 'linear' ? one * BigInt(price) : one / BigInt(price);
}
