import type { ProfitStopTerms } from '@orrery/api';
import { expect, test } from 'vitest';
import { standingStops } from './standing-stops.ts';

const stop = (part: Partial<ProfitStopTerms>): ProfitStopTerms =>
  ({ symbol: 'BTC_USDC', positionSide: 'BOTH', triggerProfitPrice: null, triggerStopPrice: null, ...part }) as ProfitStopTerms;

const STOPS = [
  stop({ triggerProfitPrice: '70000' }),
  stop({ triggerProfitPrice: '9000' }),
  stop({ triggerStopPrice: '50000' }),
  stop({ triggerStopPrice: '100', positionSide: 'LONG' }),
  stop({ triggerStopPrice: '200', symbol: 'BTC_USD' }),
];
const of = (positionSize: string) => standingStops(STOPS, { symbol: 'BTC_USDC', positionSide: 'BOTH', positionSize });

test('the row of a position says what acts first: of a long the lowest profit, of a short the highest; what is of another position is left out', () => {
  expect(of('0.5')).toEqual({ takeProfit: { price: '9000', count: 2 }, stopLoss: { price: '50000', count: 1 } });
  expect(of('-0.5')).toEqual({ takeProfit: { price: '70000', count: 2 }, stopLoss: { price: '50000', count: 1 } });
});

test('a position without any has none', () => {
  expect(standingStops([], { symbol: 'BTC_USDC', positionSide: 'BOTH', positionSize: '1' })).toEqual({
    takeProfit: undefined,
    stopLoss: undefined,
  });
});
