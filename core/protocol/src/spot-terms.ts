/** What an order of a spot market may request beyond `OrderTerms`: take-profits, trailing stops, pairs, and what protects what an order buys. Since rules 8. */
import type { OrderId, Ppm, Ticks } from '@orrery/units';
import type { AttachedTrigger, TriggerDirection } from './contract.ts';

/** `plain` is every order that is none of the others; `stopLoss` is the stop of a pair, or of what an order has bought. */
export type SpotSource = 'plain' | 'takeProfit' | 'stopLoss';
export const SPOT_SOURCES = ['plain', 'takeProfit', 'stopLoss'] as const satisfies readonly SpotSource[];

/** What a command requests. */
export interface SpotTerms {
  readonly source: SpotSource;
  /** The distance at which a trailing stop follows the best last price; 0 for a trigger that stands still. */
  readonly trailingPpm: Ppm;
  /** A trailing stop of a sell follows from the first last price at or above it, of a buy at or below it; 0 follows at once. */
  readonly activationPrice: Ticks;
  /** Of what the order buys; they wait for the last price. */
  readonly takeProfit: AttachedTrigger;
  readonly stopLoss: AttachedTrigger;
}

/** What an accepted order has. */
export interface SpotOrderTerms extends SpotTerms {
  /** `none` where there is no trigger, and for a trailing stop that follows already. */
  readonly triggerDirection: TriggerDirection;
  /** The order whose purchase it protects; 0 for none. */
  readonly parent: OrderId | 0;
  /** Of a pair the id of its first order; 0 for none. */
  readonly group: OrderId | 0;
  /** The first order of a pair reserves for both: the other names it; 0 reserves for itself. */
  readonly reservedBy: OrderId | 0;
  /** At which a buy reserves: the worse price of a pair, or the worst of a trailing stop. 0 for its own price. */
  readonly reservePrice: Ticks;
}
