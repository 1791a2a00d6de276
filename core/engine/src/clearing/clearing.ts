/**
 * The seam between matching and money: how an order is reserved, released and paid. Matching knows books and counters, never balances; a kind of
 * instrument brings its clearing (`spot.ts` pays at once, `perpetual.ts` changes positions).
 */
import type { Atoms, Lots, Millis, Ticks } from '@orrery/units';
import type { CommandRejected, Event, Order } from '@orrery/protocol';

/** What an order pays from, under a number that only its clearing can read: found once, when the order comes in. */
export type Payer = number;

/** An order as clearing sees it. */
export interface ClearedOrder {
  /** As it was accepted. */
  readonly order: Order;
  readonly payer: Payer;
  /** Lots still to trade; 0 for an order by funds. */
  readonly remaining: Lots;
  /** armed: it waits for its trigger. matching: a later command goes on with it. */
  readonly status: 'acting' | 'armed' | 'resting' | 'matching';
  /** While it is matching: its worst price, and what is left of its funds. */
  readonly bound: Ticks;
  readonly fundsLeft: Atoms;
}

/** An order on its way in. */
export interface ArrivingOrder {
  readonly order: Order;
  readonly payer: Payer;
  /** The open order whose reservation is released for it: the amended one, or itself when a stop triggers. */
  readonly leaving: ClearedOrder | undefined;
  /** The time of the command. */
  readonly at: Millis;
}

/** What an order would trade at once. */
export interface PlannedTrades {
  /** Quote atoms of all trades; in a contract settle atoms. */
  readonly traded: Atoms;
  readonly filled: Lots;
  /** Lots that would rest if the order may rest. */
  readonly remaining: Lots;
  /** Quote atoms left unspent, of an order by funds. */
  readonly funds: Atoms;
  /** Whether a later command goes on with what is left, at prices no worse than this. */
  readonly isPaused: boolean;
  readonly worst: Ticks;
  /** Of the steps, of which not each is a trade. */
  readonly count: number;
  step(index: number): PlannedStep;
}

export interface PlannedStep {
  readonly kind: string;
  readonly price: Ticks;
  readonly size: Lots;
  /** Settle or quote atoms. */
  readonly notional: Atoms;
}

/** One trade, before it is counted in the orders. The taker has no reservation, the maker has one. */
export interface Fill {
  readonly taker: ClearedOrder;
  readonly maker: ClearedOrder;
  readonly price: Ticks;
  readonly size: Lots;
  /** Quote atoms; in a contract settle atoms. */
  readonly notional: Atoms;
  /** The time of the command. */
  readonly at: Millis;
}

/** Each in atoms of the asset that its payer receives. */
export interface Fees {
  readonly takerFee: Atoms;
  readonly makerFee: Atoms;
}

export interface Clearing {
  payerOf(order: Order): Payer;
  /** Why an order cannot be paid for. @param plan undefined for an order that waits for its trigger */
  refuse(arriving: ArrivingOrder, plan: PlannedTrades | undefined): CommandRejected | undefined;
  /** Reserves what the remaining size of an order may cost. */
  reserve(open: ClearedOrder): void;
  /** Releases what `size` lots of an order had reserved; an order by funds releases everything. */
  release(open: ClearedOrder, size: Lots): void;
  /** Pays a trade. @param events receives what it did beyond money: to positions */
  clear(fill: Fill, events: Event[]): Fees;
}
