/** What the house starts with: minted on the chain and deposited for its accounts when the contracts are deployed. */
import type { FirstDeposit, HouseMoney } from '@orrery/contracts/deploy';
import type { Address } from 'viem';

/** Whole units of each asset. Enough for fifty levels a side on five markets with a month's drift of prices. */
const QUOTER_STOCK: Readonly<Record<string, { units: bigint; decimals: number }>> = {
  USDC: { units: 50_000_000n, decimals: 6 },
  BTC: { units: 200n, decimals: 8 },
  ETH: { units: 6_000n, decimals: 18 },
  SOL: { units: 80_000n, decimals: 9 },
  BNB: { units: 15_000n, decimals: 18 },
  WSOSO: { units: 20_000_000n, decimals: 18 },
};
const TAKER_SHARE = 20n;

/** The quoter keeps the book, the taker trades with it so that the tape is alive. */
export function firstDeposits(people: { quoter: Address; taker: Address }): readonly FirstDeposit[] {
  return Object.entries(QUOTER_STOCK).flatMap(([code, { units, decimals }]) => {
    const amount = units * 10n ** BigInt(decimals);
    return [
      { recipient: people.quoter, code, amount },
      { recipient: people.taker, code, amount: amount / TAKER_SHARE },
    ];
  });
}

const USDC = 10n ** 6n;
const BTC = 10n ** 8n;

/** What the insurance fund of contracts begins with: in the vault without a deposit, so that it is nobody's until the ledger funds the budget. */
export const INSURANCE: Readonly<Record<'USDC' | 'BTC', bigint>> = { USDC: 2_000_000n * USDC, BTC: 20n * BTC };

/** For contracts: the liquidator has a twentieth of the insurance fund, and both have the settlement assets only. */
export function houseMoney(people: { contractQuoter: Address; contractTaker: Address; liquidator: Address }): readonly HouseMoney[] {
  const shares = [
    { recipient: people.contractQuoter, USDC: 20_000_000n * USDC, BTC: 200n * BTC },
    { recipient: people.contractTaker, USDC: 1_000_000n * USDC, BTC: 10n * BTC },
    { recipient: people.liquidator, USDC: INSURANCE.USDC / 20n, BTC: INSURANCE.BTC / 20n },
  ];
  return (['USDC', 'BTC'] as const).map((code) => ({
    code,
    donated: INSURANCE[code],
    deposits: shares.map((share) => ({ recipient: share.recipient, amount: share[code] })),
  }));
}
