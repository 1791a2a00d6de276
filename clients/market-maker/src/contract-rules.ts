/** A contract as the maker needs it: decimal text of the API becomes ticks and lots here, and back. */
import type { FuturesSymbol } from '@orrery/api';
import { assert, lots, parseAtoms, parseLots, parseTicks, printLots, printTicks, type Lots, type Ticks } from '@orrery/units';

export interface ContractRules {
  readonly symbol: string;
  readonly isLinear: boolean;
  readonly pricePrecision: number;
  readonly sizePrecision: number;
  readonly minSize: Lots;
  readonly maxSize: Lots;
  /** Settle atoms. */
  readonly minNotional: bigint;
  /** Settle atoms of one lot at one tick. */
  readonly tickLotAtoms: bigint;
  readonly maxLeverage: number;
  /** Settled in what is worth nothing: quoted lightly. */
  readonly isPractice: boolean;
}

export function contractRules(info: FuturesSymbol): ContractRules {
  const { symbol, pricePrecision, quantityPrecision: sizePrecision, settleCoinPrecision, maxLeverage } = info;
  const isLinear = info.underlyingType !== 'COIN_BASED';
  const minSize = parseLots(info.minQty, sizePrecision);
  const maxSize = parseLots(info.maxQty, sizePrecision);
  const minNotional = parseAtoms(info.minNotional, settleCoinPrecision);
  assert(minSize !== undefined && maxSize !== undefined && minNotional !== undefined, `the rules of ${symbol} can be read`);
  const exponent = isLinear ? settleCoinPrecision - pricePrecision - sizePrecision : settleCoinPrecision + pricePrecision - sizePrecision;
  return {
    symbol,
    isLinear,
    pricePrecision,
    sizePrecision,
    minSize,
    maxSize,
    minNotional,
    tickLotAtoms: 10n ** BigInt(exponent),
    maxLeverage,
    isPractice: info.underlyingType === 'PRACTICE',
  };
}

/** The most lots that are worth this number of whole dollars at a price. */
export function sizeOfDollars(dollars: number, price: Ticks, { isLinear, pricePrecision, sizePrecision, maxSize }: ContractRules): Lots {
  const lot = 10n ** BigInt(sizePrecision);
  const size = isLinear ? (BigInt(dollars) * 10n ** BigInt(pricePrecision) * lot) / BigInt(price) : BigInt(dollars) * lot;
  return size < BigInt(maxSize) ? lots(Number(size)) : maxSize;
}

/** The least lots that the contract takes at a price. */
export function smallestOrder(price: Ticks, { isLinear, tickLotAtoms, minNotional, minSize }: ContractRules): Lots {
  const [top, bottom] = isLinear ? [minNotional, BigInt(price) * tickLotAtoms] : [minNotional * BigInt(price), tickLotAtoms];
  const enough = (top + bottom - 1n) / bottom;
  return enough > BigInt(minSize) ? lots(Number(enough)) : minSize;
}

/** Lots of a position, below zero of a short one; undefined where the text is none. */
export function readPosition(text: string, { sizePrecision }: ContractRules): number | undefined {
  const size = parseLots(text.replace(/^-/, ''), sizePrecision);
  return size === undefined ? undefined : text.startsWith('-') ? 0 - size : size;
}

export const readContractPrice = (text: string, rules: ContractRules): Ticks | undefined => parseTicks(text, rules.pricePrecision);
export const readContractSize = (text: string, rules: ContractRules): Lots | undefined => parseLots(text, rules.sizePrecision);
export const writeContractPrice = (price: Ticks, rules: ContractRules): string => printTicks(price, rules.pricePrecision);
export const writeContractSize = (size: Lots, rules: ContractRules): string => printLots(size, rules.sizePrecision);
