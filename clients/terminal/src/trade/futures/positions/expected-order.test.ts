/** What an order of a contract is expected to do, on a book of three levels a side: 0.1 BTC at 60,000.0, 0.2 at 60,100.0 and 5 at 61,000.0. */
import { lots, ticks } from '@orrery/units';
import { expect, test } from 'vitest';
import { BTC_PERPETUAL } from '../../../market/contract.fixture.ts';
import { expectOrder } from './expected-order.ts';
import type { AskedOrder } from './expected-order.ts';

const ASKS = [600_000, 10_000, 601_000, 20_000, 610_000, 500_000];
const expected = (part: Partial<AskedOrder>): readonly unknown[] | undefined => {
  const order = expectOrder({
    market: BTC_PERPETUAL,
    side: 'buy',
    size: lots(30_000),
    levels: ASKS,
    mark: ticks(599_000),
    timeInForce: 'IOC',
    ...part,
  });
  return order && [order.size, order.average, order.value, order.fee, order.rests, order.walk?.rest];
};

test.each<[string, Partial<AskedOrder>, readonly unknown[] | undefined]>([
  // 0.1 at 60,000 and 0.2 at 60,100: 18,020 USDC, at 0.05 %.
  ['an order to the market walks the book', {}, [30_000, 600_666, 18_020_000_000n, 9_010_000n, 0, 0]],
  // Within 1 % of the best price: 60,600.
  ['no further than its slippage', { size: lots(40_000) }, [30_000, 600_666, 18_020_000_000n, 9_010_000n, 0, 10_000]],
  // 0.1 as a taker, 0.2 as a maker at 0.02 %.
  [
    'a limit order trades what it may and rests with the rest',
    { limit: ticks(600_000), timeInForce: 'GTC' },
    [30_000, 600_000, 18_000_000_000n, 5_400_000n, 20_000, 20_000],
  ],
  ['one that is not to rest does not', { limit: ticks(600_000) }, [10_000, 600_000, 6_000_000_000n, 3_000_000n, 0, 20_000]],
  [
    'one that may only rest rests',
    { limit: ticks(600_000), timeInForce: 'GTX' },
    [30_000, 600_000, 18_000_000_000n, 3_600_000n, 30_000, undefined],
  ],
  ['a limit may go through 1 %', { limit: ticks(610_000), size: lots(40_000) }, [40_000, 603_000, 24_120_000_000n, 12_060_000n, 0, 0]],
  ['where the book is not known, at the mark', { levels: undefined }, [30_000, 599_000, 17_970_000_000n, 8_985_000n, 0, undefined]],
  [
    'or at the limit',
    { levels: undefined, limit: ticks(600_000), timeInForce: 'GTC' },
    [30_000, 600_000, 18_000_000_000n, 3_600_000n, 30_000, undefined],
  ],
  ['nothing where neither is known', { levels: undefined, mark: ticks(0) }, undefined],
])('%s', (_name, part, found) => {
  expect(expected(part)).toEqual(found);
});
