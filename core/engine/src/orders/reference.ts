/** The price from which the bands of an order are measured: of a contract its mark, and before it has one its last price. */
import { NO_TICKS, type Millis, type Ticks } from '@orrery/units';
import { referencePrice } from '@orrery/rules';
import type { Listed } from '../instruments/listed-market.ts';
import type { Trading } from './trading.ts';

export function referenceOf({ rules }: Pick<Trading, 'rules'>, market: Listed, at: Millis): Ticks {
  const { contract } = market;
  if (contract === undefined) return referencePrice(rules, market, market.terms, at);
  return contract.prices.mark === NO_TICKS ? market.lastPrice : contract.prices.mark;
}
