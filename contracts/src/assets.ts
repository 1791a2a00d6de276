/** The assets and pairs of the test chain: what `deploy.ts` lists in the vault. */

export const CHAIN_ID = 138565;

export interface TestAsset {
  readonly code: string;
  readonly name: string;
  readonly decimals: number;
  /** What one faucet claim pays, in atoms. */
  readonly faucetGrant: bigint;
  /** The most that leaves the vault within any hour, in atoms. */
  readonly hourlyCap: bigint;
  /** The most that leaves the vault within any day, in atoms. */
  readonly dailyCap: bigint;
}

function asset(code: string, name: string, decimals: number, whole: { grant: bigint; hourly: bigint; daily: bigint }): TestAsset {
  // Grants are written in thousandths, so that a tenth of a bitcoin needs no fraction.
  const unit = 10n ** BigInt(decimals);
  return {
    code,
    name,
    decimals,
    faucetGrant: (whole.grant * unit) / 1000n,
    hourlyCap: whole.hourly * unit,
    dailyCap: whole.daily * unit,
  };
}

/** `WSOSO` is the wrapped native coin; the others are test tokens. */
export const TEST_ASSETS: readonly TestAsset[] = [
  asset('USDC', 'Test USD Coin', 6, { grant: 10_000_000n, hourly: 1_000_000n, daily: 5_000_000n }),
  asset('BTC', 'Test Bitcoin', 8, { grant: 100n, hourly: 10n, daily: 50n }),
  asset('ETH', 'Test Ether', 18, { grant: 2_000n, hourly: 300n, daily: 1_500n }),
  asset('SOL', 'Test Solana', 9, { grant: 20_000n, hourly: 6_000n, daily: 30_000n }),
  asset('BNB', 'Test BNB', 18, { grant: 5_000n, hourly: 1_500n, daily: 7_500n }),
  asset('WSOSO', 'Wrapped SOSO', 18, { grant: 1_000_000n, hourly: 500_000n, daily: 2_500_000n }),
];

/** Base and quote. */
export const TEST_PAIRS: readonly (readonly [string, string])[] = [
  ['BTC', 'USDC'],
  ['ETH', 'USDC'],
  ['SOL', 'USDC'],
  ['BNB', 'USDC'],
  ['WSOSO', 'USDC'],
];
