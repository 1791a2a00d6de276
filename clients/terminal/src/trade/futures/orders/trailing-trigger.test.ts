// @vitest-environment happy-dom
import type { Plan } from '@orrery/api';
import { expect, test } from 'vitest';
import { BTC_PERPETUAL } from '../../../market/contract.fixture.ts';
import { trailingTrigger } from './trailing-trigger.tsx';

const plan = (orderSide: 'BUY' | 'SELL') =>
  ({ symbol: 'BTC_USDC', orderSide, triggerPriceType: 'MARK_PRICE', callbackRate: '0.01', createdTime: 0 }) as Plan;
const CANDLES = [
  { h: '61000', l: '60000' },
  { h: '62000', l: '59000' },
];
const near = (side: 'BUY' | 'SELL', now: string | null, candles = CANDLES) =>
  trailingTrigger({ plan: plan(side), market: BTC_PERPETUAL, candles, now });

test('a sell follows the highest price, a buy the lowest, since it was placed', () => {
  expect(near('SELL', '60500')).toBe(613_800);
  expect(near('SELL', '63000')).toBe(623_700);
  expect(near('BUY', '60500')).toBe(595_900);
  expect(near('BUY', '58000')).toBe(585_800);
  expect(near('BUY', '60500', [])).toBe(611_050);
  expect(near('BUY', null, [])).toBe(0);
});
