import { describe, expect, test } from 'vitest';
import { accountId, atoms, lots, millis, orderId, ppm, ticks, type Millis } from '@orrery/units';
import { Book } from '../book/book.ts';
import {
  areReliable,
  closeInterval,
  endMissedInterval,
  forgetRounds,
  mayLiquidateBy,
  newContractPrices,
  predictedFunding,
  takeRound,
  type PricedContract,
  type PriceRound,
} from './contract-prices.ts';

const at = (seconds: number): Millis => millis(1_000_000_000 + seconds * 1_000);

/** A tick is 0.1 USDC and a lot 0.00001 BTC; the book has 1 BTC at each price. */
function contract(bid = 0, ask = 0): PricedContract {
  const book = new Book();
  if (bid > 0) book.add(orderId(1), accountId(1), 'buy', ticks(bid), lots(100_000));
  if (ask > 0) book.add(orderId(2), accountId(1), 'sell', ticks(ask), lots(100_000));
  const terms = {
    payoff: 'linear' as const,
    tickLotAtoms: atoms(1n),
    impactNotional: atoms(8_000_000_000n),
    fundingIntervalMs: 3_600_000,
    interestPpm8h: ppm(100),
    fundingCapPpm: ppm(40_000),
    minPrice: ticks(1),
    maxPrice: ticks(100_000_000),
  };
  return { terms, book, lastPrice: ticks(0), prices: newContractPrices() };
}

const round = (...prices: readonly number[]): PriceRound => ({
  index: prices.map((price) => ({ price: ticks(price), ageMs: 0, weight: 1 })),
  external: [],
});
const THREE = round(600_000, 600_000, 600_000);

describe('the prices of a contract', () => {
  test('X1: a round of too few sources leaves them as they are, DEGRADED, and the next good one is READY again', () => {
    const one = contract();
    expect(areReliable(one.prices, at(0))).toBe(false);
    takeRound(one, THREE, 7, at(0));
    takeRound(one, round(610_000), 7, at(3));
    expect(one.prices).toMatchObject({ index: 600_000, mark: 600_000, state: 'DEGRADED' });
    expect(areReliable(one.prices, at(3))).toBe(false);
    takeRound(one, round(601_000, 601_000), 7, at(6));
    expect(one.prices).toMatchObject({ index: 601_000, state: 'READY' });
  });

  test('X1: without rounds they are not relied on after 30 s', () => {
    const one = contract();
    takeRound(one, THREE, 7, at(0));
    expect(areReliable(one.prices, at(30))).toBe(true);
    expect(areReliable(one.prices, at(30.001))).toBe(false);
  });

  test('X4: nothing is liquidated by them before three fresh rounds, after a start and after five minutes without one', () => {
    const one = contract();
    const after = (seconds: number): boolean => {
      takeRound(one, THREE, 7, at(seconds));
      return mayLiquidateBy(one.prices, at(seconds));
    };
    expect([0, 3, 6].map(after)).toEqual([false, false, true]);
    forgetRounds(one.prices);
    expect([9, 12, 15].map(after)).toEqual([false, false, true]);
    expect(after(15 + 299.999)).toBe(true);
    expect([15 + 600, 618, 621].map(after)).toEqual([false, false, true]);
  });

  test('X2: the mark follows the index by 5 % a round, but begins at the index after an outage', () => {
    const one = contract();
    takeRound(one, THREE, 7, at(0));
    takeRound(one, round(900_000, 900_000, 900_000), 7, at(3));
    expect(one.prices).toMatchObject({ index: 900_000, mark: 630_000 });
    takeRound(one, round(900_000, 900_000, 900_000), 7, at(303));
    expect(one.prices).toMatchObject({ mark: 900_000, freshRounds: 1 });
  });

  test('the premium is sampled every five seconds, and an interval begins with none', () => {
    // The bids stand 0.1 % above the index: 1,000,000 ppb, less 500,000, an eighth: 62,500 ppb an hour.
    const one = contract(600_600, 600_700);
    for (const seconds of [0, 3, 6, 9, 12]) takeRound(one, THREE, 7, at(seconds));
    expect(one.prices).toMatchObject({ samples: 3, premiums: 3_000_000 });
    expect(predictedFunding(one)).toBe(62_500);
    closeInterval(one.prices, at(12));
    expect(one.prices).toMatchObject({ samples: 0, premiums: 0, settledAt: at(12) });
    expect(predictedFunding(one)).toBe(12_500);
  });

  test('the premium of an interval that was not settled in a sixth of its time ends with it', () => {
    // 1,000,000 s are 277 h and 2,800 s: the next full hour is 800 s later.
    const one = contract(600_600, 600_700);
    const hour = 800;
    const round = (seconds: number): number => {
      endMissedInterval(one, at(seconds));
      takeRound(one, THREE, 7, at(seconds));
      return one.prices.samples;
    };
    expect([hour - 10, hour - 5, hour, hour + 595, hour + 600].map(round)).toEqual([1, 2, 3, 4, 5]);
    expect([hour + 605, hour + 610].map(round)).toEqual([1, 2]);
    // One that was settled is not ended again.
    closeInterval(one.prices, at(hour));
    expect([hour + 615, hour + 1_300].map(round)).toEqual([1, 2]);
    // After an absence over several of them nothing of before is left.
    expect(round(hour + 20 * 3_600 + 601)).toBe(1);
  });
});
