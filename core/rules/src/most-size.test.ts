import { describe, expect, test } from 'vitest';
import { assetId, atoms, lots, marketId, ppm, signedPpm, ticks } from '@orrery/units';
import type { Market } from '@orrery/protocol';
import { contractNotional } from './payoff.ts';
import { initialMargin } from './margin-tiers.ts';
import { mostOfContract, mostOfSpot, sizeWorth, type ContractRoom, type SpotRoom } from './most-size.ts';
import { openLoss } from './margin.ts';
import { feeOn } from './fees.ts';

const room = (part: Partial<ContractRoom>): ContractRoom => ({
  side: 'buy',
  price: ticks(100),
  mark: ticks(100),
  leverage: 10,
  available: atoms(100_500n),
  closes: lots(0),
  isReducing: false,
  takerFeePpm: 500,
  maxSize: lots(1_000_000),
  terms: { payoff: 'linear', tickLotAtoms: atoms(1n) },
  ...part,
});

describe('of a contract', () => {
  test('what is free pays for the margin, the fee and the loss at once, and not for a lot more', () => {
    for (const side of ['buy', 'sell'] as const)
      for (const payoff of ['linear', 'inverse'] as const)
        for (const leverage of [1, 3, 7, 20, 50])
          for (const mark of [70, 99, 100, 101, 130]) {
            const terms = { payoff, tickLotAtoms: atoms(payoff === 'linear' ? 1n : 1_000_000n) };
            const asked = room({ side, leverage, mark: ticks(mark), terms, available: atoms(1_234_567n), maxSize: lots(10 ** 12) });
            const needOf = (size: number): bigint => {
              const value = contractNotional(asked.price, lots(size), terms);
              return (
                initialMargin(value, leverage) +
                feeOn(value, signedPpm(asked.takerFeePpm)) +
                openLoss({ side, price: asked.price, size: lots(size) }, asked.mark, terms)
              );
            };
            const most = mostOfContract(asked);
            // Each of the three rounds up by less than an atom, and the value of an inverse lot by one more.
            expect(needOf(most) - asked.available, `${side} ${payoff} ${leverage} ${mark}`).toBeLessThanOrEqual(4n);
            expect(needOf(most + 2)).toBeGreaterThan(asked.available);
          }
  });

  test('what the order closes first needs nothing, and one order is no larger than the contract takes', () => {
    expect(mostOfContract(room({ closes: lots(50) }))).toBe(10_050);
    expect(mostOfContract(room({ closes: lots(50), isReducing: true }))).toBe(50);
    expect(mostOfContract(room({ closes: lots(7), available: atoms(-5n) }))).toBe(7);
    expect(mostOfContract(room({ available: atoms(10n ** 30n) }))).toBe(1_000_000);
    expect(mostOfContract(room({ price: ticks(0) }))).toBe(0);
    expect(sizeWorth(atoms(10n ** 40n), ticks(1), room({}).terms)).toBeLessThan(Number.MAX_SAFE_INTEGER / 2);
  });
});

test('an amount buys the largest size that is worth no more', () => {
  const { terms } = room({});
  expect(sizeWorth(atoms(1_050n), ticks(100), terms)).toBe(10);
  // At 300 ticks a lot is worth 3,333.3 atoms: 3 of them are 10,000.
  const inverse = { payoff: 'inverse', tickLotAtoms: atoms(1_000_000n) } as const;
  expect(sizeWorth(atoms(10_000n), ticks(300), inverse)).toBe(3);
  expect(sizeWorth(atoms(1_000n), ticks(0), terms)).toBe(0);
});

const MARKET: Market = {
  market: marketId(1),
  symbol: 'BTC_USDC',
  base: assetId(2),
  quote: assetId(1),
  pricePrecision: 0,
  sizePrecision: 0,
  lotAtoms: atoms(10n),
  tickLotAtoms: atoms(2n),
  minPrice: ticks(1),
  maxPrice: ticks(1_000),
  minSize: lots(1),
  maxSize: lots(500),
  minNotional: atoms(50n),
  maxNotional: atoms(40_000n),
  makerFeePpm: ppm(500),
  takerFeePpm: ppm(1_000),
  limitBandPpm: ppm(100_000),
  marketBandPpm: ppm(50_000),
  maxOpenOrders: 200,
};

describe('of a spot market', () => {
  const most = (part: Partial<SpotRoom>): number =>
    mostOfSpot({ side: 'buy', price: ticks(100), free: atoms(10_199n), market: MARKET, ...part });

  test.each<[string, Partial<SpotRoom>, number]>([
    ['a buy spends what is free at its price', {}, 50],
    ['a sell sells what is free', { side: 'sell', free: atoms(1_009n) }, 100],
    ['no order is larger than the market takes', { side: 'sell', free: atoms(10n ** 30n), price: ticks(1) }, 500],
    ['nor worth more', { free: atoms(10n ** 9n) }, 200],
    ['a sell at the market needs no price', { side: 'sell', free: atoms(1_009n), price: ticks(0) }, 100],
    ['a buy without a price is not known', { price: ticks(0) }, 0],
    ['without money there is nothing', { free: atoms(0n) }, 0],
  ])('%s', (_name, part, size) => expect(most(part)).toBe(size));
});
