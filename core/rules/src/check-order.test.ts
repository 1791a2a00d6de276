import { describe, expect, test } from 'vitest';
import { atoms, lots, ppm, ticks, type Ticks } from '@orrery/units';
import type { Order } from '@orrery/protocol';
import { checkOrder } from './check-order.ts';
import { BTC_USDC, limitOrder, marketOrder, stopLimit, stopMarket } from './testing/orders.ts';

const LAST = ticks(1_000_000);
const NONE = ticks(0);

function refusal(order: Order, last: Ticks = LAST): string {
  const refused = checkOrder(order, BTC_USDC, last, last);
  return refused === undefined ? 'sound' : `${refused.reason} ${refused.field}`;
}

describe('an order is checked', () => {
  test.each([
    ['sound', limitOrder()],
    ['sound', limitOrder({ clientOrderId: 'A-z_09' })],
    ['InvalidField clientOrderId', limitOrder({ clientOrderId: 'a b' })],
    ['InvalidField clientOrderId', limitOrder({ clientOrderId: 'x'.repeat(37) })],
    ['InvalidPrice price', limitOrder({ price: ticks(0) })],
    ['InvalidPrice price', limitOrder({ price: ticks(9) })],
    ['InvalidPrice price', limitOrder({ price: ticks(100_000_001) })],
    ['InvalidSize size', limitOrder({ size: lots(1) })],
    ['InvalidSize size', limitOrder({ size: lots(10_000_001) })],
    ['InvalidNotional size', limitOrder({ size: lots(4) })],
    ['sound', limitOrder({ size: lots(5) })],
    ['sound', limitOrder({ size: lots(4_000_000) })],
    ['InvalidNotional size', limitOrder({ size: lots(4_000_001) })],
    ['InvalidCombination triggerPrice', limitOrder({ triggerPrice: LAST })],
    ['InvalidCombination funds', limitOrder({ funds: atoms(9_000_000n) })],
    ['InvalidCombination funds', limitOrder({ funds: atoms(9_000_000n), size: lots(0) })],
    ['InvalidCombination slippagePpm', limitOrder({ slippagePpm: ppm(1) })],
    ['sound', marketOrder()],
    ['sound', marketOrder({ price: ticks(10) })],
    ['InvalidPrice price', marketOrder({ price: ticks(9) })],
    ['sound', marketOrder({ slippagePpm: ppm(1_000_000) })],
    ['InvalidField slippagePpm', marketOrder({ slippagePpm: ppm(1_000_001) })],
    ['InvalidNotional size', marketOrder({ size: lots(4) })],
    ['InvalidCombination timeInForce', marketOrder({ timeInForce: 'GTC' })],
    ['InvalidCombination timeInForce', marketOrder({ timeInForce: 'GTX' })],
    ['sound', marketOrder({ size: lots(0), funds: atoms(5_000_000n) })],
    ['InvalidNotional funds', marketOrder({ size: lots(0), funds: atoms(4_999_999n) })],
    ['InvalidCombination funds', marketOrder({ size: lots(0), funds: atoms(5_000_000n), side: 'sell' })],
    ['InvalidCombination funds', marketOrder({ funds: atoms(5_000_000n) })],
    ['sound', stopLimit({ triggerPrice: ticks(1_000_001) })],
    ['InvalidTrigger triggerPrice', stopLimit({ triggerPrice: LAST })],
    ['InvalidTrigger triggerPrice', stopLimit({ triggerPrice: ticks(0) })],
    ['sound', stopLimit({ side: 'sell', triggerPrice: ticks(999_999) })],
    ['InvalidTrigger triggerPrice', stopLimit({ side: 'sell', triggerPrice: LAST })],
    ['sound', stopMarket({ triggerPrice: ticks(1_000_001) })],
    ['InvalidNotional size', stopMarket({ triggerPrice: ticks(1_000_001), size: lots(4) })],
    ['InvalidCombination timeInForce', stopMarket({ triggerPrice: ticks(1_000_001), timeInForce: 'GTC' })],
  ] as const)('%s', (answer, order) => {
    expect(refusal(order)).toBe(answer);
  });

  test('without a last price no trigger is reached, and the value of a market order is not known', () => {
    expect(refusal(stopLimit({ triggerPrice: LAST }), NONE)).toBe('sound');
    expect(refusal(marketOrder({ size: lots(4) }), NONE)).toBe('sound');
  });

  test('for an unknown market only by its own fields', () => {
    expect(checkOrder(limitOrder({ price: ticks(1) }), undefined, NONE, NONE)).toBeUndefined();
    expect(checkOrder(limitOrder({ triggerPrice: LAST }), undefined, NONE, NONE)?.reason).toBe('InvalidCombination');
  });
});
