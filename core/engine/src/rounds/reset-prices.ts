import type { Millis } from '@orrery/units';
import type { Event } from '@orrery/protocol';
import type { Exchange } from '../exchange.ts';
import { forgetRounds } from '../prices/contract-prices.ts';
import { pricesSet } from '../instruments/prices-set.ts';

/** X4: after a start of the program, nothing is liquidated before three fresh rounds. */
export function resetPrices(exchange: Exchange, at: Millis): Event[] {
  const listed = [...exchange.contracts.values()].sort((left, right) => left.terms.market - right.terms.market);
  for (const { contract } of listed) forgetRounds(contract.prices);
  return listed.map((one) => pricesSet(exchange, one, at));
}
