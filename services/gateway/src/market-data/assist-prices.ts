/** What coins are worth in US dollars and in yuan, for showing values. */
import type { AssistPrice, CurrencyRate } from '@orrery/api';
import { divFloor, parseAtoms, printDecimal, printTicks } from '@orrery/units';
import type { Floor } from '../floor.ts';

/** Shown as one US dollar. */
const DOLLAR_COIN = 'USDC';
/** Of the rate of a currency and of a price in it. */
const DECIMALS = 12;

interface DollarPrice {
  readonly price: string | null;
  readonly source: string;
  /** Unix milliseconds; undefined where it has none. */
  readonly at: number | undefined;
}

/** Of each coin of the chain, in dollars first. @param rates what a dollar costs elsewhere. @param now unix milliseconds. */
export function assistPricesOf(
  floor: Pick<Floor, 'markets'>,
  { rates, now }: { rates: readonly CurrencyRate[]; now: number },
): AssistPrice[] {
  const coins = floor.markets.assets().filter(({ kind }) => kind === 'chain');
  return coins.flatMap(({ code: coin }) => {
    const { price, source, at } = dollarPriceOf(floor, coin);
    const ageMs = at === undefined ? null : Math.max(0, now - at);
    const inDollars: AssistPrice = { coin, currency: 'usd', price, source, ageMs };
    const elsewhere = rates.map(({ currency, perUsd, date, source: bank }): AssistPrice => {
      return { coin, currency, price: product(price, perUsd), source: `${source}, at ${perUsd} of ${date} (${bank})`, ageMs };
    });
    return [inDollars, ...elsewhere];
  });
}

/** The outside price, which cannot be moved here; the last trade where there is none. */
function dollarPriceOf(floor: Pick<Floor, 'markets'>, coin: string): DollarPrice {
  if (coin === DOLLAR_COIN) return { price: '1', source: `one ${DOLLAR_COIN} is shown as one US dollar`, at: undefined };
  const listed = floor.markets.marketBySymbol(`${coin}_${DOLLAR_COIN}`);
  if (listed === undefined) return { price: null, source: 'no market', at: undefined };
  const { market, indexPrice, indexPriceAt, lastPrice } = listed;
  if (indexPrice !== 0) return { price: printTicks(indexPrice, market.pricePrecision), source: 'outside price', at: indexPriceAt };
  if (lastPrice !== 0) return { price: printTicks(lastPrice, market.pricePrecision), source: 'last trade', at: undefined };
  return { price: null, source: 'no price yet', at: undefined };
}

/** Rounded down, as values are shown. */
function product(price: string | null, rate: string): string | null {
  const [left, right] = [price === null ? undefined : parseAtoms(price, DECIMALS), parseAtoms(rate, DECIMALS)];
  if (left === undefined || right === undefined) return null;
  return printDecimal(divFloor(left * right, 10n ** BigInt(DECIMALS)), DECIMALS);
}
