/** The terms that an order of a spot market is accepted with. */
import { NO_TICKS, type OrderId, type Ticks } from '@orrery/units';
import type { CommandRejected, OrderTerms, PlaceSpotOrder, SpotOrderTerms, SpotTerms } from '@orrery/protocol';
import { reject, spotDirection, trailingReserve } from '@orrery/rules';
import type { Listed } from '../instruments/listed-market.ts';
import type { Trading } from './trading.ts';

/** What an order has of others. */
export interface Kin {
  readonly parent: OrderId | 0;
  readonly group: OrderId | 0;
  readonly reservedBy: OrderId | 0;
  /** 0 for its own. */
  readonly reservePrice: Ticks;
}

export const NO_KIN: Kin = { parent: 0, group: 0, reservedBy: 0, reservePrice: NO_TICKS };

/** @param market undefined when there is none of the order's: then it is refused */
export function spotOrderTerms(order: OrderTerms, terms: SpotTerms, market: Listed | undefined, kin: Kin = NO_KIN): SpotOrderTerms {
  const lastPrice = market?.lastPrice ?? NO_TICKS;
  const accepted: SpotOrderTerms = { ...terms, ...kin, triggerDirection: spotDirection(order, terms, lastPrice) };
  if (terms.trailingPpm === 0 || market === undefined) return accepted;
  return { ...accepted, reservePrice: trailingReserve(order, accepted, lastPrice, market.terms) };
}

/** What a command may not request. */
export function refuseSpotTerms({ rules }: Pick<Trading, 'rules'>, { spot }: Pick<PlaceSpotOrder, 'spot'>): CommandRejected | undefined {
  if (rules < 8) return reject('RulesTooOld');
  // Stops of pairs and of purchases are placed by the exchange alone.
  return spot.source === 'stopLoss' ? reject('InvalidField', 'source') : undefined;
}
