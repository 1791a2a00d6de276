/** What this exchange lists: its assets and markets, as the commands that register them. */
import { TEST_ASSETS } from '@orrery/contracts';
import type { Asset, ChangeableTerms, Collateral, Command, Contract, Event, Heart, Market, WithdrawalCaps } from '@orrery/protocol';
import { invalidMarketField, PRACTICE } from '@orrery/rules';
import { assert, assetId, atoms, lots, marketId, parseAtoms, parseLots, parseTicks, ppm, ticks, type AssetId } from '@orrery/units';
import { collateralsOf, contractsOf, practiceContractsOf } from './contract-plans.ts';
import { StartError } from './start-error.ts';
import { upgradeOf } from './upgrade-of-rules.ts';

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

/** What practice contracts are settled in. Its number never changes: further assets have later ones. */
export const PRACTICE_ASSET: Asset = { asset: assetId(9), code: PRACTICE, decimals: 6, kind: 'internal' };
assert(
  ASSETS.every(({ asset }) => asset !== PRACTICE_ASSET.asset),
  'the practice asset has a number of its own',
);

export const PRACTICE_CONTRACTS: readonly Contract[] = practiceContractsOf(PRACTICE_ASSET);

/** A market as people write it: prices in quote per base, sizes in base, notionals in quote, rates in ppm. */
export interface MarketPlan {
  /** Its number, which never changes. */
  readonly market: number;
  readonly symbol: string;
  readonly pricePrecision: number;
  readonly sizePrecision: number;
  /** With `maxSize` it keeps every notional inside the safe integers. */
  readonly maxPrice: string;
  readonly maxSize: string;
  readonly minNotional: string;
  readonly maxNotional: string;
  readonly makerFeePpm: number;
  readonly takerFeePpm: number;
  readonly limitBandPpm: number;
  readonly marketBandPpm: number;
  readonly maxOpenOrders: number;
}

/** What every market has unless it says otherwise. */
export const USUAL_TERMS = {
  minNotional: '5',
  makerFeePpm: 500,
  takerFeePpm: 1_000,
  limitBandPpm: 100_000,
  marketBandPpm: 50_000,
  maxOpenOrders: 200,
} as const;

const plan = (terms: Omit<MarketPlan, keyof typeof USUAL_TERMS>): MarketPlan => ({ ...USUAL_TERMS, ...terms });

/**
 * A tick is about a millionth (BTC) to a ten-thousandth (SOL) of the price and a lot is worth a dollar or less, so that
 * the book is neither dusty nor coarse. One lot at one tick is a whole number of quote atoms on every market.
 */
export const MARKET_PLANS: readonly MarketPlan[] = [
  plan({
    market: 1,
    symbol: 'BTC_USDC',
    pricePrecision: 1,
    sizePrecision: 5,
    maxPrice: '10000000',
    maxSize: '100',
    maxNotional: '4000000',
  }),
  plan({
    market: 2,
    symbol: 'ETH_USDC',
    pricePrecision: 2,
    sizePrecision: 4,
    maxPrice: '1000000',
    maxSize: '2000',
    maxNotional: '4000000',
  }),
  plan({
    market: 3,
    symbol: 'SOL_USDC',
    pricePrecision: 2,
    sizePrecision: 2,
    maxPrice: '100000',
    maxSize: '50000',
    maxNotional: '2000000',
  }),
  plan({
    market: 4,
    symbol: 'BNB_USDC',
    pricePrecision: 2,
    sizePrecision: 3,
    maxPrice: '100000',
    maxSize: '10000',
    maxNotional: '2000000',
  }),
  plan({
    market: 5,
    symbol: 'WSOSO_USDC',
    pricePrecision: 4,
    sizePrecision: 1,
    maxPrice: '1000',
    maxSize: '5000000',
    maxNotional: '1000000',
  }),
];

/** Why a plan is no market: the field and what it must be. */
export interface PlanFault {
  readonly field: string;
  readonly must: string;
}

/** The market as the engine registers it, by the engine's own rules. */
export function marketOf(terms: MarketPlan): Market | PlanFault {
  const [base, quote] = terms.symbol.split('_').map((code) => ASSETS.find((asset) => asset.code === code && asset.kind === 'chain'));
  if (base === undefined || quote === undefined)
    return { field: 'symbol', must: `be two of ${CHAIN_ASSETS.map(({ code }) => code).join(', ')}, joined by _` };
  const { pricePrecision, sizePrecision } = terms;
  const lotExponent = base.decimals - sizePrecision;
  const tickLotExponent = quote.decimals - pricePrecision - sizePrecision;
  if (lotExponent < 0 || tickLotExponent < 0)
    return { field: 'sizePrecision', must: 'leave one lot at one tick a whole number of atoms of the quote asset' };
  const maxPrice = parseTicks(terms.maxPrice, pricePrecision);
  if (maxPrice === undefined) return { field: 'maxPrice', must: `be a decimal with at most ${pricePrecision} decimals` };
  const maxSize = parseLots(terms.maxSize, sizePrecision);
  if (maxSize === undefined) return { field: 'maxSize', must: `be a decimal with at most ${sizePrecision} decimals` };
  const minNotional = parseAtoms(terms.minNotional, quote.decimals);
  if (minNotional === undefined) return { field: 'minNotional', must: `be a decimal with at most ${quote.decimals} decimals` };
  const maxNotional = parseAtoms(terms.maxNotional, quote.decimals);
  if (maxNotional === undefined) return { field: 'maxNotional', must: `be a decimal with at most ${quote.decimals} decimals` };
  const market: Market = {
    market: marketId(terms.market),
    symbol: terms.symbol,
    base: base.asset,
    quote: quote.asset,
    pricePrecision,
    sizePrecision,
    lotAtoms: atoms(10n ** BigInt(lotExponent)),
    tickLotAtoms: atoms(10n ** BigInt(tickLotExponent)),
    minPrice: ticks(1),
    maxPrice,
    minSize: lots(1),
    maxSize,
    minNotional,
    maxNotional,
    makerFeePpm: ppm(terms.makerFeePpm),
    takerFeePpm: ppm(terms.takerFeePpm),
    limitBandPpm: ppm(terms.limitBandPpm),
    marketBandPpm: ppm(terms.marketBandPpm),
    maxOpenOrders: terms.maxOpenOrders,
  };
  const invalid = invalidMarketField(market, base, quote);
  return invalid === undefined ? market : { field: invalid, must: 'be within the limits of the engine' };
}

export const MARKETS: readonly Market[] = MARKET_PLANS.map((terms) => {
  const market = marketOf(terms);
  assert('symbol' in market, `${terms.symbol} is no market`);
  return market;
});

/** Those of the vault: what the ledger holds for payouts is what the vault can pay. */
export const VAULT_CAPS: readonly WithdrawalCaps[] = TEST_ASSETS.map(({ code, hourlyCap, dailyCap }) => ({
  asset: assetByCode(code).asset,
  hourly: atoms(hourlyCap),
  daily: atoms(dailyCap),
}));

/** The markets to be listed. */
export interface Listing {
  readonly markets: readonly Market[];
  /** The operator has named them: what is listed already is changed to them, and must be the same in all that can not change. */
  readonly isBinding: boolean;
  /** The most that withdrawals may take; an asset that is not named keeps what it has. */
  readonly withdrawalCaps: readonly WithdrawalCaps[];
  /** Those to be listed; a listed one never changes and is never removed. */
  readonly contracts: readonly Contract[];
  readonly collaterals: readonly Collateral[];
  /** What is settled in an asset that is worth nothing: none where there is no sandbox. */
  readonly practice: readonly Contract[];
}

export const CONTRACTS: readonly Contract[] = contractsOf(ASSETS);

/** Without a configuration. */
export const USUAL_LISTING: Listing = {
  markets: MARKETS,
  isBinding: false,
  withdrawalCaps: VAULT_CAPS,
  contracts: CONTRACTS,
  collaterals: collateralsOf(ASSETS, MARKETS),
  practice: [],
};

/**
 * Registers what the exchange does not know yet, sets the caps and the terms that differ, and switches it to the latest rules. A second call changes nothing.
 * @param heartIs `other`: the heart is another process, and switches its rules itself. It may be of a version that does not know the latest ones: it would refuse them, and replays of
 *   later versions would take them.
 * @returns a sentence for each term of a listed market that changed
 * @throws StartError when a binding listing leaves out a listed market or names terms that can not change
 */
export async function registerListing(
  heart: Heart,
  listing: Listing = USUAL_LISTING,
  heartIs: 'ours' | 'other' = 'ours',
): Promise<readonly string[]> {
  const view = heart.open();
  view.close();
  const listed = new Set<string>();
  const contracts = new Set<string>();
  const collaterals = new Map<AssetId, Collateral>();
  const caps = new Map<AssetId, WithdrawalCaps>();
  const changes: TermsChange[] = [];
  let hasPractice = false;
  for (const fact of view.facts) {
    collectName(fact, listed);
    if (fact.type === 'ContractRegistered') contracts.add(fact.symbol);
    if (fact.type === 'PracticeAssetSet') hasPractice = true;
    if (fact.type === 'CollateralSet') collaterals.set(fact.asset, fact);
    if (fact.type === 'WithdrawalCapsSet') caps.set(fact.asset, fact);
    if (listing.isBinding && fact.type === 'MarketRegistered') changes.push(...changesOf(fact, listing.markets));
  }
  const commands: readonly Command[] = [
    ...(heartIs === 'ours' ? upgradeOf(view.facts) : []),
    ...[...ASSETS, ...(listing.practice.length === 0 ? [] : [PRACTICE_ASSET])]
      .filter((asset) => !listed.has(asset.code))
      .map((asset) => ({ type: 'RegisterAsset' as const, ...asset })),
    ...listing.markets.filter((market) => !listed.has(market.symbol)).map((market) => ({ type: 'RegisterMarket' as const, ...market })),
    ...changes.map(({ terms }) => ({ type: 'SetMarketTerms' as const, ...terms })),
    ...listing.withdrawalCaps
      .filter((wanted) => !isSame(wanted, caps.get(wanted.asset)))
      .map((wanted) => ({ type: 'SetWithdrawalCaps' as const, ...wanted })),
    // Before its contracts: they are of practice by what they are settled in.
    ...(hasPractice || listing.practice.length === 0 ? [] : [{ type: 'SetPracticeAsset' as const, asset: PRACTICE_ASSET.asset }]),
    ...[...listing.contracts, ...listing.practice]
      .filter(({ symbol }) => !contracts.has(symbol))
      .map((contract) => ({ type: 'RegisterContract' as const, ...contract })),
    ...listing.collaterals
      .filter((wanted) => !isSameCollateral(wanted, collaterals.get(wanted.asset)))
      .map((wanted) => ({ type: 'SetCollateral' as const, ...wanted })),
  ];
  for (const command of commands) {
    const { events } = await heart.submit(command);
    const refused = events.find((event) => event.type === 'CommandRejected');
    assert(refused === undefined, `the listing was refused: ${JSON.stringify(refused)}`);
  }
  return changes.flatMap(({ sentences }) => sentences);
}

const isSame = ({ hourly, daily }: WithdrawalCaps, other: WithdrawalCaps | undefined): boolean =>
  hourly === other?.hourly && daily === other.daily;

const isSameCollateral = ({ ratioPpm, market, cap }: Collateral, other: Collateral | undefined): boolean =>
  ratioPpm === other?.ratioPpm && market === other.market && cap === other.cap;

/** New terms of a listed market, and what is new in them. */
interface TermsChange {
  readonly terms: ChangeableTerms;
  readonly sentences: readonly string[];
}

const CHANGEABLE = ['maxSize', 'minNotional', 'maxNotional', 'makerFeePpm', 'takerFeePpm', 'maxOpenOrders'] as const;
const canChange = (field: string): boolean => CHANGEABLE.some((one) => one === field);

/** None, or one. */
function changesOf(listed: Market, markets: readonly Market[]): readonly TermsChange[] {
  const wanted = markets.find(({ symbol }) => symbol === listed.symbol);
  if (wanted === undefined)
    throw new StartError(
      `${listed.symbol} is listed and is not among the markets of ORRERY_CONFIG: a listed market can be halted, but not removed; put it back.`,
    );
  const differs = (Object.keys(wanted) as (keyof Market)[]).find((field) => !canChange(field) && wanted[field] !== listed[field]);
  if (differs !== undefined)
    throw new StartError(
      `${listed.symbol} is listed with ${differs} ${listed[differs]}, and ORRERY_CONFIG makes it ${wanted[differs]}: it never changes of a listed market.`,
    );
  const changed = CHANGEABLE.filter((field) => wanted[field] !== listed[field]);
  if (changed.length === 0) return [];
  const { market, maxSize, minNotional, maxNotional, makerFeePpm, takerFeePpm, maxOpenOrders } = wanted;
  return [
    {
      terms: { market, maxSize, minNotional, maxNotional, makerFeePpm, takerFeePpm, maxOpenOrders },
      sentences: changed.map((field) => `${listed.symbol}: ${field} is now ${wanted[field]}, and was ${listed[field]}`),
    },
  ];
}

function collectName(fact: Event, names: Set<string>): void {
  if (fact.type === 'AssetRegistered') names.add(fact.code);
  if (fact.type === 'MarketRegistered') names.add(fact.symbol);
}

export function assetIdOf(code: string): AssetId {
  return assetByCode(code).asset;
}
