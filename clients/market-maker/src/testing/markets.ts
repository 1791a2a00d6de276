/** Markets for tests, as the exchange lists them. */
import { atoms, lots } from '@orrery/units';
import type { MarketRules } from '../market-rules.ts';

export const BTC: MarketRules = {
  symbol: 'BTC_USDC',
  base: 'BTC',
  quote: 'USDC',
  pricePrecision: 1,
  sizePrecision: 5,
  baseDecimals: 8,
  quoteDecimals: 6,
  lotAtoms: 1_000n,
  tickLotAtoms: 1n,
  minSize: lots(1),
  maxSize: lots(10_000_000),
  minNotional: atoms(5_000_000n),
};

export const SOSO: MarketRules = {
  symbol: 'WSOSO_USDC',
  base: 'WSOSO',
  quote: 'USDC',
  pricePrecision: 4,
  sizePrecision: 1,
  baseDecimals: 18,
  quoteDecimals: 6,
  lotAtoms: 10n ** 17n,
  tickLotAtoms: 10n,
  minSize: lots(1),
  maxSize: lots(50_000_000),
  minNotional: atoms(5_000_000n),
};
