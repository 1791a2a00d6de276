/** A market as the maker needs it: decimal text of the API becomes ticks, lots and atoms here, and back. */
import type { CoinInfo, SymbolInfo } from '@orrery/api';
import {
  assert,
  atoms,
  lots,
  parseAtoms,
  parseLots,
  parseTicks,
  printLots,
  printTicks,
  type Atoms,
  type Lots,
  type Ticks,
} from '@orrery/units';

export interface MarketRules {
  readonly symbol: string;
  readonly base: string;
  readonly quote: string;
  readonly pricePrecision: number;
  readonly sizePrecision: number;
  /** Base atoms of one lot. */
  readonly lotAtoms: bigint;
  /** Quote atoms of one lot at one tick. */
  readonly tickLotAtoms: bigint;
  readonly baseDecimals: number;
  readonly quoteDecimals: number;
  readonly minSize: Lots;
  readonly maxSize: Lots;
  readonly minNotional: Atoms;
}

export function marketRules(info: SymbolInfo, coins: readonly CoinInfo[]): MarketRules {
  const decimalsOf = (coin: string): number => {
    const found = coins.find((each) => each.coin === coin);
    assert(found !== undefined, `the exchange lists ${coin}`);
    return found.precision;
  };
  const { pricePrecision, quantityPrecision: sizePrecision } = info;
  const [baseDecimals, quoteDecimals] = [decimalsOf(info.sellCoin), decimalsOf(info.buyCoin)];
  const minSize = parseLots(info.minQty, sizePrecision);
  const maxSize = parseLots(info.maxQty, sizePrecision);
  const minNotional = parseAtoms(info.minNotional, quoteDecimals);
  assert(minSize !== undefined && maxSize !== undefined && minNotional !== undefined, `the rules of ${info.symbol} can be read`);
  return {
    symbol: info.symbol,
    base: info.sellCoin,
    quote: info.buyCoin,
    pricePrecision,
    sizePrecision,
    lotAtoms: 10n ** BigInt(baseDecimals - sizePrecision),
    tickLotAtoms: 10n ** BigInt(quoteDecimals - pricePrecision - sizePrecision),
    baseDecimals,
    quoteDecimals,
    minSize,
    maxSize,
    minNotional,
  };
}

export function notional(price: Ticks, size: Lots, rules: MarketRules): Atoms {
  return atoms(BigInt(price) * BigInt(size) * rules.tickLotAtoms);
}

/** The most lots that `money` quote atoms are worth at a price. */
export function sizeWorth(money: bigint, price: Ticks, rules: MarketRules): Lots {
  const worth = money / (BigInt(price) * rules.tickLotAtoms);
  return worth < BigInt(rules.maxSize) ? lots(Number(worth)) : rules.maxSize;
}

/** The least lots that the market takes at a price. */
export function smallestSize(price: Ticks, rules: MarketRules): Lots {
  const perLot = BigInt(price) * rules.tickLotAtoms;
  const enough = (rules.minNotional + perLot - 1n) / perLot;
  return enough > BigInt(rules.minSize) ? lots(Number(enough)) : rules.minSize;
}

export const readPrice = (text: string, rules: MarketRules): Ticks | undefined => parseTicks(text, rules.pricePrecision);
export const readSize = (text: string, rules: MarketRules): Lots | undefined => parseLots(text, rules.sizePrecision);
export const writePrice = (price: Ticks, rules: MarketRules): string => printTicks(price, rules.pricePrecision);
export const writeSize = (size: Lots, rules: MarketRules): string => printLots(size, rules.sizePrecision);
