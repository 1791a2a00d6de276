/** What this exchange lists: its assets and markets, as the commands that register them. */
import type { Asset, Command, Event, Heart, Market } from '@orrery/protocol';
import { FIRST_RULES, LATEST_RULES } from '@orrery/rules';
import { assert, type Atoms, assetId, atoms, lots, marketId, parseAtoms, ppm, ticks, type AssetId } from '@orrery/units';

const CHAIN_ASSETS = [
  { code: 'USDC', decimals: 6 },
  { code: 'BTC', decimals: 8 },
  { code: 'ETH', decimals: 18 },
  { code: 'SOL', decimals: 9 },
  { code: 'BNB', decimals: 18 },
  { code: 'WSOSO', decimals: 18 },
] as const;

const INTERNAL_ASSETS = [
  { code: 'POINTS', decimals: 0 },
  { code: 'CLAIM', decimals: 0 },
] as const;

export const ASSETS: readonly Asset[] = [
  ...CHAIN_ASSETS.map((asset) => ({ ...asset, kind: 'chain' as const })),
  ...INTERNAL_ASSETS.map((asset) => ({ ...asset, kind: 'internal' as const })),
].map((asset, index) => ({ asset: assetId(index + 1), ...asset }));

export function assetByCode(code: string): Asset {
  const found = ASSETS.find((asset) => asset.code === code);
  assert(found !== undefined, `asset ${code} is not listed`);
  return found;
}

interface MarketPlan {
  readonly base: string;
  readonly pricePrecision: number;
  readonly sizePrecision: number;
  /** In ticks. With `maxSize` it keeps every notional inside the safe integers. */
  readonly maxPrice: number;
  /** In lots. */
  readonly maxSize: number;
  /** In USDC. */
  readonly maxNotional: string;
}

/**
 * A tick is about a millionth (BTC) to a ten-thousandth (SOL) of the price and a lot is worth a dollar or less, so that
 * the book is neither dusty nor coarse. One lot at one tick is a whole number of quote atoms on every market.
 */
const MARKET_PLANS: readonly MarketPlan[] = [
  { base: 'BTC', pricePrecision: 1, sizePrecision: 5, maxPrice: 100_000_000, maxSize: 10_000_000, maxNotional: '4000000' },
  { base: 'ETH', pricePrecision: 2, sizePrecision: 4, maxPrice: 100_000_000, maxSize: 20_000_000, maxNotional: '4000000' },
  { base: 'SOL', pricePrecision: 2, sizePrecision: 2, maxPrice: 10_000_000, maxSize: 5_000_000, maxNotional: '2000000' },
  { base: 'BNB', pricePrecision: 2, sizePrecision: 3, maxPrice: 10_000_000, maxSize: 10_000_000, maxNotional: '2000000' },
  { base: 'WSOSO', pricePrecision: 4, sizePrecision: 1, maxPrice: 10_000_000, maxSize: 50_000_000, maxNotional: '1000000' },
];

const QUOTE = 'USDC';
const MIN_NOTIONAL_USDC = '5';

function usdc(amount: string): Atoms {
  const parsed = parseAtoms(amount, assetByCode(QUOTE).decimals);
  assert(parsed !== undefined, `not an amount of ${QUOTE}: ${amount}`);
  return parsed;
}

function powerOfTen(exponent: number): Atoms {
  assert(exponent >= 0, 'one lot at one tick must be a whole number of quote atoms');
  return atoms(10n ** BigInt(exponent));
}

function planToMarket(plan: MarketPlan, index: number): Market {
  const base = assetByCode(plan.base);
  const quote = assetByCode(QUOTE);
  return {
    market: marketId(index + 1),
    symbol: `${base.code}_${quote.code}`,
    base: base.asset,
    quote: quote.asset,
    pricePrecision: plan.pricePrecision,
    sizePrecision: plan.sizePrecision,
    lotAtoms: powerOfTen(base.decimals - plan.sizePrecision),
    tickLotAtoms: powerOfTen(quote.decimals - plan.pricePrecision - plan.sizePrecision),
    minPrice: ticks(1),
    maxPrice: ticks(plan.maxPrice),
    minSize: lots(1),
    maxSize: lots(plan.maxSize),
    minNotional: usdc(MIN_NOTIONAL_USDC),
    maxNotional: usdc(plan.maxNotional),
    makerFeePpm: ppm(500),
    takerFeePpm: ppm(1_000),
    limitBandPpm: ppm(100_000),
    marketBandPpm: ppm(50_000),
    maxOpenOrders: 200,
  };
}

export const MARKETS: readonly Market[] = MARKET_PLANS.map(planToMarket);

/** Registers what the exchange does not know yet, and switches it to the latest rules. A second call changes nothing. */
export async function registerListing(heart: Heart): Promise<void> {
  const view = heart.open();
  view.close();
  const listed = new Set<string>();
  for (const fact of view.facts) collectName(fact, listed);
  const rules = view.facts.find((fact) => fact.type === 'RulesUpgraded')?.version ?? FIRST_RULES;
  const commands: readonly Command[] = [
    ...(rules < LATEST_RULES ? [{ type: 'UpgradeRules' as const, version: LATEST_RULES }] : []),
    ...ASSETS.filter((asset) => !listed.has(asset.code)).map((asset) => ({ type: 'RegisterAsset' as const, ...asset })),
    ...MARKETS.filter((market) => !listed.has(market.symbol)).map((market) => ({ type: 'RegisterMarket' as const, ...market })),
  ];
  for (const command of commands) {
    const { events } = await heart.submit(command);
    const refused = events.find((event) => event.type === 'CommandRejected');
    assert(refused === undefined, `the listing was refused: ${JSON.stringify(refused)}`);
  }
}

function collectName(fact: Event, names: Set<string>): void {
  if (fact.type === 'AssetRegistered') names.add(fact.code);
  if (fact.type === 'MarketRegistered') names.add(fact.symbol);
}

export function assetIdOf(code: string): AssetId {
  return assetByCode(code).asset;
}
