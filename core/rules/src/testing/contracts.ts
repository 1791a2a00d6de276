/**
 * Contracts to compute with. Linear: a tick is 0.1 USDC, a lot 0.00001 BTC, so one lot at one tick is one atom of USDC. Inverse: a tick is 0.1 USD, a
 * lot 1 USD, so one lot at one tick is 1 / 0.1 = 10 BTC, which is 10^9 atoms.
 */
import { atoms, lots, ticks, type Atoms } from '@orrery/units';
import type { MarginTier } from '@orrery/protocol';
import type { PricedTerms } from '../liquidation-price.ts';
import type { Direction, Holding } from '../payoff.ts';

/** An amount of USDC in atoms. */
export const usdc = (amount: number): Atoms => atoms(BigInt(Math.round(amount * 1_000_000)));
/** An amount of BTC in atoms. */
export const btc = (amount: number): Atoms => atoms(BigInt(Math.round(amount * 100_000_000)));

const BTC_TIERS: readonly MarginTier[] = [
  { maxNotional: usdc(4_000_000), maxLeverage: 40 },
  { maxNotional: usdc(1_000_000_000), maxLeverage: 10 },
  { maxNotional: usdc(10_000_000_000), maxLeverage: 1 },
];

const PRICES = { minPrice: ticks(1), maxPrice: ticks(100_000_000) };

export const LINEAR = { payoff: 'linear', tickLotAtoms: atoms(1n), tiers: BTC_TIERS, ...PRICES } as const satisfies PricedTerms;
export const INVERSE = {
  payoff: 'inverse',
  tickLotAtoms: atoms(1_000_000_000n),
  tiers: [
    { maxNotional: btc(50), maxLeverage: 40 },
    { maxNotional: btc(1_000), maxLeverage: 10 },
  ],
  ...PRICES,
} as const satisfies PricedTerms;

export const holding = (direction: Direction, size: number, cost: Atoms): Holding => ({ direction, size: lots(size), cost });
