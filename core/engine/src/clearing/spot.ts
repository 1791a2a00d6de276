/** Clearing of spot markets: the spot wallet pays at once, quote for a buy, base for a sell. Fees are paid in what is received, to FEE. */
import { addAtoms, negateAtoms, NO_ATOMS, subtractAtoms, type Atoms, type Lots } from '@orrery/units';
import type { CommandRejected, Market, Order } from '@orrery/protocol';
import { baseAmount, feeOn, hasLimit, holdOf, reject } from '@orrery/rules';
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
    return free < this.#needOf(order, plan) ? reject('InsufficientBalance') : undefined;
  }

  reserve({ order, payer, remaining }: ClearedOrder): void {
    hold(this.#ledger, payer, 'orderMargin', holdOf(order, remaining, this.#terms));
  }

  release({ order, payer }: ClearedOrder, size: Lots): void {
    release(this.#ledger, payer, 'orderMargin', holdOf(order, size, this.#terms));
  }

  clear({ taker, maker, size, notional }: Fill): Fees {
    const terms = this.#terms;
    const base = baseAmount(size, terms);
    const takerBuys = taker.order.side === 'buy';
    const takerFee = feeOn(takerBuys ? base : notional, terms.takerFeePpm);
    const makerFee = feeOn(takerBuys ? notional : base, terms.makerFeePpm);
    if (takerBuys) {
      this.#ledger.postFree(taker.payer, negateAtoms(notional));
      this.#receiveBase(taker.order, base, takerFee);
      // A maker trades at its own price, so its reservation is exactly what it pays.
      this.#ledger.postReserved(maker.payer, 'orderMargin', negateAtoms(base));
      this.#receiveQuote(maker.order, notional, makerFee);
    } else {
      this.#ledger.postReserved(maker.payer, 'orderMargin', negateAtoms(notional));
      this.#receiveBase(maker.order, base, makerFee);
      this.#ledger.postFree(taker.payer, negateAtoms(base));
      this.#receiveQuote(taker.order, notional, takerFee);
    }
    return { takerFee, makerFee };
  }

  /** A market buy needs what it will spend; every other order what it reserves for its whole size. */
  #needOf(order: Order, plan: PlannedTrades | undefined): Atoms {
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
