import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { atoms, lots, NO_ATOMS, NO_LOTS, ppm, ticks, type Ticks } from '@orrery/units';
import { maintenanceMargin } from './margin-tiers.ts';
import { bankruptcyPrice, lastUnsafePrice, oneWayNeed, openLoss, removableMargin, sideNeed, type MarginTerms } from './margin.ts';
import { contractNotional, unrealizedProfit, type Holding } from './payoff.ts';
import { btc, holding, INVERSE, LINEAR, usdc } from './testing/contracts.ts';

const TEN_TIMES = { leverage: 10, takerFeePpm: ppm(500) };
const none = { size: NO_LOTS, notional: NO_ATOMS };

describe('what orders need', () => {
  test.each([
    // 60,000 / 10 + 60,000 × 0.05 % = 6,000 + 30.
    ['opens all of it', 100_000, 60_000, 0, 6_030],
    // Half of 1 BTC closes 0.5 BTC of the other side: 30,000 / 10 + 15.
    ['opens half of it', 100_000, 60_000, 50_000, 3_015],
    ['closes all of it', 100_000, 60_000, 100_000, 0],
    ['closes less than is held', 100_000, 60_000, 200_000, 0],
    ['is no order', 0, 0, 0, 0],
  ])('one side that %s', (_what, size, notional, opposite, need) => {
    expect(sideNeed({ size: lots(size), notional: usdc(notional) }, lots(opposite), TEN_TIMES)).toBe(usdc(need));
  });

  test('margin and fee each round up', () => {
    // 2 of 3 lots open: 100 × 2 / 3 = 66.7, up to 67; 67 / 10 = 6.7, up to 7; 67 × 0.05 % = 0.03, up to 1.
    expect(sideNeed({ size: lots(3), notional: atoms(100n) }, lots(1), TEN_TIMES)).toBe(8n);
  });

  test('in one-way mode the greater side counts, and a position frees the orders that close it', () => {
    const buys = { size: lots(100_000), notional: usdc(60_000) };
    const sells = { size: lots(100_000), notional: usdc(62_000) };
    // Buys need 6,030, sells 6,200 + 31.
    expect(oneWayNeed({ buys, sells, long: NO_LOTS, short: NO_LOTS }, TEN_TIMES)).toBe(usdc(6_231));
    // A long of 1 BTC: the sells only close, the buys add.
    expect(oneWayNeed({ buys, sells, long: lots(100_000), short: NO_LOTS }, TEN_TIMES)).toBe(usdc(6_030));
    expect(oneWayNeed({ buys: none, sells, long: lots(100_000), short: NO_LOTS }, TEN_TIMES)).toBe(0n);
  });
});

describe('what an order loses against the mark', () => {
  test.each([
    // 0.5 BTC bought at 66,000 are worth 30,000 of the 33,000 paid.
    ['a buy above it', 'buy', 660_000, 600_000, 3_000],
    ['a sell below it', 'sell', 540_000, 600_000, 3_000],
    ['a buy below it', 'buy', 540_000, 600_000, 0],
    ['a sell above it', 'sell', 660_000, 600_000, 0],
    ['a buy at it', 'buy', 600_000, 600_000, 0],
    ['any order without a mark', 'buy', 660_000, 0, 0],
  ] as const)('linear: %s', (_what, side, price, mark, loss) => {
    expect(openLoss({ side, price: ticks(price), size: lots(50_000) }, ticks(mark), LINEAR)).toBe(usdc(loss));
  });

  test('inverse: by 1 / price, in the coin', () => {
    // 60,000 USD bought at 60,000 cost 1 BTC; at 50,000 they owe 1.2.
    expect(openLoss({ side: 'buy', price: ticks(600_000), size: lots(60_000) }, ticks(500_000), INVERSE)).toBe(btc(0.2));
    expect(openLoss({ side: 'sell', price: ticks(500_000), size: lots(60_000) }, ticks(600_000), INVERSE)).toBe(btc(0.2));
    expect(openLoss({ side: 'sell', price: ticks(600_000), size: lots(60_000) }, ticks(500_000), INVERSE)).toBe(0n);
  });
});

test.each([
  // Cost 60,000 at 10x needs 6,000; 8,000 of margin leave 2,000.
  [8_000, 0, 2_000],
  // A loss of 500 binds 500 more; a profit frees nothing.
  [8_000, -500, 1_500],
  [8_000, 500, 2_000],
  [8_000, -3_000, 0],
  [6_000, 0, 0],
  [5_000, 0, 0],
])('of an isolated margin of %s with an unrealised profit of %s, %s can be removed', (margin, unrealized, removable) => {
  expect(removableMargin(usdc(margin), { cost: usdc(60_000), leverage: 10, unrealized: usdc(unrealized) })).toBe(usdc(removable));
});

describe('the liquidation price', () => {
  test.each<[string, Holding, bigint, MarginTerms, number]>([
    // 1 BTC from 60,000 with 6,000: worth at least (60,000 - 6,000) / (1 - 1/80) = 54,683.544; 54,683.5 is the nearest tick below.
    ['linear long', holding('long', 100_000, usdc(60_000)), usdc(6_000), LINEAR, 546_835],
    // At most (60,000 + 6,000) / (1 + 1/80) = 65,185.185; 65,185.2 is the nearest tick above.
    ['linear short', holding('short', 100_000, usdc(60_000)), usdc(6_000), LINEAR, 651_852],
    // 100 BTC from 60,000 with 600,000, in tier 2: (6,000,000 - 600,000 - 150,000) / (1 - 5 %) = 5,526,315.79, 55,263.157 each.
    ['linear long of tier 2', holding('long', 10_000_000, usdc(6_000_000)), usdc(600_000), LINEAR, 552_631],
    // (6,000,000 + 600,000 + 150,000) / (1 + 5 %) = 6,428,571.43, 64,285.714 each.
    ['linear short of tier 2', holding('short', 10_000_000, usdc(6_000_000)), usdc(600_000), LINEAR, 642_858],
    // 70 BTC from 60,000 cost 4.2 M, tier 2; with 420,000 it falls into tier 1 before: 3,780,000 / (1 - 1/80) = 3,827,848.1, 54,683.544 each.
    ['linear long that falls a tier', holding('long', 7_000_000, usdc(4_200_000)), usdc(420_000), LINEAR, 546_835],
    // 60,000 USD for 1 BTC with 0.1: worth at most 1.1 / (1 + 1/80) = 1.08641975 BTC: 60,000 / 1.08641976 = 55,227.27.
    ['inverse long', holding('long', 60_000, btc(1)), btc(0.1), INVERSE, 552_272],
    // Worth at least 0.9 / (1 - 1/80) = 0.91139241 BTC: 60,000 / 0.91139241 = 65,833.33, and the tick above it.
    ['inverse short', holding('short', 60_000, btc(1)), btc(0.1), INVERSE, 658_334],
    // A margin of the whole cost: no fall liquidates it.
    ['linear long at leverage 1', holding('long', 100_000, usdc(60_000)), usdc(60_000), LINEAR, 0],
    // An inverse short that holds its value in BTC cannot lose it.
    ['inverse short at leverage 1', holding('short', 60_000, btc(1)), btc(1), INVERSE, 0],
    // A cross account whose other positions need more than it has: -1,000 of margin, 61,000 / (1 - 1/80) = 61,772.15.
    ['linear long without margin', holding('long', 100_000, usdc(60_000)), usdc(-1_000), LINEAR, 617_721],
    ['linear short with nothing left', holding('short', 100_000, usdc(60_000)), usdc(-70_000), LINEAR, 1],
  ])('of a %s', (_what, position, margin, terms, price) => {
    expect(lastUnsafePrice(position, atoms(margin), terms)).toBe(price);
  });

  const isLiquidatable = (position: Holding, margin: bigint, price: Ticks, terms: MarginTerms): boolean =>
    margin + unrealizedProfit(position, price, terms) < maintenanceMargin(contractNotional(price, position.size, terms), terms.tiers);

  test('P5: it is the last price that liquidates: one tick nearer to solvency the position stands', () => {
    const position = fc.record({
      direction: fc.constantFrom('long' as const, 'short' as const),
      size: fc.integer({ min: 1, max: 20_000_000 }),
      entry: fc.integer({ min: 50, max: 2_000_000 }),
      marginPpm: fc.bigInt({ min: 1_000n, max: 1_500_000n }),
      terms: fc.constantFrom<MarginTerms>(LINEAR, INVERSE),
    });
    fc.assert(
      fc.property(position, ({ direction, size, entry, marginPpm, terms }) => {
        const cost = contractNotional(ticks(entry), lots(size), terms);
        const margin = (cost * marginPpm) / 1_000_000n;
        const held = holding(direction, size, cost);
        const price = lastUnsafePrice(held, atoms(margin), terms);
        const away = direction === 'long' ? 1 : -1;
        if (price === 0) {
          expect(isLiquidatable(held, margin, ticks(direction === 'long' ? 1 : 10_000_000_000), terms)).toBe(false);
          return;
        }
        expect(isLiquidatable(held, margin, price, terms)).toBe(true);
        if (price + away > 0) expect(isLiquidatable(held, margin, ticks(price + away), terms)).toBe(false);
      }),
      { numRuns: 2_000 },
    );
  });
});

test.each<[string, Holding, bigint, MarginTerms, number]>([
  // 60,000 - 6,000 and 60,000 + 6,000.
  ['linear long', holding('long', 100_000, usdc(60_000)), usdc(6_000), LINEAR, 540_000],
  ['linear short', holding('short', 100_000, usdc(60_000)), usdc(6_000), LINEAR, 660_000],
  // 3 lots that cost 1,000 with 10: 990 / 3 = 330; with 11: 989 / 3 = 329.7, up for a long, and 1,011 / 3 = 337 for a short, with 12 337.3, down.
  ['linear long off the grid', holding('long', 3, atoms(1_000n)), 11n, LINEAR, 330],
  ['linear short off the grid', holding('short', 3, atoms(1_000n)), 12n, LINEAR, 337],
  // 60,000 USD for 1.1 BTC: 54,545.45, the tick above. For 0.9 BTC: 66,666.67, the tick below.
  ['inverse long', holding('long', 60_000, btc(1)), btc(0.1), INVERSE, 545_455],
  ['inverse short', holding('short', 60_000, btc(1)), btc(0.1), INVERSE, 666_666],
  ['linear long at leverage 1', holding('long', 100_000, usdc(60_000)), usdc(60_000), LINEAR, 0],
])('the bankruptcy price of a %s loses its margin and no more', (_what, position, margin, terms, price) => {
  expect(bankruptcyPrice(position, atoms(margin), terms)).toBe(price);
});
