/** A round of outside prices of a collateral: what it is valued by. Since rules 7; before them the index price of its spot market did it alone. */
import { NO_TICKS, type Millis } from '@orrery/units';
import type { Event, SubmitCollateralPrices } from '@orrery/protocol';
import { nextCollateralPrice, reject } from '@orrery/rules';
import type { Exchange } from '../exchange.ts';
import { refusePractice } from '../instruments/refuse-practice.ts';
import { collateralPriced } from '../margin/collaterals.ts';
import { repeatedField } from './submit-prices.ts';

/** A round that cannot be relied on changes nothing: the price grows older. */
export function submitCollateralPrices(exchange: Exchange, { asset, index }: SubmitCollateralPrices, at: Millis): Event[] {
  const practice = refusePractice(exchange, asset);
  if (practice !== undefined) return [practice];
  if (repeatedField({ index, external: [] }) !== undefined) return [reject('InvalidField', 'index')];
  const { rules, collaterals } = exchange;
  const collateral = collaterals.get(asset);
  if (collateral === undefined) return [reject('UnknownAsset', 'asset')];
  if (rules < 7 || collateral.own === undefined) return [reject('RulesTooOld')];
  // After this point nothing fails.
  const price = nextCollateralPrice(collateral.own.price, index, collateral.market.terms);
  if (price === NO_TICKS) return [];
  collateral.own = { price, at };
  return [collateralPriced(collateral.terms, collateral.own)];
}
