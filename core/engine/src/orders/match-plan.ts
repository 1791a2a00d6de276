/**
 * What would happen if an order met the book now: whom it would trade with, and where it would stop. Nothing has changed yet,
 * so an order can still be refused; settlement carries the plan out without deciding anything again.
 */
import { addAtoms, addLots, assert, millis, minLots, NO_ATOMS, NO_LOTS, NO_TICKS, subtractAtoms, subtractLots } from '@orrery/units';
import type { Atoms, Lots, Millis, Ticks } from '@orrery/units';
import type { Order, Side } from '@orrery/protocol';
import { affordableSize, contractNotional, isByFunds, isWorse, notional } from '@orrery/rules';
import { NO_SLOT, type Slot } from '../book/book.ts';
import type { Listed } from '../instruments/listed-market.ts';
import { canCarry, type CarryState } from './carry.ts';
import { onlyReduces } from '../clearing/reduces.ts';
import { isOpenBy } from '../prices/contract-prices.ts';
import { PlannedPositions } from './planned-positions.ts';
import { reduceLimit, reducibleBy } from './reduce-limit.ts';

/**
 * With a stranger's order: a trade. With one's own, by the mode of self-trade prevention: it expires, or both lose the same size. What of a reduce-only order
 * would open a position expires, and so does an order of a contract whose account cannot bear the trade. While a contract is not open, so does what of any
 * order would open a position.
 */
export type StepKind = 'trade' | 'expireMaker' | 'expireReduceOnly' | 'expireUnpaid' | 'expireDegraded' | 'decrement';

/** complete: nothing is left to match; the others say what stopped it. budget: more orders stand against it than it may meet now. */
export type PlanEnd = 'complete' | 'bookEmpty' | 'bound' | 'selfTrade' | 'budget';

/** One step, in the maker's place in the book. */
export interface PlanStep {
  kind: StepKind;
  maker: Slot;
  price: Ticks;
  size: Lots;
  /** Quote atoms of the trade; 0 when there is none. */
  notional: Atoms;
}

/** Reused from order to order: only the first `count` steps are the plan's. */
export class MatchPlan {
  readonly #steps: PlanStep[] = [];
  count = 0;
  filled: Lots = NO_LOTS;
  /** Quote atoms of all trades. */
  traded: Atoms = NO_ATOMS;
  /** Lots left unmatched; 0 for an order by funds. */
  remaining: Lots = NO_LOTS;
  /** Quote atoms left unspent, of an order by funds. */
  funds: Atoms = NO_ATOMS;
  end: PlanEnd = 'complete';
  /** The worst price at which it may trade; 0 for none. */
  worst: Ticks = NO_TICKS;
  /** Of the makers, in a contract. */
  readonly positions = new PlannedPositions();

  /** The time of the command. */
  at: Millis = millis(0);

  /** Whether a later command goes on with what is left. */
  get isPaused(): boolean {
    return this.end === 'budget';
  }

  reset(size: Lots, funds: Atoms, worst: Ticks, at: Millis): void {
    this.at = at;
    this.count = 0;
    this.filled = NO_LOTS;
    this.traded = NO_ATOMS;
    this.remaining = size;
    this.funds = funds;
    this.end = 'complete';
    this.worst = worst;
    this.positions.clear();
  }

  trade(maker: Slot, price: Ticks, size: Lots, notional: Atoms): void {
    this.add('trade', maker, price, size, notional);
    this.filled = addLots(this.filled, size);
    this.traded = addAtoms(this.traded, notional);
  }

  add(kind: StepKind, maker: Slot, price: Ticks, size: Lots, notional: Atoms): void {
    const step = this.#steps[this.count];
    if (step === undefined) this.#steps.push({ kind, maker, price, size, notional });
    else {
      step.kind = kind;
      step.maker = maker;
      step.price = price;
      step.size = size;
      step.notional = notional;
    }
    this.count += 1;
  }

  step(index: number): PlanStep {
    const step = this.#steps[index];
    assert(step !== undefined && index < this.count, 'the step is part of the plan');
    return step;
  }
}

export const opposite = (side: Side): Side => (side === 'buy' ? 'sell' : 'buy');

/** An order, and what of it is left to match. */
export interface Matching {
  readonly order: Order;
  readonly remaining: Lots;
  readonly funds: Atoms;
  /** The worst price it may trade at; 0 for none. */
  readonly worst: Ticks;
  /** How many orders it may meet. */
  readonly fills: number;
  /** The time of the command. */
  readonly at: Millis;
}

/**
 * Plans how an order would match now.
 * @param makers of a contract, where an order may stand that only reduces or that its account cannot bear any more; undefined for a spot market
 * @param at the time of the command
 */
export function planMatch(plan: MatchPlan, market: Listed, matching: Matching, makers: CarryState | undefined): MatchPlan {
  const { book, terms, contract } = market;
  const { order, worst, fills, at } = matching;
  // Before rules 7 resting orders opened positions at any time.
  const isDegraded = makers !== undefined && makers.rules >= 7 && contract !== undefined && !isOpenBy(makers.rules, contract.prices, at);
  const byFunds = isByFunds(order);
  plan.reset(matching.remaining, matching.funds, worst, at);
  for (let maker = book.best(opposite(order.side)); ; maker = book.next(maker)) {
    if (!byFunds && plan.remaining === NO_LOTS) return plan;
    if (maker === NO_SLOT) return ended(plan, 'bookEmpty');
    const price = book.priceOf(maker);
    if (worst !== NO_TICKS && isWorse(price, worst, order.side)) return ended(plan, 'bound');
    if (plan.count >= fills) return ended(plan, 'budget');
    const standing = book.remainingOf(maker);
    const open = makers?.orders.known(book.orderIdOf(maker));
    const limit =
      makers === undefined || open === undefined
        ? undefined
        : (isDegraded ? reducibleBy : reduceLimit)(makers.positions, open, plan.positions);
    const beyond = isDegraded && open !== undefined && !onlyReduces(open.order) ? 'expireDegraded' : 'expireReduceOnly';
    if (limit === NO_LOTS) {
      plan.add(beyond, maker, price, standing, NO_ATOMS);
      continue;
    }
    const matched = byFunds
      ? affordableSize(plan.funds, price, standing, terms)
      : minLots(plan.remaining, limit === undefined ? standing : minLots(limit, standing));
    if (matched === NO_LOTS) return plan;
    const mode = book.accountOf(maker) === order.account ? order.selfTradePrevention : 'none';
    if (mode === 'expireTaker') return ended(plan, 'selfTrade');
    if (mode === 'expireMaker' || mode === 'expireBoth') plan.add('expireMaker', maker, price, standing, NO_ATOMS);
    if (mode === 'expireBoth') return ended(plan, 'selfTrade');
    if (mode === 'expireMaker') continue;
    const value = contract === undefined ? notional(price, matched, terms) : contractNotional(price, matched, contract.terms);
    if (makers !== undefined && open !== undefined && mode === 'none') {
      if (!canCarry(makers, market, open, { maker, price, size: matched, notional: value }, plan)) {
        plan.add('expireUnpaid', maker, price, standing, NO_ATOMS);
        continue;
      }
      plan.positions.count(open.payer, matched);
    }
    if (mode === 'none') plan.trade(maker, price, matched, value);
    else plan.add('decrement', maker, price, matched, NO_ATOMS);
    if (byFunds) plan.funds = subtractAtoms(plan.funds, value);
    else plan.remaining = subtractLots(plan.remaining, matched);
    if (limit !== undefined && matched === limit && limit < standing)
      plan.add(beyond, maker, price, subtractLots(standing, limit), NO_ATOMS);
    // Funds that buy no lot more here buy none further on either, where the price is no better.
    if (byFunds && affordableSize(plan.funds, price, matched, terms) === NO_LOTS) return plan;
  }
}

function ended(plan: MatchPlan, end: PlanEnd): MatchPlan {
  plan.end = end;
  return plan;
}
