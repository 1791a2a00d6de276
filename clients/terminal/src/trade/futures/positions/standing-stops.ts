/** What protects a position now, for its row: the trigger that acts first of each kind, and how many there are. Pure. */
import type { Position, ProfitStopTerms } from '@orrery/api';
import { compareDecimals } from '../../../kit/format/decimal.ts';
import { directionOf } from './position-holding.ts';

export interface StandingStop {
  /** Decimal text. */
  readonly price: string;
  readonly count: number;
}

export interface StandingStops {
  readonly takeProfit: StandingStop | undefined;
  readonly stopLoss: StandingStop | undefined;
}

type Held = Pick<Position, 'symbol' | 'positionSide' | 'positionSize'>;

export function standingStops(stops: readonly ProfitStopTerms[], position: Held): StandingStops {
  const own = stops.filter(({ symbol, positionSide }) => symbol === position.symbol && positionSide === position.positionSide);
  const isLong = directionOf(position) === 'long';
  const rising = (prices: readonly (string | null)[]): readonly string[] =>
    prices.filter((price) => price !== null).toSorted(compareDecimals);
  // Of a long the lowest profit and the highest loss act first, of a short the other way round.
  const first = (prices: readonly string[], isLowest: boolean): StandingStop | undefined => {
    const price = isLowest ? prices[0] : prices.at(-1);
    return price === undefined ? undefined : { price, count: prices.length };
  };
  return {
    takeProfit: first(rising(own.map(({ triggerProfitPrice }) => triggerProfitPrice)), isLong),
    stopLoss: first(rising(own.map(({ triggerStopPrice }) => triggerStopPrice)), !isLong),
  };
}
