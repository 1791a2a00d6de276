/** An exchange before its first order: assets, markets, and accounts that may trade and have more money than they can spend. */
import type { Command } from '@orrery/protocol';
import { accountId, assert, assetId, atoms, lots, marketId, NO_ATOMS, parseAddress, ppm, ticks } from '@orrery/units';
import type { AccountId, AssetId, Atoms, MarketId } from '@orrery/units';

export interface OpeningOptions {
  readonly accounts: number;
  /** At most 500: asset ids end at 255, and two markets share each base. */
  readonly markets: number;
}

const QUOTES = [
  [assetId(1), 'USDC'],
  [assetId(2), 'USDT'],
] as const;
const RICH = atoms(10n ** 18n);

/** Account ids count from 1, market ids too. All markets have the same terms. */
export function* opening({ accounts, markets }: OpeningOptions): Generator<Command> {
  const bases = Array.from({ length: Math.ceil(markets / 2) }, (_, index) => [assetId(index + 3), `B${index + 1}`] as const);
  const assets = [...QUOTES.slice(0, markets), ...bases];
  for (const [asset, code] of assets) yield { type: 'RegisterAsset', asset, code, decimals: code.startsWith('U') ? 6 : 8, kind: 'chain' };
  for (let index = 0; index < markets; index += 1) yield registerMarket(index, bases);
  for (let id = 1; id <= accounts; id += 1) {
    yield* openAccount(
      accountId(id),
      assets.map(([asset]) => asset),
    );
  }
}

/** A linear contract settled in the first asset, and everybody's money where its margin is. Behind `opening`. */
export function* openingOfContract(market: MarketId, accounts: number): Generator<Command> {
  yield* listingOfContract(market);
  for (let id = 1; id <= accounts; id += 1) yield marginOf(accountId(id), RICH);
}

/** The contract alone, under the rules that have it. */
export function* listingOfContract(market: MarketId): Generator<Command> {
  yield { type: 'UpgradeRules', version: 5 };
  yield {
    type: 'RegisterContract',
    market,
    symbol: 'B1_USDC',
    baseCode: 'B1',
    quoteCode: 'USDC',
    payoff: 'linear',
    settle: assetId(1),
    pricePrecision: 1,
    sizePrecision: 5,
    tickLotAtoms: atoms(1n),
    minPrice: ticks(1),
    maxPrice: ticks(100_000_000),
    minSize: lots(1),
    maxSize: lots(10_000_000),
    minNotional: NO_ATOMS,
    maxNotional: atoms(4_000_000_000_000n),
    makerFeePpm: ppm(200),
    takerFeePpm: ppm(500),
    limitBandPpm: ppm(200_000),
    marketBandPpm: ppm(50_000),
    maxOpenOrders: 1_000,
    initLeverage: 10,
    tiers: [
      { maxNotional: RICH, maxLeverage: 40 },
      { maxNotional: atoms(2n * RICH), maxLeverage: 10 },
    ],
    openInterestCap: lots(10 ** 14),
    impactNotional: atoms(8_000_000_000n),
    fundingIntervalMs: 3_600_000,
    interestPpm8h: ppm(100),
    fundingCapPpm: ppm(40_000),
    partialLiquidationAbove: atoms(100_000_000_000n),
    partialLiquidationPpm: ppm(200_000),
    liquidationCooldownMs: 30_000,
  };
}

/** Moves settle money of an account from spot to where the margin of contracts is. */
export const marginOf = (account: AccountId, amount: Atoms): Command => ({
  type: 'Transfer',
  account,
  transferId: 'margin',
  asset: assetId(1),
  amount,
  from: 'spot',
  to: 'futures',
});

function registerMarket(index: number, bases: readonly (readonly [AssetId, string])[]): Command {
  const [quote, quoteCode] = QUOTES[index % 2] ?? QUOTES[0];
  const [base, baseCode] = bases[index >> 1] ?? [];
  assert(base !== undefined, 'every two markets have a base');
  return {
    type: 'RegisterMarket',
    market: marketId(index + 1),
    symbol: `${baseCode}_${quoteCode}`,
    base,
    quote,
    pricePrecision: 1,
    sizePrecision: 5,
    lotAtoms: atoms(1_000n),
    tickLotAtoms: atoms(1n),
    minPrice: ticks(1),
    maxPrice: ticks(100_000_000),
    minSize: lots(1),
    maxSize: lots(10_000_000),
    minNotional: NO_ATOMS,
    maxNotional: atoms(4_000_000_000_000n),
    makerFeePpm: ppm(500),
    takerFeePpm: ppm(1_000),
    limitBandPpm: ppm(200_000),
    marketBandPpm: ppm(50_000),
    maxOpenOrders: 1_000,
  };
}

function* openAccount(account: AccountId, assets: readonly AssetId[]): Generator<Command> {
  const address = parseAddress(`0x${account.toString(16).padStart(40, '0')}`);
  assert(address !== undefined, 'an address of 40 hex digits');
  yield { type: 'OpenAccount', address };
  for (const flag of ['termsAccepted', 'whitelisted', 'connected'] as const) yield { type: 'SetAccountFlag', account, flag, value: true };
  for (const asset of assets) {
    yield { type: 'CreditDeposit', key: `${account}:${asset}`, address, asset, amount: RICH };
    yield { type: 'Transfer', account, transferId: `${asset}`, asset, amount: RICH, from: 'funding', to: 'spot' };
  }
}
