/** What a position that is over earned: its profit less what it paid, and that in per cent of its margin. Pure. */
import type { ClosedPosition } from '@orrery/api';
import { compareDecimals, decimal, divideDecimals, multiplyDecimals } from '../../../kit/format/decimal.ts';

export type Closed = Pick<ClosedPosition, 'realizedProfit' | 'cumTradingFee' | 'cumFunding' | 'maxSize' | 'entryPrice' | 'leverage'>;

export interface ClosedFigures {
  /** Settlement coin: realised profit less fees, with the funding that was received. */
  readonly net: string;
  /** `net` in per cent of the margin of the largest size at entry, two decimals, towards zero; `undefined` without an entry price. */
  readonly percent: string | undefined;
}

const PERCENT_DECIMALS = 2;
/** A coin amount that is a quotient. */
const COIN_DECIMALS = 18;

export function netOf({
  realizedProfit,
  cumTradingFee,
  cumFunding,
}: Pick<Closed, 'realizedProfit' | 'cumTradingFee' | 'cumFunding'>): string {
  return decimal(realizedProfit).minus(cumTradingFee).plus(cumFunding).toFixed();
}

export function closedFigures(position: Closed, payoff: 'linear' | 'inverse'): ClosedFigures {
  const net = netOf(position);
  const notional = notionalOf(position, payoff);
  if (notional === undefined || compareDecimals(notional, '0') === 0) return { net, percent: undefined };
  const dividend = multiplyDecimals(multiplyDecimals(net, '100'), String(position.leverage));
  return { net, percent: decimal(divideDecimals({ dividend, divisor: notional, decimals: PERCENT_DECIMALS })).toFixed(PERCENT_DECIMALS) };
}

/** Of its largest size at its entry price. The size of an inverse contract is in the quote coin, and its value in the base coin. */
function notionalOf({ maxSize, entryPrice }: Closed, payoff: 'linear' | 'inverse'): string | undefined {
  if (compareDecimals(entryPrice, '0') === 0) return undefined;
  return payoff === 'linear'
    ? multiplyDecimals(maxSize, entryPrice)
    : divideDecimals({ dividend: maxSize, divisor: entryPrice, decimals: COIN_DECIMALS });
}
