/** What the market-maker starts with: minted on the chain and deposited for its two accounts when the contracts are deployed. */
import type { Address } from 'viem';

export interface FirstDeposit {
  readonly recipient: Address;
  readonly code: string;
  /** Atoms. */
  readonly amount: bigint;
}

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
