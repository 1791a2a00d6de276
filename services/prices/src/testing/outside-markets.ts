/** Markets as the tests of prices list them. */
import { atoms, marketId } from '@orrery/units';
import type { OutsideMarket } from '../price-source.ts';

export const btc: OutsideMarket = { market: marketId(1), symbol: 'BTC_USDC', pricePrecision: 1, sizePrecision: 5, tickLotAtoms: atoms(1n) };
export const eth: OutsideMarket = { market: marketId(2), symbol: 'ETH_USDC', pricePrecision: 2, sizePrecision: 4, tickLotAtoms: atoms(1n) };
export const sol: OutsideMarket = {
  market: marketId(3),
  symbol: 'SOL_USDC',
  pricePrecision: 2,
  sizePrecision: 2,
  tickLotAtoms: atoms(100n),
};
export const bnb: OutsideMarket = {
  market: marketId(4),
  symbol: 'BNB_USDC',
  pricePrecision: 2,
  sizePrecision: 3,
  tickLotAtoms: atoms(10n),
};
export const soso: OutsideMarket = {
  market: marketId(5),
  symbol: 'WSOSO_USDC',
  pricePrecision: 4,
  sizePrecision: 1,
  tickLotAtoms: atoms(10n),
};
export const doge: OutsideMarket = {
  market: marketId(15),
  symbol: 'DOGE_USDC',
  pricePrecision: 5,
  sizePrecision: 0,
  tickLotAtoms: atoms(10n),
};
/** The inverse contract. */
export const btcUsd: OutsideMarket = {
  market: marketId(16),
  symbol: 'BTC_USD',
  pricePrecision: 1,
  sizePrecision: 5,
  tickLotAtoms: atoms(1n),
};
export const allMarkets: readonly OutsideMarket[] = [btc, eth, sol, bnb, soso, doge];
