import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { atoms, lots, ticks } from '@orrery/units';
import { contractNotional, entryPrice, profitOf, releasedCost, unrealizedProfit } from './payoff.ts';
import { btc, holding, INVERSE, LINEAR, usdc } from './testing/contracts.ts';

test.each([
  // 1 BTC (100,000 lots) at 60,000.0 (600,000 ticks): 100,000 × 600,000 × 1 atom = 60,000 USDC.
  ['linear', 600_000, 100_000, usdc(60_000)],
  // The least lot at 0.1: one atom.
  ['linear', 1, 1, 1n],
  // 10^10 lots at 10^9 ticks: 10^19 is beyond what a number holds.
  ['linear', 1_000_000_000, 10_000_000_000, 10n ** 19n],
  // 60,000 USD at 60,000.0: 60,000 × 10^9 / 600,000 = 10^8 atoms, 1 BTC.
  ['inverse', 600_000, 60_000, btc(1)],
  // 1 USD at 60,000.0: 10^9 / 600,000 = 1,666.67 atoms, rounded down.
  ['inverse', 600_000, 1, 1_666n],
] as const)('the notional of a %s contract at %s ticks, %s lots, is %s atoms', (payoff, price, size, notional) => {
  expect(contractNotional(ticks(price), lots(size), payoff === 'linear' ? LINEAR : INVERSE)).toBe(notional);
});

test.each([
  // 1 BTC from 60,000 to 66,000: 66,000 - 60,000 = 6,000 USDC for the long, as much lost by the short.
  ['linear', 'long', 100_000, usdc(60_000), 660_000, usdc(6_000)],
  ['linear', 'short', 100_000, usdc(60_000), 660_000, usdc(-6_000)],
  // 60,000 USD opened at 60,000.0 cost 1 BTC. At 66,000.0 they are worth 6×10^13 / 660,000 = 90,909,090.9 atoms, down to 90,909,090:
  // the long owes less BTC, 100,000,000 - 90,909,090.
  ['inverse', 'long', 60_000, btc(1), 660_000, 9_090_910n],
  ['inverse', 'short', 60_000, btc(1), 660_000, -9_090_910n],
  // At 54,000.0 they are worth 6×10^13 / 540,000 = 111,111,111.1 atoms: a fall by a tenth costs the long more than a rise by a tenth pays.
  ['inverse', 'long', 60_000, btc(1), 540_000, -11_111_111n],
  ['inverse', 'short', 60_000, btc(1), 540_000, 11_111_111n],
] as const)('the profit of a %s %s of %s lots that cost %s is, at %s ticks, %s', (payoff, direction, size, cost, mark, profit) => {
  const terms = payoff === 'linear' ? LINEAR : INVERSE;
  expect(unrealizedProfit(holding(direction, size, cost), ticks(mark), terms)).toBe(profit);
});

test.each([
  // A third of 100 lots that cost 1,000: 33 × 1,000 / 100 = 330.
  [1_000n, 33, 100, 330n],
  // 1 of 3 lots that cost 10: 3.33, rounded down; 7 stay for 2 lots.
  [10n, 1, 3, 3n],
  [10n, 3, 3, 10n],
] as const)('of a cost of %s, closing %s of %s lots releases %s', (cost, closed, size, released) => {
  expect(releasedCost(atoms(cost), lots(closed), lots(size))).toBe(released);
});

test('the entry price is the mean price of what opened a position, rounded down to a tick', () => {
  // 1 BTC at 60,000 and 2 BTC at 63,000 cost 186,000 for 3 BTC: 62,000.0.
  expect(entryPrice(usdc(186_000), lots(300_000), LINEAR)).toBe(620_000);
  // 60,000 USD at 60,000 and 30,000 USD at 50,000 cost 1 + 0.6 BTC: 90,000 / 1.6 = 56,250.0.
  expect(entryPrice(btc(1.6), lots(90_000), INVERSE)).toBe(562_500);
});

test('M5: a position closed in any parts releases exactly its cost, and both sides of its trades sum to zero', () => {
  const parts = fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(parts, fc.bigInt({ min: 1n, max: 10n ** 12n }), fc.integer({ min: 1, max: 10_000_000 }), (closings, cost, price) => {
      let size = closings.reduce((sum, part) => sum + part, 0);
      let left = atoms(cost);
      for (const part of closings) {
        const released = releasedCost(left, lots(part), lots(size));
        const notional = contractNotional(ticks(price), lots(part), INVERSE);
        expect(profitOf('long', released, notional, 'inverse') + profitOf('short', released, notional, 'inverse')).toBe(0n);
        left = atoms(left - released);
        size -= part;
      }
      expect(left).toBe(0n);
    }),
  );
});
