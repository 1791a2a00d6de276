/**
 * Where a trailing order would act now: its distance from the best price since it was placed. The exchange follows each price; candles and the present price
 * are what a page knows of it, so that it is shown as near.
 */
import type { FuturesKline, Plan } from '@orrery/api';
import { worseBy } from '@orrery/rules';
import { NO_TICKS, parseDecimal, parseTicks, ppm, ticks } from '@orrery/units';
import type { Ticks } from '@orrery/units';
import type { ReactElement } from 'react';
import { useText } from '../../../kit/i18n/text.tsx';
import type { ContractMarket } from '../../../market/contract-market.ts';
import { useNumbers } from '../../../market/use-numbers.ts';
import { useData } from '../../../platform/data/use-data.ts';
import { useContractQuotes } from '../../../platform/data/streams/use-streams.ts';

const SOURCES = { MARK_PRICE: 'MARK', LATEST_PRICE: 'LAST', INDEX_PRICE: 'INDEX' } as const;
const QUOTED = { MARK_PRICE: 'm', LATEST_PRICE: 'c', INDEX_PRICE: 'i' } as const;
const MINUTE = 60_000;
/** The finest whose candles since the order are one answer. */
const INTERVALS = [
  ['1m', MINUTE],
  ['15m', 15 * MINUTE],
  ['4h', 240 * MINUTE],
  ['1d', 1_440 * MINUTE],
] as const;
const CANDLES = 500;
const RATE_DECIMALS = 6;

type Trailing = Pick<Plan, 'symbol' | 'orderSide' | 'triggerPriceType' | 'callbackRate' | 'createdTime'>;

export interface Followed {
  readonly plan: Trailing;
  readonly market: Pick<ContractMarket, 'pricePrecision'>;
  /** Those that began after the order was placed. */
  readonly candles: readonly Pick<FuturesKline, 'h' | 'l'>[];
  /** The present price, decimal text. */
  readonly now: string | null | undefined;
}

/** 0 while no price is known. */
export function trailingTrigger({ plan, market, candles, now }: Followed): Ticks {
  const side = plan.orderSide === 'BUY' ? 'buy' : 'sell';
  const prices = [...candles.map(({ h, l }) => (side === 'sell' ? h : l)), ...(now == null ? [] : [now])]
    .map((price) => parseTicks(price, market.pricePrecision) ?? NO_TICKS)
    .filter((price) => price !== NO_TICKS);
  const rate = parseDecimal(plan.callbackRate ?? '', RATE_DECIMALS);
  if (prices.length === 0 || rate === undefined) return NO_TICKS;
  return worseBy(ticks(side === 'sell' ? Math.max(...prices) : Math.min(...prices)), ppm(Number(rate)), side);
}

export function TrailingTrigger({ plan, market }: { readonly plan: Trailing; readonly market: ContractMarket }): ReactElement {
  const text = useText();
  const numbers = useNumbers(market);
  const { symbol, triggerPriceType, createdTime } = plan;
  const quotes = useContractQuotes();
  const age = Math.max(0, (quotes.value?.get(symbol)?.t ?? createdTime) - createdTime);
  const [interval, millis] = INTERVALS.find(([, length]) => age / length < CANDLES) ?? INTERVALS[INTERVALS.length - 1] ?? INTERVALS[0];
  const candles = useData({
    name: 'futuresKlines',
    of: 'everybody',
    // The candle in which it was placed has prices from before.
    input: { query: { symbol, interval, source: SOURCES[triggerPriceType], startTime: createdTime - (createdTime % millis) + millis } },
    pollMs: MINUTE,
    staleMs: MINUTE,
  });
  const at = trailingTrigger({ plan, market, candles: candles.value ?? [], now: quotes.value?.get(symbol)?.[QUOTED[triggerPriceType]] });
  return <>{at === NO_TICKS ? numbers.price(NO_TICKS) : text('orderForm.near', { price: numbers.price(at) })}</>;
}
