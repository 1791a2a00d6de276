/** A perpetual contract as the trading page needs it: read and written like a market of spot, with its margin tiers and its payoff. */
import type { FuturesCoin, FuturesSymbol, LeverageBrackets } from '@orrery/api';
import type { MarginTier } from '@orrery/protocol';
import type { PricedTerms } from '@orrery/rules';
import { assetId, atoms, lots, marketId, parseAtoms, parseDecimal, ppm, ticks } from '@orrery/units';
import { shownName } from './market.ts';
import type { TradedMarket } from './market.ts';
import { perpetual } from '../platform/feed/perpetual.ts';

export interface ContractMarket extends TradedMarket {
  /** What the exchange calls it: a market of spot may have the same name, so `symbol` is this with `-PERP`. */
  readonly wire: string;
  readonly info: FuturesSymbol;
  readonly margin: PricedTerms;
  /** Of the settlement coin. */
  readonly settleName: string;
  readonly settleDecimals: number;
  /** `USD` of a contract that is settled in its coin: its sizes are counted in dollars. */
  readonly accountKind: 'uBased' | 'coinBased';
}

const units = (text: string, decimals: number): number => Number(parseDecimal(text, decimals) ?? 0n);
const PPM_DECIMALS = 6;
const PPM_OF_ONE = 1_000_000;
/** The rules look at the numbers of coins in spot only. */
const NO_COIN = 1;

/** No last bracket has an end: the cap of the contract's open interest bounds it long before this. */
const UNBOUNDED = 10n ** 30n;

function tiersOf(brackets: LeverageBrackets | undefined, info: FuturesSymbol): readonly MarginTier[] {
  const tiers = brackets?.brackets.map(({ maxNominalValue, maxLeverage }) => ({
    maxNotional: maxNominalValue === null ? atoms(UNBOUNDED) : (parseAtoms(maxNominalValue, info.settleCoinPrecision) ?? atoms(0n)),
    maxLeverage,
  }));
  return tiers === undefined || tiers.length === 0 ? [{ maxNotional: atoms(UNBOUNDED), maxLeverage: info.maxLeverage }] : tiers;
}

/** Settle atoms of one lot at one tick. */
function tickLotAtoms({ settleCoinPrecision, pricePrecision, quantityPrecision, underlyingType }: FuturesSymbol): bigint {
  const sign = underlyingType === 'COIN_BASED' ? 1 : -1;
  return 10n ** BigInt(settleCoinPrecision + sign * pricePrecision - quantityPrecision);
}

export interface ContractListing {
  readonly info: FuturesSymbol;
  readonly brackets: LeverageBrackets | undefined;
  readonly coins: readonly FuturesCoin[];
}

export function contractMarket({ info, brackets, coins }: ContractListing): ContractMarket {
  const { pricePrecision, quantityPrecision: sizePrecision, settleCoinPrecision } = info;
  const isCoinBased = info.underlyingType === 'COIN_BASED';
  const baseDecimals = coins.find(({ coin }) => coin === info.baseCoin)?.precision ?? Math.max(sizePrecision, settleCoinPrecision);
  const oneTickLot = atoms(tickLotAtoms(info));
  const minPrice = ticks(units(info.minPrice, pricePrecision));
  const maxPrice = ticks(units(info.maxPrice, pricePrecision));
  const merges = info.depthMergeSteps.map((step) => units(step, pricePrecision)).filter((step) => step >= 1);
  return {
    symbol: perpetual(info.symbol),
    wire: info.symbol,
    info,
    base: info.baseCoin,
    quote: info.quoteCoin,
    // What sizes are counted in.
    baseName: shownName(isCoinBased ? info.quoteCoin : info.baseCoin),
    quoteName: shownName(info.quoteCoin),
    state: info.state,
    pricePrecision,
    sizePrecision,
    baseDecimals,
    quoteDecimals: settleCoinPrecision,
    settleName: shownName(info.settleCoin),
    settleDecimals: settleCoinPrecision,
    accountKind: isCoinBased ? 'coinBased' : 'uBased',
    merges: [...new Set([1, ...merges])].sort((left, right) => left - right),
    margin: {
      payoff: isCoinBased ? 'inverse' : 'linear',
      tickLotAtoms: oneTickLot,
      tiers: tiersOf(brackets, info),
      minPrice,
      maxPrice,
    },
    terms: {
      market: marketId(info.id),
      symbol: info.symbol,
      base: assetId(NO_COIN),
      quote: assetId(NO_COIN),
      pricePrecision,
      sizePrecision,
      lotAtoms: atoms(1n),
      tickLotAtoms: oneTickLot,
      minPrice,
      maxPrice,
      minSize: lots(units(info.minQty, sizePrecision)),
      maxSize: lots(units(info.maxQty, sizePrecision)),
      minNotional: parseAtoms(info.minNotional, settleCoinPrecision) ?? atoms(0n),
      maxNotional: parseAtoms(info.maxNotional, settleCoinPrecision) ?? atoms(0n),
      makerFeePpm: ppm(units(info.makerFee, PPM_DECIMALS)),
      takerFeePpm: ppm(units(info.takerFee, PPM_DECIMALS)),
      limitBandPpm: ppm(Math.max(0, units(info.multiplierUp, PPM_DECIMALS) - PPM_OF_ONE)),
      marketBandPpm: ppm(units(info.marketTakeBound, PPM_DECIMALS)),
      maxOpenOrders: info.maxOpenOrders,
    },
  };
}
