/** Clearing of spot markets: the spot wallet pays at once, quote for a buy, base for a sell. Fees are paid in what is received, to FEE. */
import { addAtoms, negateAtoms, NO_ATOMS, subtractAtoms, type Atoms, type Lots } from '@orrery/units';
import type { CommandRejected, Market, Order } from '@orrery/protocol';
import { baseAmount, feeOn, hasLimit, holdOf, isByFunds, missingMoney, notional, rejectBeyond } from '@orrery/rules';
import type { Ledger } from '../ledger/ledger.ts';
import { hold, release } from '../ledger/movements.ts';
import type { ArrivingOrder, ClearedOrder, Clearing, Fees, Fill, Payer, PlannedTrades } from './clearing.ts';

export class SpotClearing implements Clearing {
  readonly #ledger: Ledger;
  readonly #terms: Market;

  constructor(ledger: Ledger, terms: Market) {
    this.#ledger = ledger;
    this.#terms = terms;
  }

  payerOf({ account, side }: Order): Payer {
    return this.#ledger.of(account, 'spot', side === 'buy' ? this.#terms.quote : this.#terms.base);
  }

  refuse({ order, payer, leaving }: ArrivingOrder, plan: PlannedTrades | undefined): CommandRejected | undefined {
    const returned = leaving === undefined ? NO_ATOMS : holdOf(leaving.order, leaving.remaining, this.#terms);
    const free = addAtoms(this.#ledger.free(payer), returned);
    const needed = this.#needOf(order, plan);
    if (free >= needed) return undefined;
    const asset = order.side === 'buy' ? this.#terms.quote : this.#terms.base;
    return rejectBeyond('InsufficientBalance', '', missingMoney(asset, { needed, available: free }));
  }

  reserve(open: ClearedOrder): void {
    hold(this.#ledger, open.payer, 'orderMargin', this.#holdOf(open, open.remaining));
  }

  release(open: ClearedOrder, size: Lots): void {
    release(this.#ledger, open.payer, 'orderMargin', this.#holdOf(open, size));
  }

  clear({ taker, maker, size, notional: traded }: Fill): Fees {
    const terms = this.#terms;
    const base = baseAmount(size, terms);
    const takerBuys = taker.order.side === 'buy';
    const takerFee = feeOn(takerBuys ? base : traded, terms.takerFeePpm);
    const makerFee = feeOn(takerBuys ? traded : base, terms.makerFeePpm);
    if (takerBuys) {
      this.#ledger.postFree(taker.payer, negateAtoms(traded));
      this.#receiveBase(taker.order, base, takerFee);
      // A maker trades at its own price, so its reservation is exactly what it pays.
      this.#ledger.postReserved(maker.payer, 'orderMargin', negateAtoms(base));
      this.#receiveQuote(maker.order, traded, makerFee);
    } else {
      this.#ledger.postReserved(maker.payer, 'orderMargin', negateAtoms(traded));
      if (maker.order.spot !== undefined) this.#releaseExcess(maker, size, traded);
      this.#receiveBase(maker.order, base, makerFee);
      this.#ledger.postFree(taker.payer, negateAtoms(base));
      this.#receiveQuote(taker.order, traded, takerFee);
    }
    return { takerFee, makerFee };
  }

  /** The first order of a pair reserves at the worse price of the two. */
  #releaseExcess({ order, payer }: ClearedOrder, size: Lots, traded: Atoms): void {
    const excess = subtractAtoms(holdOf(order, size, this.#terms), traded);
    if (excess > NO_ATOMS) release(this.#ledger, payer, 'orderMargin', excess);
  }

  /** A buy that goes on later holds its funds, or what is left of it at its worst price. */
  #holdOf({ order, status, bound, fundsLeft }: ClearedOrder, size: Lots): Atoms {
    if (status !== 'matching' || order.side === 'sell') return holdOf(order, size, this.#terms);
    return isByFunds(order) ? fundsLeft : notional(bound, size, this.#terms);
  }

  /** A market buy needs what it will spend, and what it will hold; every other order what it reserves for its whole size. */
  #needOf(order: Order, plan: PlannedTrades | undefined): Atoms {
    if (plan?.isPaused === true && order.side === 'buy' && !hasLimit(order))
      return addAtoms(plan.traded, isByFunds(order) ? plan.funds : notional(plan.worst, plan.remaining, this.#terms));
    return plan !== undefined && order.side === 'buy' && !hasLimit(order) ? plan.traded : holdOf(order, order.size, this.#terms);
  }

  #receiveBase({ account }: Order, base: Atoms, fee: Atoms): void {
    const ledger = this.#ledger;
    ledger.postFree(ledger.of(account, 'spot', this.#terms.base), subtractAtoms(base, fee));
    ledger.postFree(ledger.fees(this.#terms.base), fee);
  }

  #receiveQuote({ account }: Order, notional: Atoms, fee: Atoms): void {
    const ledger = this.#ledger;
    ledger.postFree(ledger.of(account, 'spot', this.#terms.quote), subtractAtoms(notional, fee));
    ledger.postFree(ledger.fees(this.#terms.quote), fee);
  }
}
