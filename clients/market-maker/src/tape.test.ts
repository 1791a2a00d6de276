import * as fc from 'fast-check';
import { createClient } from '@orrery/sdk';
import { ticks } from '@orrery/units';
import { describe, expect, test } from 'vitest';
import { notional, smallestSize } from './sizes.ts';
import { Pace } from './pace.ts';
import { Random } from './random.ts';
import { Tape } from './tape.ts';
import { BTC } from './testing/markets.ts';

const tape = (seed: number): Tape =>
  new Tape({ client: createClient({ baseUrl: 'http://127.0.0.1:1' }), rules: BTC, seed, meanPauseMs: 2_500, sharers: 5 });
const price = ticks(1_000_000);

describe('orders of the tape', () => {
  test('are small, within reach of the outside price, and never more than the purse holds', () => {
    const purse = fc.record({ BTC: fc.bigInt({ min: 0n, max: 10n ** 9n }), USDC: fc.bigInt({ min: 0n, max: 10n ** 11n }) });
    fc.assert(
      fc.property(fc.nat(), purse, (seed, money) => {
        const order = tape(seed).draw(price, { free: (coin) => (coin === 'BTC' ? money.BTC : money.USDC) });
        if (order === undefined) return;
        const worth = notional(order.price, order.size, BTC);
        expect(order.size).toBeGreaterThanOrEqual(smallestSize(order.price, BTC));
        expect(worth).toBeLessThanOrEqual(610_000_000n);
        expect(Math.abs(order.price - price)).toBe(3_000);
        if (order.side === 'buy') expect(worth * 5n).toBeLessThanOrEqual(money.USDC);
        else expect(BigInt(order.size) * BTC.lotAtoms).toBeLessThanOrEqual(money.BTC);
      }),
    );
  });

  test('sell what the purse has too much of', () => {
    const drawn = Array.from({ length: 200 }, (_, seed) =>
      tape(seed).draw(price, { free: (coin) => (coin === 'BTC' ? 10n ** 9n : 10n ** 10n) }),
    );
    expect(drawn.filter((order) => order?.side === 'sell').length).toBeGreaterThan(180);
  });

  test('and their pauses are the same for the same seed', () => {
    const purse = { free: () => 10n ** 11n };
    const run = (seed: number) => {
      const one = tape(seed);
      return Array.from({ length: 20 }, () => [one.pauseMs(), one.draw(price, purse)]);
    };
    expect(run(3)).toEqual(run(3));
    expect(run(3)).not.toEqual(run(4));
  });
});

test('chance is spread evenly', () => {
  const random = new Random(11);
  const drawn = Array.from({ length: 10_000 }, () => random.fraction());
  const counts = Array.from({ length: 10 }, (_, tenth) => drawn.filter((each) => Math.floor(each * 10) === tenth).length);
  for (const count of counts) expect(Math.abs(count - 1_000)).toBeLessThan(150);
});

test('the pace never lets more operations through than its rate', async () => {
  let now = 0;
  const pace = new Pace({ perSecond: 100, now: () => now, wait: async (ms) => void (now += ms) });
  for (let batch = 0; batch < 10; batch += 1) await pace.take(20);
  expect(now).toBe(1_800);
});
