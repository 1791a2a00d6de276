/** The perpetual contracts as they are published. */
import {
  ApiError,
  type FuturesCoin,
  type FuturesSymbol,
  type Handlers,
  type LeverageBracket,
  type LeverageBrackets,
  type futuresSymbolRoutes,
  type UnderlyingType,
} from '@orrery/api';
import { TIMES_IN_FORCE, type Asset, type Contract, type MarginGroup } from '@orrery/protocol';
import { marginGroupOf, scaleTiers } from '@orrery/rules';
import { atoms, divFloor, lots, ppm, printAtoms, printDecimal, printLots, printTicks, ticks } from '@orrery/units';
import type { ListedContract } from '@orrery/views';
import type { Floor } from '../floor.ts';
import { mergeSteps, ratio, shown } from '../market-data/listing.ts';

const PPM = 1_000_000;
const HOUR_MS = 3_600_000;
/** Decimals of a ratio that is no multiple of a millionth. */
export const RATIO_DECIMALS = 6;
/** Decimals of a rate in billionths. */
export const PPB_DECIMALS = 9;

export const UNDERLYINGS = {
  linear: 'U_BASED',
  inverse: 'COIN_BASED',
  practice: 'PRACTICE',
} as const satisfies Record<MarginGroup, UnderlyingType>;
export const GROUPS_OF = {
  U_BASED: 'linear',
  COIN_BASED: 'inverse',
  PRACTICE: 'practice',
} as const satisfies Record<UnderlyingType, MarginGroup>;

/** Throws when no contract is listed under this symbol. */
export function contractNamed(floor: Floor, symbol: string): ListedContract {
  const listed = floor.contracts.contractBySymbol(symbol);
  if (listed === undefined) throw new ApiError('UnknownMarket', { field: 'symbol' });
  return listed;
}

export const settleOf = (floor: Floor, { settle }: Contract): Asset => floor.asset(settle);

export const contractHandlers = (floor: Floor): Handlers<typeof futuresSymbolRoutes> => ({
  futuresSymbols: () => floor.contracts.contracts().map((listed) => futuresSymbol(floor, listed)),
  futuresSymbol: ({ query }) => futuresSymbol(floor, contractNamed(floor, query.symbol)),
  futuresCoins: () => futuresCoins(floor),
  leverageBrackets: () => floor.contracts.contracts().map(({ contract }) => bracketsOf(floor, contract)),
  leverageBracket: ({ query }) => bracketsOf(floor, contractNamed(floor, query.symbol).contract),
});

export function futuresSymbol(floor: Floor, { contract, state, priceState }: ListedContract): FuturesSymbol {
  const { pricePrecision, sizePrecision, payoff } = contract;
  const settle = settleOf(floor, contract);
  const step = printLots(lots(1), sizePrecision);
  const tick = printTicks(ticks(1), pricePrecision);
  return {
    id: contract.market,
    symbol: contract.symbol,
    name: `${shown(contract.baseCode)}/${shown(contract.quoteCode)}`,
    contractType: 'PERPETUAL',
    underlyingType: UNDERLYINGS[marginGroupOf(contract)],
    state,
    tradeSwitch: state === 'TRADING',
    isDegraded: priceState === 'DEGRADED',
    contractSize: payoff === 'linear' ? '1' : step,
    baseCoin: contract.baseCode,
    quoteCoin: contract.quoteCode,
    settleCoin: settle.code,
    settleCoinPrecision: settle.decimals,
    baseCoinPrecision: sizePrecision,
    quoteCoinPrecision: pricePrecision,
    quantityPrecision: sizePrecision,
    pricePrecision,
    tickSize: tick,
    stepSize: step,
    minStepPrice: tick,
    minPrice: printTicks(contract.minPrice, pricePrecision),
    maxPrice: printTicks(contract.maxPrice, pricePrecision),
    minQty: printLots(contract.minSize, sizePrecision),
    maxQty: printLots(contract.maxSize, sizePrecision),
    minNotional: printAtoms(contract.minNotional, settle.decimals),
    maxNotional: printAtoms(contract.maxNotional, settle.decimals),
    multiplierDown: ratio(ppm(PPM - contract.limitBandPpm)),
    multiplierUp: ratio(ppm(PPM + contract.limitBandPpm)),
    marketTakeBound: ratio(contract.marketBandPpm),
    makerFee: ratio(contract.makerFeePpm),
    takerFee: ratio(contract.takerFeePpm),
    liquidationFee: '0',
    initLeverage: contract.initLeverage,
    maxLeverage: contract.tiers[0]?.maxLeverage ?? 1,
    initPositionType: 'CROSSED',
    supportPositionType: 'CROSSED,ISOLATED',
    supportOrderType: 'LIMIT,MARKET',
    supportTimeInForce: TIMES_IN_FORCE.join(','),
    supportEntrustType: 'TAKE_PROFIT,STOP,TAKE_PROFIT_MARKET,STOP_MARKET,TRAILING_STOP_MARKET',
    maxOpenOrders: contract.maxOpenOrders,
    maxEntrusts: contract.maxOpenOrders,
    openInterestCap: printLots(contract.openInterestCap, sizePrecision),
    fundingInterval: contract.fundingIntervalMs / HOUR_MS,
    interestRate: ratio(contract.interestPpm8h),
    maxFundingRate: ratio(contract.fundingCapPpm),
    impactNotional: printAtoms(contract.impactNotional, settle.decimals),
    depthPrecisionMerge: pricePrecision,
    depthMergeSteps: mergeSteps(pricePrecision),
    onboardDate: floor.listedAt(contract.market),
    sequence: contract.market,
  };
}

/** What linear contracts are settled in and their other collateral, then what inverse and practice ones are settled in. */
function futuresCoins(floor: Floor): FuturesCoin[] {
  const coinOf = (asset: Asset, rate: string, cap: string | null, underlyingType: UnderlyingType): FuturesCoin => ({
    id: asset.asset,
    coin: asset.code,
    name: shown(asset.code),
    precision: asset.decimals,
    underlyingType,
    ratio: rate,
    cap,
  });
  const settled = (group: MarginGroup): FuturesCoin[] => {
    const contracts = floor.contracts.contracts().filter(({ contract }) => marginGroupOf(contract) === group);
    const assets = new Set(contracts.map(({ contract }) => contract.settle));
    return [...assets].map((asset) => coinOf(floor.asset(asset), '1', null, UNDERLYINGS[group]));
  };
  const others = floor.contracts.collaterals().map(({ asset: id, ratioPpm, cap }) => {
    const asset = floor.asset(id);
    return coinOf(asset, ratio(ratioPpm), printAtoms(cap, asset.decimals), 'U_BASED');
  });
  return [...settled('linear'), ...others, ...settled('inverse'), ...settled('practice')];
}

function bracketsOf(floor: Floor, contract: Contract): LeverageBrackets {
  const { decimals } = settleOf(floor, contract);
  const { denominator, tiers } = scaleTiers(contract.tiers);
  let least = atoms(0n);
  const brackets = tiers.map(({ maxNotional, maxLeverage, deduction }, index): LeverageBracket => {
    const bracket: LeverageBracket = {
      bracket: index + 1,
      minNominalValue: printAtoms(least, decimals),
      maxNominalValue: printAtoms(maxNotional, decimals),
      maintMarginRate: shareOf(1n, 2n * BigInt(maxLeverage)),
      startMarginRate: shareOf(1n, BigInt(maxLeverage)),
      maintDeduction: printDecimal(divFloor(deduction, denominator), decimals),
      maxLeverage,
      minLeverage: 1,
    };
    least = maxNotional;
    return bracket;
  });
  return { symbolId: contract.market, symbol: contract.symbol, brackets };
}

/** A ratio of whole numbers, rounded down to a millionth. */
export const shareOf = (part: bigint, whole: bigint): string =>
  printDecimal(divFloorSigned(part * 10n ** BigInt(RATIO_DECIMALS), whole), RATIO_DECIMALS);

/** Towards zero, for either sign. */
const divFloorSigned = (dividend: bigint, divisor: bigint): bigint =>
  dividend < 0n ? -divFloor(-dividend, divisor) : divFloor(dividend, divisor);

/** A rate in billionths, signed. */
export const ppbRatio = (rate: number): string => printDecimal(BigInt(rate), PPB_DECIMALS);
