/** The rules of a listing in the whole units of the exchange: ticks, lots, atoms and parts per million. */
import type { CoinInfo, FuturesSymbol, SymbolInfo } from '@orrery/api';
import {
  type Atoms,
  atoms,
  type Lots,
  parseAtoms,
  parseDecimal,
  parseLots,
  parseTicks,
  type Ppm,
  ppm,
  printLots,
  printTicks,
  type Ticks,
} from '@orrery/units';

/** What a pair and a contract have in common. */
export interface Terms {
  readonly symbol: string;
  /** A tick is 10^-pricePrecision, a lot 10^-sizePrecision. */
  readonly pricePrecision: number;
  readonly sizePrecision: number;
  readonly minPrice: Ticks;
  readonly maxPrice: Ticks;
  readonly minSize: Lots;
  readonly maxSize: Lots;
  /** Atoms of the coin in which it is paid. */
  readonly minNotional: Atoms;
  readonly maxNotional: Atoms;
  /** What one lot is worth at one tick, in atoms of the same coin. An inverse contract is worth this times lots divided by ticks. */
  readonly tickLotAtoms: Atoms;
  readonly makerFeePpm: Ppm;
  readonly takerFeePpm: Ppm;
  /** How far from the reference price a limit may be, and a market order may go. */
  readonly limitBandPpm: Ppm;
  readonly marketBandPpm: Ppm;
  /** Of one account. */
  readonly maxOpenOrders: number;
}

export interface PairTerms extends Terms {
  /** Codes of the coins. */
  readonly base: string;
  readonly quote: string;
  readonly baseDecimals: number;
  readonly quoteDecimals: number;
  /** Base atoms of one lot. */
  readonly lotAtoms: Atoms;
}

export interface ContractTerms extends Terms {
  readonly payoff: 'linear' | 'inverse';
  readonly underlyingType: FuturesSymbol['underlyingType'];
  readonly settleDecimals: number;
  readonly maxLeverage: number;
}

const PPM_DECIMALS = 6;
const PPM_OF_ONE = 1_000_000;

/** @throws Error for a listing that cannot be read, with the name of the field. */
export function pairTerms(info: SymbolInfo, coins: readonly CoinInfo[]): PairTerms {
  const decimalsOf = (coin: string, otherwise: number): number => coins.find((known) => known.coin === coin)?.precision ?? otherwise;
  const baseDecimals = decimalsOf(info.sellCoin, info.sellCoinPrecision);
  const quoteDecimals = decimalsOf(info.buyCoin, info.buyCoinPrecision);
  const { pricePrecision, quantityPrecision: sizePrecision } = info;
  return {
    ...commonTerms(info, quoteDecimals),
    base: info.sellCoin,
    quote: info.buyCoin,
    baseDecimals,
    quoteDecimals,
    lotAtoms: atoms(10n ** BigInt(baseDecimals - sizePrecision)),
    tickLotAtoms: atoms(10n ** BigInt(quoteDecimals - pricePrecision - sizePrecision)),
  };
}

/** @throws Error for a listing that cannot be read, with the name of the field. */
export function contractTerms(info: FuturesSymbol): ContractTerms {
  const { pricePrecision, quantityPrecision: sizePrecision, settleCoinPrecision: settleDecimals, underlyingType } = info;
  const payoff = underlyingType === 'COIN_BASED' ? 'inverse' : 'linear';
  const priceDigits = payoff === 'inverse' ? pricePrecision : 0 - pricePrecision;
  return {
    ...commonTerms(info, settleDecimals),
    payoff,
    underlyingType,
    settleDecimals,
    maxLeverage: info.maxLeverage,
    tickLotAtoms: atoms(10n ** BigInt(settleDecimals + priceDigits - sizePrecision)),
  };
}

/** Decimal text of a price; undefined where it is none, or finer than a tick. */
export const readPrice = (text: string, { pricePrecision }: Terms): Ticks | undefined => parseTicks(text, pricePrecision);
/** Decimal text of a size; undefined where it is none, or finer than a lot. */
export const readSize = (text: string, { sizePrecision }: Terms): Lots | undefined => parseLots(text, sizePrecision);
export const writePrice = (price: Ticks, { pricePrecision }: Terms): string => printTicks(price, pricePrecision);
export const writeSize = (size: Lots, { sizePrecision }: Terms): string => printLots(size, sizePrecision);

type Limits = Omit<Terms, 'tickLotAtoms'>;

/** @param decimals of the coin in which it is paid */
function commonTerms(info: SymbolInfo | FuturesSymbol, decimals: number): Limits {
  const { symbol, pricePrecision, quantityPrecision: sizePrecision, maxOpenOrders } = info;
  const read = <Value>(field: keyof SymbolInfo & keyof FuturesSymbol, parse: (text: string) => Value | undefined): Value => {
    const value = parse(String(info[field]));
    if (value === undefined) throw new Error(`${symbol} is listed with ${field} ${String(info[field])}`);
    return value;
  };
  const rate = (text: string): Ppm | undefined => {
    const parts = parseDecimal(text, PPM_DECIMALS);
    return parts === undefined ? undefined : ppm(Number(parts));
  };
  const price = (text: string): Ticks | undefined => parseTicks(text, pricePrecision);
  const size = (text: string): Lots | undefined => parseLots(text, sizePrecision);
  const money = (text: string): Atoms | undefined => parseAtoms(text, decimals);
  return {
    symbol,
    pricePrecision,
    sizePrecision,
    minPrice: read('minPrice', price),
    maxPrice: read('maxPrice', price),
    minSize: read('minQty', size),
    maxSize: read('maxQty', size),
    minNotional: read('minNotional', money),
    maxNotional: read('maxNotional', money),
    makerFeePpm: read('makerFee', rate),
    takerFeePpm: read('takerFee', rate),
    // The highest price as a multiple of the reference.
    limitBandPpm: ppm(Math.max(0, read('multiplierUp', rate) - PPM_OF_ONE)),
    marketBandPpm: read('marketTakeBound', rate),
    maxOpenOrders,
  };
}
