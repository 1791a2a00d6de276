/** A perpetual contract as the trading page needs it: read and written like a market of spot, with its margin tiers and its payoff. */
import type { Balance, FuturesCoin, FuturesSymbol, LeverageBrackets, QuantityUnit } from '@orrery/api';
import type { MarginTier } from '@orrery/protocol';
import type { PricedTerms } from '@orrery/rules';
import { contractTerms } from '@orrery/sdk';
import { assetId, atoms, marketId, parseAtoms } from '@orrery/units';
import { DOLLAR_DECIMALS, mergesOf, shownName, shownPair } from './market.ts';
import type { TradedMarket } from './market.ts';
import { LOT_UNIT, sizeUnits } from './size-units.ts';
import type { SizeUnits } from './size-units.ts';
import { perpetual } from '../platform/feed/perpetual.ts';

export interface ContractMarket extends TradedMarket {
  /** What the exchange calls it: a market of spot may have the same name, so `symbol` is this with `-PERP`. */
  readonly wire: string;
  readonly info: FuturesSymbol;
  readonly margin: PricedTerms;
  /** Of the settlement coin. */
  readonly settleName: string;
  readonly settleDecimals: number;
  readonly accountKind: 'uBased' | 'coinBased';
  /** The wallet that its margin is in. */
  readonly wallet: Balance['balanceType'];
  /** What its sizes may be written in; the first is that of `sizeName`. */
  readonly units: SizeUnits;
  /** What sizes are sent in. */
  readonly lotUnit: QuantityUnit;
  /** What a button says is bought and sold. */
  readonly tradedName: string;
}

/** Turnover of a contract that is settled in a coin: a day of a thousand dollars is not nothing. */
const COIN_TURNOVER_DECIMALS = 4;

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

export interface ContractListing {
  readonly info: FuturesSymbol;
  readonly brackets: LeverageBrackets | undefined;
  readonly coins: readonly FuturesCoin[];
}

/** @throws Error for a listing that cannot be read. */
export function contractMarket({ info, brackets, coins }: ContractListing): ContractMarket {
  const { payoff, settleDecimals, maxLeverage: _, underlyingType, ...limits } = contractTerms(info);
  const { pricePrecision, sizePrecision, tickLotAtoms, minPrice, maxPrice } = limits;
  const isCoinBased = underlyingType === 'COIN_BASED';
  const [coin, settle] = [shownName(info.baseCoin), shownName(info.settleCoin)];
  const units = sizeUnits(payoff, { coin, settle, sizePrecision, settleDecimals });
  const baseDecimals = coins.find(({ coin }) => coin === info.baseCoin)?.precision ?? Math.max(sizePrecision, settleDecimals);
  return {
    symbol: perpetual(info.symbol),
    wire: info.symbol,
    info,
    base: info.baseCoin,
    quote: info.quoteCoin,
    baseName: coin,
    quoteName: shownName(info.quoteCoin),
    sizeName: units[0].name,
    valueName: settle,
    valueDecimals: isCoinBased ? settleDecimals : DOLLAR_DECIMALS,
    turnoverDecimals: isCoinBased ? COIN_TURNOVER_DECIMALS : 0,
    state: info.state,
    pricePrecision,
    sizePrecision,
    baseDecimals,
    quoteDecimals: settleDecimals,
    settleName: settle,
    settleDecimals,
    accountKind: isCoinBased ? 'coinBased' : 'uBased',
    wallet: isCoinBased ? 'coinFutures' : 'futures',
    units,
    lotUnit: LOT_UNIT[payoff],
    tradedName: isCoinBased ? shownPair(info.symbol) : coin,
    merges: mergesOf(info.depthMergeSteps, pricePrecision),
    margin: { payoff, tickLotAtoms, tiers: tiersOf(brackets, info), minPrice, maxPrice },
    terms: { ...limits, market: marketId(info.id), base: assetId(NO_COIN), quote: assetId(NO_COIN), lotAtoms: atoms(1n) },
  };
}
