/** Markets for tests, as the exchange lists them. */
import { type ContractTerms, type PairTerms } from '@orrery/sdk';
import { atoms, lots, ppm, ticks } from '@orrery/units';

/** What no quote depends on. */
const LIMITS = {
  minPrice: ticks(1),
  maxPrice: ticks(1_000_000_000),
  maxNotional: atoms(10n ** 13n),
  makerFeePpm: ppm(0),
  takerFeePpm: ppm(0),
  limitBandPpm: ppm(100_000),
  marketBandPpm: ppm(50_000),
  maxOpenOrders: 200,
} as const;

export const BTC: PairTerms = {
  ...LIMITS,
  symbol: 'BTC_USDC',
  base: 'BTC',
  quote: 'USDC',
  pricePrecision: 1,
  sizePrecision: 5,
  baseDecimals: 8,
  quoteDecimals: 6,
  lotAtoms: atoms(1_000n),
  tickLotAtoms: atoms(1n),
  minSize: lots(1),
  maxSize: lots(10_000_000),
  minNotional: atoms(5_000_000n),
};

export const SOSO: PairTerms = {
  ...LIMITS,
  symbol: 'WSOSO_USDC',
  base: 'WSOSO',
  quote: 'USDC',
  pricePrecision: 4,
  sizePrecision: 1,
  baseDecimals: 18,
  quoteDecimals: 6,
  lotAtoms: atoms(10n ** 17n),
  tickLotAtoms: atoms(10n),
  minSize: lots(1),
  maxSize: lots(50_000_000),
  minNotional: atoms(5_000_000n),
};

export const LINEAR: ContractTerms = {
  ...LIMITS,
  symbol: 'BTC_USDC',
  payoff: 'linear',
  underlyingType: 'U_BASED',
  settleDecimals: 6,
  pricePrecision: 1,
  sizePrecision: 5,
  minSize: lots(1),
  maxSize: lots(10_000_000),
  minNotional: atoms(5_000_000n),
  tickLotAtoms: atoms(1n),
  maxLeverage: 40,
};
