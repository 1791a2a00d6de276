/** The perpetual contracts of this exchange, and what else counts as their margin: as the commands that register them. */
import type { Asset, Collateral, Contract, MarginTier, Market } from '@orrery/protocol';
import { assert, atoms, lots, marketId, parseAtoms, parseLots, parseTicks, ppm, ticks, type Atoms } from '@orrery/units';

/** Numbers of contracts begin here: those below are for spot markets. */
export const FIRST_CONTRACT = 101;
/** Practice contracts are numbered from here: the numbers before are for those that come. */
export const FIRST_PRACTICE_CONTRACT = 901;

/** A contract as people write it: prices in the quote, sizes in base (of an inverse contract in quote), money in the settlement asset. */
interface ContractPlan {
  readonly market: number;
  readonly symbol: string;
  readonly payoff: Contract['payoff'];
  readonly settle: 'USDC' | 'BTC' | 'PRACTICE';
  readonly pricePrecision: number;
  readonly sizePrecision: number;
  readonly maxPrice: string;
  readonly maxSize: string;
  readonly minNotional: string;
  readonly maxNotional: string;
  readonly openInterestCap: string;
  /** 200 USD times the most leverage. */
  readonly impactNotional: string;
  /** Above it a fifth is liquidated first. */
  readonly partialAbove: string;
  /** [up to this notional, the most leverage]. */
  readonly tiers: readonly (readonly [string, number])[];
}

const linear = (terms: Omit<ContractPlan, 'payoff' | 'settle' | 'minNotional' | 'partialAbove'>): ContractPlan => ({
  payoff: 'linear',
  settle: 'USDC',
  minNotional: '5',
  partialAbove: '100000',
  ...terms,
});

/** Steps as on the spot markets. The inverse contract is one dollar a lot. */
const PLANS: readonly ContractPlan[] = [
  linear({
    market: FIRST_CONTRACT,
    symbol: 'BTC_USDC',
    pricePrecision: 1,
    sizePrecision: 5,
    maxPrice: '10000000',
    maxSize: '100',
    maxNotional: '4000000',
    openInterestCap: '1000',
    impactNotional: '8000',
    tiers: [
      ['4000000', 40],
      ['1000000000', 10],
      ['2000000000', 1],
    ],
  }),
  linear({
    market: FIRST_CONTRACT + 1,
    symbol: 'ETH_USDC',
    pricePrecision: 2,
    sizePrecision: 4,
    maxPrice: '1000000',
    maxSize: '2000',
    maxNotional: '4000000',
    openInterestCap: '20000',
    impactNotional: '5000',
    tiers: [
      ['4000000', 25],
      ['1000000000', 10],
      ['2000000000', 1],
    ],
  }),
  linear({
    market: FIRST_CONTRACT + 2,
    symbol: 'SOL_USDC',
    pricePrecision: 2,
    sizePrecision: 2,
    maxPrice: '100000',
    maxSize: '50000',
    maxNotional: '2000000',
    openInterestCap: '400000',
    impactNotional: '4000',
    tiers: [
      ['4000000', 20],
      ['1000000000', 10],
      ['2000000000', 1],
    ],
  }),
  linear({
    market: FIRST_CONTRACT + 3,
    symbol: 'BNB_USDC',
    pricePrecision: 2,
    sizePrecision: 3,
    maxPrice: '100000',
    maxSize: '10000',
    maxNotional: '1000000',
    openInterestCap: '50000',
    impactNotional: '2000',
    tiers: [
      ['1000000', 10],
      ['1000000000', 5],
      ['2000000000', 1],
    ],
  }),
  linear({
    market: FIRST_CONTRACT + 4,
    symbol: 'DOGE_USDC',
    pricePrecision: 5,
    sizePrecision: 0,
    maxPrice: '100',
    maxSize: '20000000',
    maxNotional: '1000000',
    openInterestCap: '300000000',
    impactNotional: '2000',
    tiers: [
      ['2000000', 10],
      ['1000000000', 5],
      ['2000000000', 1],
    ],
  }),
  {
    market: FIRST_CONTRACT + 5,
    symbol: 'BTC_USD',
    payoff: 'inverse',
    settle: 'BTC',
    pricePrecision: 1,
    sizePrecision: 0,
    maxPrice: '10000000',
    maxSize: '10000000',
    minNotional: '0.00005',
    maxNotional: '40',
    openInterestCap: '50000000',
    impactNotional: '0.08',
    partialAbove: '1',
    tiers: [
      ['40', 40],
      ['10000', 10],
      ['20000', 1],
    ],
  },
];

/** The steps and leverage of the contracts that they are practised for; the caps are those of few people. */
const PRACTICE_PLANS: readonly ContractPlan[] = [
  {
    ...linear({
      market: FIRST_PRACTICE_CONTRACT,
      symbol: 'BTC_PRACTICE',
      pricePrecision: 1,
      sizePrecision: 5,
      maxPrice: '10000000',
      maxSize: '100',
      maxNotional: '4000000',
      openInterestCap: '1000',
      impactNotional: '8000',
      tiers: [
        ['4000000', 40],
        ['1000000000', 10],
      ],
    }),
    settle: 'PRACTICE',
  },
  {
    ...linear({
      market: FIRST_PRACTICE_CONTRACT + 1,
      symbol: 'ETH_PRACTICE',
      pricePrecision: 2,
      sizePrecision: 4,
      maxPrice: '1000000',
      maxSize: '2000',
      maxNotional: '4000000',
      openInterestCap: '20000',
      impactNotional: '8000',
      tiers: [
        ['4000000', 40],
        ['1000000000', 10],
      ],
    }),
    settle: 'PRACTICE',
  },
];

const HOUR_MS = 3_600_000;
const MINUTE_HALF_MS = 30_000;

/** @param assets those that are listed */
export const contractsOf = (assets: readonly Asset[]): readonly Contract[] => PLANS.map((plan) => contractOf(plan, assets));

export const practiceContractsOf = (asset: Asset): readonly Contract[] => PRACTICE_PLANS.map((plan) => contractOf(plan, [asset]));

function contractOf(plan: ContractPlan, assets: readonly Asset[]): Contract {
  const { pricePrecision, sizePrecision, payoff } = plan;
  const settle = assets.find(({ code }) => code === plan.settle);
  assert(settle !== undefined, `${plan.settle} is listed`);
  const [baseCode = '', quoteCode = ''] = plan.symbol.split('_');
  const money = (text: string): Atoms => known(parseAtoms(text, settle.decimals));
  const size = (text: string) => known(parseLots(text, sizePrecision));
  // A lot of an inverse contract is a number of quote units, worth that number divided by the price.
  const exponent =
    payoff === 'linear' ? settle.decimals - pricePrecision - sizePrecision : settle.decimals + pricePrecision - sizePrecision;
  const tiers = plan.tiers.map(([maxNotional, maxLeverage]): MarginTier => ({ maxNotional: money(maxNotional), maxLeverage }));
  return {
    market: marketId(plan.market),
    symbol: plan.symbol,
    baseCode,
    quoteCode,
    payoff,
    settle: settle.asset,
    pricePrecision,
    sizePrecision,
    tickLotAtoms: atoms(10n ** BigInt(exponent)),
    minPrice: ticks(1),
    maxPrice: known(parseTicks(plan.maxPrice, pricePrecision)),
    minSize: lots(1),
    maxSize: size(plan.maxSize),
    minNotional: money(plan.minNotional),
    maxNotional: money(plan.maxNotional),
    makerFeePpm: ppm(200),
    takerFeePpm: ppm(500),
    limitBandPpm: ppm(100_000),
    marketBandPpm: ppm(50_000),
    maxOpenOrders: 200,
    initLeverage: Math.min(10, tiers[0]?.maxLeverage ?? 1),
    tiers,
    openInterestCap: size(plan.openInterestCap),
    impactNotional: money(plan.impactNotional),
    fundingIntervalMs: HOUR_MS,
    interestPpm8h: ppm(100),
    fundingCapPpm: ppm(40_000),
    partialLiquidationAbove: money(plan.partialAbove),
    partialLiquidationPpm: ppm(200_000),
    liquidationCooldownMs: MINUTE_HALF_MS,
  };
}

function known<Value>(value: Value | undefined): Value {
  assert(value !== undefined, 'a plan is written in the decimals of its contract');
  return value;
}

/** The most of each that one account can bring in: a quarter of a million dollars, and ten thousand of SOSO, at the prices of the recording. */
const COLLATERALS = [
  { code: 'BTC', ratioPpm: 900_000, cap: '2.5' },
  { code: 'ETH', ratioPpm: 900_000, cap: '100' },
  { code: 'WSOSO', ratioPpm: 500_000, cap: '18000' },
] as const;

/** Those that a listed spot market prices in USDC. */
export function collateralsOf(assets: readonly Asset[], markets: readonly Market[]): readonly Collateral[] {
  return COLLATERALS.flatMap(({ code, ratioPpm, cap }) => {
    const asset = assets.find((one) => one.code === code);
    const market = markets.find(({ symbol }) => symbol === `${code}_USDC`);
    if (asset === undefined || market === undefined) return [];
    return [{ asset: asset.asset, ratioPpm: ppm(ratioPpm), market: market.market, cap: known(parseAtoms(cap, asset.decimals)) }];
  });
}
