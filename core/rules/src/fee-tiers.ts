/** Fees of perpetual contracts by what an account traded: rates in parts per million of the notional, volumes in whole atoms of USDC. */
import { atoms, negateAtoms, ppm, signedPpm, type Atoms, type Ppm, type SignedPpm } from '@orrery/units';
import { feeOn } from './fees.ts';

/** The volume that counts for the tier: perpetual + 2 × spot, of 14 UTC days. */
export const FEE_TIER_DAYS = 14;

interface FeeTierRow {
  /** The weighted volume must be above this number of whole USDC. */
  readonly above: bigint;
  readonly takerFeePpm: Ppm;
  readonly makerFeePpm: Ppm;
}

/** Tiers 1 to 6. Tier 0 pays what the contract says. */
export const FEE_TIERS: readonly FeeTierRow[] = [
  { above: 5_000_000n, takerFeePpm: ppm(360), makerFeePpm: ppm(100) },
  { above: 25_000_000n, takerFeePpm: ppm(320), makerFeePpm: ppm(60) },
  { above: 100_000_000n, takerFeePpm: ppm(280), makerFeePpm: ppm(20) },
  { above: 500_000_000n, takerFeePpm: ppm(260), makerFeePpm: ppm(0) },
  { above: 2_000_000_000n, takerFeePpm: ppm(240), makerFeePpm: ppm(0) },
  { above: 7_000_000_000n, takerFeePpm: ppm(220), makerFeePpm: ppm(0) },
];
export const FEE_TIER_MAX = FEE_TIERS.length;

interface RebateTierRow {
  /** The share of all maker volume must be above this. */
  readonly aboveSharePpm: Ppm;
  readonly makerFeePpm: SignedPpm;
}

/** Rebate tiers 1 to 3; tier 0 has none. */
export const REBATE_TIERS: readonly RebateTierRow[] = [
  { aboveSharePpm: ppm(5_000), makerFeePpm: signedPpm(-10) },
  { aboveSharePpm: ppm(15_000), makerFeePpm: signedPpm(-20) },
  { aboveSharePpm: ppm(30_000), makerFeePpm: signedPpm(-30) },
];
export const REBATE_TIER_MAX = REBATE_TIERS.length;

/** The rates of an account in one contract. */
export interface FeeRates {
  readonly takerFeePpm: Ppm;
  /** Below zero: the maker is paid. */
  readonly makerFeePpm: SignedPpm;
}

/** A contract's own rates: those of tier 0. */
export interface BasisRates {
  readonly takerFeePpm: Ppm;
  readonly makerFeePpm: Ppm;
}

/** Volume of 14 days that counts for the fee tier; both in atoms of USDC. */
export const weightedVolume = (perpetual: Atoms, spot: Atoms): Atoms => atoms(perpetual + 2n * spot);

/** The fee tier, 0 to 6, of a weighted volume in atoms. @param decimals of USDC */
export function feeTierOf(volume: Atoms, decimals: number): number {
  const unit = 10n ** BigInt(decimals);
  return FEE_TIERS.filter(({ above }) => volume > above * unit).length;
}

/** The rebate tier, 0 to 3, of an account's maker volume among all maker volume, both of 14 days. */
export function rebateTierOf(makerVolume: Atoms, allMakerVolume: Atoms): number {
  return REBATE_TIERS.filter(({ aboveSharePpm }) => makerVolume * 1_000_000n > allMakerVolume * BigInt(aboveSharePpm)).length;
}

/**
 * The rates of a tier: never above the contract's own. A rebate replaces the maker fee.
 * @param tier 0 to 6
 * @param rebateTier 0 to 3
 */
export const feeRates = (basis: BasisRates, tier: number, rebateTier: number): FeeRates => ({
  takerFeePpm: takerFeeRate(basis, tier),
  makerFeePpm: makerFeeRate(basis, tier, rebateTier),
});

/** @param tier 0 to 6 */
export function takerFeeRate({ takerFeePpm }: BasisRates, tier: number): Ppm {
  const row = tier === 0 ? undefined : FEE_TIERS[tier - 1];
  return row === undefined || row.takerFeePpm > takerFeePpm ? takerFeePpm : row.takerFeePpm;
}

/**
 * @param tier 0 to 6
 * @param rebateTier 0 to 3
 */
export function makerFeeRate({ makerFeePpm }: BasisRates, tier: number, rebateTier: number): SignedPpm {
  const rebate = rebateTier === 0 ? undefined : REBATE_TIERS[rebateTier - 1];
  if (rebate !== undefined) return rebate.makerFeePpm;
  const row = tier === 0 ? undefined : FEE_TIERS[tier - 1];
  return signedPpm(row === undefined || row.makerFeePpm > makerFeePpm ? makerFeePpm : row.makerFeePpm);
}

/** The fees of one trade, in settle atoms. M6: a rebate is never more than the taker fee of the same trade. */
export function contractFees(
  notional: Atoms,
  takerFeePpm: Ppm,
  makerFeePpm: SignedPpm,
): { readonly takerFee: Atoms; readonly makerFee: Atoms } {
  const takerFee = feeOn(notional, takerFeePpm);
  const makerFee = feeOn(notional, makerFeePpm);
  const largestRebate = negateAtoms(takerFee);
  return { takerFee, makerFee: makerFee < largestRebate ? largestRebate : makerFee };
}
