/**
 * Clearing of a contract. Orders reserve initial margin: under cross it is computed, and only an isolated contract posts it. A trade changes the
 * positions of both sides, and what they owe is paid in an order that ends with the insurance fund: a trade never fails for money.
 */
import {
  addAtoms,
  addLots,
  minAtoms,
  NO_ATOMS,
  NO_LOTS,
  subtractAtoms,
  subtractLots,
  type Atoms,
  type Lots,
  type Ticks,
} from '@orrery/units';
import type { CommandRejected, Event, Order } from '@orrery/protocol';
import { contractFees, contractNotional, hasLimit, makerFeeRate, takerFeeRate } from '@orrery/rules';
import { refuseFundLimits } from '../funds/refuse-fund.ts';
import { orderNeedOf } from '../margin/order-need.ts';
import type { ContractState } from '../positions/contract-state.ts';
import type { Exposure, OrderSum, PositionRow } from '../positions/position-row.ts';
import type { ArrivingOrder, ClearedOrder, Clearing, Fees, Fill, Payer, PlannedTrades } from './clearing.ts';
import { fillPosition, type PositionState } from './fill-position.ts';
import { payFunding } from './pay-funding.ts';
import { refuseContractMargin } from './refuse-margin.ts';
import { onlyReduces } from './reduces.ts';

/** What the limits of a fund leave to an order that may open. */
function refuseLimits(
  state: PositionState,
  row: PositionRow,
  { order, leaving, at }: ArrivingOrder,
  plan: PlannedTrades,
): CommandRejected | undefined {
  if (state.funds.size === 0 || onlyReduces(order)) return undefined;
  const left = leaving?.status === 'resting' && !onlyReduces(leaving.order) ? leaving.remaining : NO_LOTS;
  return refuseFundLimits(state, row, { order, size: addLots(plan.filled, plan.remaining), leaving: left, at });
}

export class PerpetualClearing implements Clearing {
  readonly #state: PositionState;
  readonly #contract: ContractState;

  constructor(state: PositionState, contract: ContractState) {
    this.#state = state;
    this.#contract = contract;
  }

  payerOf({ account, contract }: Order): Payer {
    return this.#state.positions.row(account, this.#contract, contract?.positionSide ?? 'both').payer;
  }

  refuse(arriving: ArrivingOrder, plan: PlannedTrades | undefined): CommandRejected | undefined {
    if (plan === undefined) return undefined;
    const row = this.#rowOf(arriving.payer);
    return refuseLimits(this.#state, row, arriving, plan) ?? refuseContractMargin(this.#state, row, arriving, plan);
  }

  /** An order that waits for its trigger reserves nothing. */
  reserve(open: ClearedOrder): void {
    if (open.status === 'armed' && onlyReduces(open.order)) this.#rowOf(open.payer).waiting += 1;
    if (open.status !== 'resting' && open.status !== 'matching') return;
    const row = this.#rowOf(open.payer);
    countResting(row, open);
    this.#reserveAgain(row.exposure);
  }

  release(open: ClearedOrder, size: Lots): void {
    if (open.status === 'armed' && onlyReduces(open.order)) this.#rowOf(open.payer).waiting -= 1;
    if (open.status !== 'resting' && open.status !== 'matching') return;
    const row = this.#rowOf(open.payer);
    this.#uncount(row, open, size);
    this.#reserveAgain(row.exposure);
  }

  clear(fill: Fill, events: Event[]): Fees {
    const { taker, maker, notional, price, size, at } = fill;
    const state = this.#state;
    const takerRow = this.#rowOf(taker.payer);
    const makerRow = this.#rowOf(maker.payer);
    const { takerFee, makerFee } = this.#feesOf(takerRow, makerRow, notional);
    payFunding(state, takerRow.exposure.holder, events);
    payFunding(state, makerRow.exposure.holder, events);
    this.#uncount(makerRow, maker, size);
    this.#freeReserved(takerRow.exposure);
    this.#freeReserved(makerRow.exposure);
    const cause =
      taker.order.contract?.source === 'closeAll' ? 'closeAll' : taker.order.contract?.source === 'liquidation' ? 'liquidation' : 'trade';
    fillPosition(state, takerRow, { side: taker.order.side, price, size, notional, fee: takerFee, cause, at }, events);
    fillPosition(state, makerRow, { side: maker.order.side, price, size, notional, fee: makerFee, cause: 'trade', at }, events);
    this.#reserveAgain(takerRow.exposure);
    this.#reserveAgain(makerRow.exposure);
    return { takerFee, makerFee };
  }

  #rowOf(payer: Payer): PositionRow {
    return this.#state.positions.at(payer);
  }

  #feesOf(taker: PositionRow, maker: PositionRow, notional: Atoms): Fees {
    const { terms } = this.#contract;
    const takerHolder = taker.exposure.holder;
    const makerHolder = maker.exposure.holder;
    return contractFees(
      notional,
      takerFeeRate(terms, takerHolder.feeTier),
      makerFeeRate(terms, makerHolder.feeTier, makerHolder.rebateTier),
    );
  }

  /** `size` lots of a resting order no longer rest: what is left of an inverse notional is exact, so the sums are too. */
  #uncount(row: PositionRow, open: ClearedOrder, size: Lots): void {
    if (onlyReduces(open.order)) {
      if (mayRest(open.order)) row.reducing[open.order.side] = subtractLots(row.reducing[open.order.side], size);
      return;
    }
    const sum = sumOf(row, open.order);
    const left = subtractLots(open.remaining, size);
    sum.size = subtractLots(sum.size, size);
    // A linear notional is exact, so its parts are too.
    if (left === NO_LOTS || this.#contract.terms.payoff === 'linear') {
      sum.notional = subtractAtoms(sum.notional, this.#notionalOf(open, size));
      return;
    }
    sum.notional = addAtoms(subtractAtoms(sum.notional, this.#notionalOf(open, open.remaining)), this.#notionalOf(open, left));
  }

  #notionalOf(open: ClearedOrder, size: Lots): Atoms {
    return contractNotional(priceOf(open), size, this.#contract.terms);
  }

  #freeReserved(exposure: Exposure): void {
    if (exposure.reserved === NO_ATOMS) return;
    this.#state.ledger.postWithin(exposure.balance, 'orderMargin', subtractAtoms(NO_ATOMS, exposure.reserved));
    exposure.reserved = NO_ATOMS;
  }

  /** Of an isolated contract: its orders reserve what they need, as far as there is money. What is missing closes orders before the command ends. */
  #reserveAgain(exposure: Exposure): void {
    if (exposure.mode === 'cross') return;
    reserveOrders(this.#state, exposure);
  }
}

/** Posts what the orders of an isolated contract need. */
export function reserveOrders({ ledger, positions }: PositionState, exposure: Exposure): void {
  const need = exposure.mode === 'cross' ? NO_ATOMS : orderNeedOf(exposure);
  const possible = addAtoms(ledger.free(exposure.balance), exposure.reserved);
  const reserved = minAtoms(need, possible);
  if (reserved !== exposure.reserved) ledger.postWithin(exposure.balance, 'orderMargin', subtractAtoms(reserved, exposure.reserved));
  exposure.reserved = reserved;
  if (reserved < need) positions.recheck(exposure);
}

/** An order that rests, or goes on later, counts among those of its position: in lots, and by what it may open. */
export function countResting(row: PositionRow, open: ClearedOrder): void {
  const { order, remaining } = open;
  if (onlyReduces(order)) {
    if (mayRest(order)) row.reducing[order.side] = addLots(row.reducing[order.side], remaining);
    return;
  }
  const sum = sumOf(row, order);
  sum.size = addLots(sum.size, remaining);
  sum.notional = addAtoms(sum.notional, contractNotional(priceOf(open), remaining, row.exposure.contract.terms));
}

/** The worst at which it trades: of one that goes on later it may be a bound of the market. */
const priceOf = ({ order, status, bound }: ClearedOrder): Ticks => (status === 'matching' ? bound : order.price);

/** What only reduces and never rests takes nothing from those that do. */
const mayRest = (order: Order): boolean => hasLimit(order) && (order.timeInForce === 'GTC' || order.timeInForce === 'GTX');

const sumOf = ({ buys, sells }: PositionRow, { side }: Order): OrderSum => (side === 'buy' ? buys : sells);
