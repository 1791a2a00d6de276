/** What amounts are worth in USDC. */
import type { Market } from '@orrery/protocol';
import { valueAt } from '@orrery/rules';
import { type AssetId, type Atoms, type MarketId, negateAtoms, NO_ATOMS, type Ticks } from '@orrery/units';
import type { MarketsView } from '@orrery/views';

export const VALUE_COIN = 'USDC';

/** Prices by market; undefined where none is known. */
export interface Prices {
  get(market: MarketId): Ticks | undefined;
}

export interface Money {
  readonly asset: AssetId;
  /** May be below 0. */
  readonly amount: Atoms;
}

/**
 * USDC atoms, rounded towards zero. What no market trades for USDC is worth nothing here; undefined where a market does, and its price is not
 * known.
 */
export function valueOf({ asset, amount }: Money, markets: MarketsView, prices: Prices): Atoms | undefined {
  const coin = markets.asset(asset);
  if (coin?.code === VALUE_COIN) return amount;
  const listed = coin && markets.marketBySymbol(`${coin.code}_${VALUE_COIN}`);
  if (listed === undefined || amount === NO_ATOMS) return NO_ATOMS;
  const price = prices.get(listed.market.market);
  return price === undefined ? undefined : signedValueAt(amount, price, listed.market);
}

const signedValueAt = (amount: Atoms, price: Ticks, market: Market): Atoms =>
  amount < NO_ATOMS ? negateAtoms(valueAt(negateAtoms(amount), price, market)) : valueAt(amount, price, market);
