import { expect, test } from 'vitest';
import { atoms, lots, ticks } from '@orrery/units';
import { holdOf } from './holds.ts';
import { BTC_USDC, limitOrder, marketOrder, stopLimit, stopMarket } from './testing/orders.ts';

test.each([
  ['a limit buy its remainder at its limit', limitOrder(), 40, 40_000_000n],
  ['a limit sell its remainder of the base asset', limitOrder({ side: 'sell' }), 40, 40_000n],
  ['a stop limit buy its size at its limit, not at its trigger', stopLimit({ price: ticks(1_100_000) }), 100, 110_000_000n],
  ['a stop market buy its size at 5 % above its trigger', stopMarket(), 100, 105_000_000n],
  ['a stop market buy its size at its own worst price', stopMarket({ price: ticks(1_010_000) }), 100, 101_000_000n],
  ['a stop market buy its funds', stopMarket({ size: lots(0), funds: atoms(77_000_000n) }), 0, 77_000_000n],
  ['a stop market sell its base', stopMarket({ side: 'sell' }), 100, 100_000n],
  ['a market buy nothing: it never waits', marketOrder(), 100, 0n],
] as const)('M4: it holds, %s', (_rule, order, remaining, hold) => {
  expect(holdOf(order, lots(remaining), BTC_USDC)).toBe(hold);
});
