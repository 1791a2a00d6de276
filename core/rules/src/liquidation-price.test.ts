import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { atoms, lots, NO_TICKS, ppm, ticks } from '@orrery/units';
import { liquidationPrice, slackAt, type AtMark, type OwnCoin, type PricedTerms } from './liquidation-price.ts';
import { lastUnsafePrice, type MarginTerms } from './margin.ts';
import { contractNotional, type Direction, type Holding } from './payoff.ts';
import { btc, holding, INVERSE, LINEAR, usdc } from './testing/contracts.ts';

/** 0.1 USDC a tick, a lot of 0.00001 BTC. */
const coin = (amount: number): OwnCoin => ({
  amount: btc(amount),
  price: ticks(600_000),
  lotAtoms: atoms(1_000n),
  tickLotAtoms: atoms(1n),
  ratioPpm: ppm(900_000),
});

const PRICE_MAX = 6_000;

/** Every maintenance of tier 1 is 1 / 80 of the notional, of tier 2 a twentieth less 150,000 USDC. The mark is 60,000. */
interface Case {
  readonly legs: readonly Holding[];
  readonly rest: bigint;
  readonly coin?: OwnCoin;
  readonly terms?: PricedTerms;
}

const long = (size: number, cost: number): Holding => holding('long', size, usdc(cost));
const short = (size: number, cost: number): Holding => holding('short', size, usdc(cost));

describe('the liquidation price of an account', () => {
  test.each<[string, Direction, number, Case]>([
    // 1 BTC from 60,000, with 1,570 left after the fee: p − 60,000 + 1,570 = p / 80, p = 58,430 / 0.9875 = 59,169.62.
    ['a cross long', 'long', 591_696, { legs: [long(100_000, 60_000)], rest: usdc(1_570) }],
    // 60,000 − p + 1,588 = p / 80, p = 61,588 / 1.0125 = 60,827.65: the tick above.
    ['a cross short', 'short', 608_277, { legs: [short(100_000, 60_000)], rest: usdc(1_588) }],
    // An isolated position has its margin: 57,000 / 0.9875 = 57,721.52 and 66,000 / 1.0125 = 65,185.19.
    ['an isolated long', 'long', 577_215, { legs: [long(100_000, 60_000)], rest: usdc(3_000) }],
    ['an isolated short', 'short', 651_852, { legs: [short(100_000, 60_000)], rest: usdc(6_000) }],
    // 100 BTC in tier 2: (6,000,000 − 600,000 − 150,000) / 0.95 = 5,526,315.79.
    ['a long of tier 2', 'long', 552_631, { legs: [long(10_000_000, 6_000_000)], rest: usdc(600_000) }],
    // 60 BTC for 3.6 M, liquidated in tier 2: (3,600,000 + 720,000 + 150,000) / 1.05 / 60 = 70,952.38.
    ['a short that grows into tier 2', 'short', 709_524, { legs: [short(6_000_000, 3_600_000)], rest: usdc(720_000) }],
    // Long 1.0 and short 0.8 from 60,000 with 5,700: 0.2 (p − 60,000) + 5,700 = 1.8 p / 80, p = 6,300 / 0.1775 = 35,492.96.
    ['the long of two legs', 'long', 354_929, { legs: [long(100_000, 60_000), short(80_000, 48_000)], rest: usdc(5_700) }],
    // A rise gains 0.2 for each 0.0225 that the maintenance grows.
    ['the smaller short of two legs', 'short', 0, { legs: [long(100_000, 60_000), short(80_000, 48_000)], rest: usdc(5_700) }],
    // Both legs alike: a fall frees margin, a rise needs it: 5,700 = 2 p / 80, p = 228,000, and at it the account just stands.
    ['the long of equal legs', 'long', 0, { legs: [long(100_000, 60_000), short(100_000, 60_000)], rest: usdc(5_700) }],
    ['the short of equal legs', 'short', 2_280_001, { legs: [long(100_000, 60_000), short(100_000, 60_000)], rest: usdc(5_700) }],
    // 5 BTC from 60,000 on 850 USDC and 1 BTC that counts 0.9 p: 5 p − 300,000 + 850 + 0.9 p = 5 p / 80, p = 299,150 / 5.8375 = 51,246.25.
    ['a long on its own coin', 'long', 512_462, { legs: [long(500_000, 300_000)], rest: usdc(850), coin: coin(1) }],
    // Were the coin to keep its price of 54,000: 245,150 / 4.9375 = 49,650.63.
    ['a long on another coin', 'long', 496_506, { legs: [long(500_000, 300_000)], rest: usdc(54_850) }],
    // Short 0.8 on 1 BTC: the coin gains 0.9, the leg loses 0.8 and needs 0.01: 48,000 + 0 − 0.8 p + 0.9 p − 0.01 p never falls below 0 by a rise.
    ['a short that its own coin covers', 'short', 0, { legs: [short(80_000, 48_000)], rest: 0n, coin: coin(1) }],
    // Short 2 on 1 BTC: 120,000 − 2 p + 0.9 p − 0.025 p, p = 106,666.67.
    ['a short that its own coin covers in part', 'short', 1_066_667, { legs: [short(200_000, 120_000)], rest: 0n, coin: coin(1) }],
    // 60,000 USD for 1 BTC with 0.1: 1.1 / 1.0125 BTC are reached at 55,227.27.
    ['an inverse long', 'long', 552_272, { legs: [holding('long', 60_000, btc(1))], rest: btc(0.1), terms: INVERSE }],
    ['an inverse short', 'short', 658_334, { legs: [holding('short', 60_000, btc(1))], rest: btc(0.1), terms: INVERSE }],
    ['an inverse short that holds its value', 'short', 0, { legs: [holding('short', 60_000, btc(1))], rest: btc(1), terms: INVERSE }],
    // 60,000 USD long and 30,000 short: 0.1 BTC bear 0.5 x − 0.5 more and 1.5 x / 80, where x = 60,000 / p: x = 0.6 / 0.51875.
    [
      'the long of two inverse legs',
      'long',
      518_750,
      { legs: [holding('long', 60_000, btc(1)), holding('short', 30_000, btc(0.5))], rest: btc(0.1), terms: INVERSE },
    ],
    // Below its maintenance already.
    ['an account that is under liquidation', 'long', 600_000, { legs: [long(100_000, 60_000)], rest: usdc(749) }],
    ['an account at its maintenance', 'long', 599_999, { legs: [long(100_000, 60_000)], rest: usdc(750) }],
    ['an account with nothing left', 'short', 600_000, { legs: [short(100_000, 60_000)], rest: usdc(-70_000) }],
  ])('of %s', (_what, direction, price, { terms = LINEAR, ...moved }) => {
    const at: AtMark = { mark: ticks(600_000), ...moved, rest: atoms(moved.rest), terms };
    expect(liquidationPrice(direction, at)).toBe(price);
  });

  test('of one leg without its own coin it is the last price that is unsafe', () => {
    fc.assert(
      fc.property(book({ most: 3_000, legs: 1, mayHaveCoin: false }), (at) => {
        const [leg] = at.legs;
        if (leg === undefined || slackAt(at, at.mark) < 0n) return;
        const last = lastUnsafePrice(leg, at.rest, at.terms);
        expect(liquidationPrice(leg.direction, at)).toBe(last > PRICE_MAX ? NO_TICKS : last);
      }),
      { numRuns: 2_000 },
    );
  });

  test('P5: it is the nearest mark at which the account is below its maintenance, of any legs, coin and tiers', () => {
    const seen = { already: 0, none: 0, found: 0 };
    fc.assert(
      fc.property(
        book({ most: 2_000, legs: 2, mayHaveCoin: true }),
        fc.constantFrom('long' as const, 'short' as const),
        (at, direction) => {
          const found = liquidationPrice(direction, at);
          expectNearest(found, at, direction === 'long' ? -1 : 1);
          seen[found === at.mark ? 'already' : found === NO_TICKS ? 'none' : 'found'] += 1;
        },
      ),
      { numRuns: 1_500 },
    );
    for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(50);
  });

  test('P5: of a few lots it is the nearest one even where roundings make safe and unsafe marks alternate', () => {
    let alternating = 0;
    fc.assert(
      fc.property(fewLots(), fc.constantFrom('long' as const, 'short' as const), ({ near, ...at }, direction) => {
        const towards = direction === 'long' ? -1 : 1;
        const balanced = { ...at, rest: atoms(-slackBy(at, at.mark + towards * near)) };
        const first = expectNearest(liquidationPrice(direction, balanced), balanced, towards);
        if (first !== undefined && isSafeBeyond(balanced, first, towards)) alternating += 1;
      }),
      { numRuns: 3_000 },
    );
    expect(alternating).toBeGreaterThan(20);
  });

  test('of an account that hardly moves with the mark it is a mark that liquidates it', () => {
    // The coin gains nearly what the short loses: 1 atom in 1,000 ticks.
    const still: AtMark = {
      mark: ticks(1_000),
      legs: [holding('short', 900_000, atoms(1_000n * 900_000n + 5n))],
      rest: atoms(0n),
      coin: {
        amount: atoms(911_249_999n),
        price: ticks(1_000),
        lotAtoms: atoms(1_000n),
        tickLotAtoms: atoms(1n),
        ratioPpm: ppm(1_000_000),
      },
      terms: LINEAR,
    };
    const found = liquidationPrice('short', still);
    expect(found).toBeGreaterThan(1_000);
    expect(slackAt(still, found)).toBeLessThan(0n);
  });
});

/** @returns the nearest mark that liquidates the account */
function expectNearest(found: number, at: AtMark, towards: 1 | -1): number | undefined {
  const first = firstUnsafe(at, towards);
  if (first === undefined || !isFarWithinRoundings(at, first, towards)) expect(found).toBe(first ?? NO_TICKS);
  else if (found !== NO_TICKS) expect(slackBy(at, found)).toBeLessThan(0n);
  return first;
}

/** Whether the account stays within a few atoms of its maintenance for a thousand ticks before this one: the exchange does not promise to find it. */
function isFarWithinRoundings(at: AtMark, first: number, towards: 1 | -1): boolean {
  const before = Array.from({ length: 1_000 }, (_, index) => first - towards * (index + 1));
  return before.every((price) => (price - at.mark) * towards >= 0 && slackBy(at, price) < 10n);
}

/** Random legs that are not far from their maintenance. */
function book({ most, legs, mayHaveCoin }: { most: number; legs: 1 | 2; mayHaveCoin: boolean }): fc.Arbitrary<AtMark> {
  const leg = fc.record({
    size: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 5_000_000 })),
    entry: fc.integer({ min: 20, max: most }),
  });
  const draw = fc.record({
    direction: fc.constantFrom('long' as const, 'short' as const),
    drawn: fc.array(leg, { minLength: legs === 1 ? 1 : 0, maxLength: legs }),
    isEqual: fc.boolean(),
    mark: fc.integer({ min: 20, max: most }),
    payoff: fc.constantFrom('linear' as const, 'inverse' as const),
    tickLot: fc.constantFrom(1n, 7n, 1_000n),
    bounds: fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 0, maxLength: 3 }),
    slackPpm: fc.bigInt({ min: -100_000n, max: 900_000n }),
    coin: fc.option(
      fc.record({
        share: fc.bigInt({ min: 1n, max: 2_000n }),
        price: fc.integer({ min: 1, max: 5_000 }),
        lot: fc.constantFrom(1n, 1_000n),
        ratio: fc.integer({ min: 1, max: 1_000_000 }),
      }),
    ),
  });
  return draw.map(({ direction, drawn, isEqual, mark, payoff, tickLot, bounds, slackPpm, coin: own }) => {
    const tickLotAtoms = atoms(payoff === 'linear' ? tickLot : tickLot * 1_000_000n);
    const bare: MarginTerms = { payoff, tickLotAtoms, tiers: [] };
    const held = drawn.map(({ size, entry }, index): Holding => {
      const lotsHeld = lots(isEqual ? (drawn[0]?.size ?? size) : size);
      const turned = direction === 'long' ? 'short' : 'long';
      return { direction: index === 0 ? direction : turned, size: lotsHeld, cost: contractNotional(ticks(entry), lotsHeld, bare) };
    });
    const worth = held.reduce((sum, { size }) => sum + contractNotional(ticks(mark), size, bare), 0n);
    // Tiers around what is held, with leverage falling.
    const tiers = [...new Set(bounds)]
      .toSorted((left, right) => left - right)
      .map((share, index) => ({ maxNotional: atoms((worth * BigInt(share)) / 20n + BigInt(index + 1)), maxLeverage: 40 - 10 * index }));
    const terms: PricedTerms = {
      ...bare,
      minPrice: ticks(1),
      maxPrice: ticks(PRICE_MAX),
      tiers: [...tiers, { maxNotional: atoms(worth * 1_000_000n + 1_000_000n), maxLeverage: 5 }],
    };
    const owned: OwnCoin | undefined =
      mayHaveCoin && payoff === 'linear' && own !== null
        ? {
            amount: atoms((worth * own.share * own.lot) / (BigInt(own.price) * 1_000n)),
            price: ticks(own.price),
            lotAtoms: atoms(own.lot),
            tickLotAtoms: atoms(1n),
            ratioPpm: ppm(own.ratio),
          }
        : undefined;
    const unplaced: AtMark = { mark: ticks(mark), legs: held, rest: atoms(0n), terms, ...(owned && { coin: owned }) };
    return { ...unplaced, rest: atoms((worth * slackPpm) / 1_000_000n - slackBy(unplaced, mark)) };
  });
}

/** Two legs of a few lots, some ticks away from the mark at which nothing is left beyond their maintenance. */
function fewLots(): fc.Arbitrary<AtMark & { readonly near: number }> {
  const size = fc.integer({ min: 1, max: 12 });
  const draw = fc.record({
    sizes: fc.tuple(size, size),
    mark: fc.integer({ min: 50, max: 450 }),
    near: fc.integer({ min: 1, max: 40 }),
    payoff: fc.constantFrom('linear' as const, 'inverse' as const),
    tickLot: fc.bigInt({ min: 1n, max: 50n }),
    maxLeverage: fc.integer({ min: 1, max: 20 }),
  });
  return draw.map(({ sizes: [bought, sold], mark, near, payoff, tickLot, maxLeverage }) => ({
    mark: ticks(mark),
    legs: [holding('long', bought, atoms(0n)), holding('short', sold, atoms(0n))],
    rest: atoms(0n),
    near,
    terms: {
      payoff,
      tickLotAtoms: atoms(payoff === 'linear' ? tickLot : tickLot * 1_000n),
      tiers: [{ maxNotional: atoms(10n ** 18n), maxLeverage }],
      minPrice: ticks(1),
      maxPrice: ticks(PRICE_MAX),
    },
  }));
}

/** The first mark from the present one on, tick by tick. */
function firstUnsafe(at: AtMark, towards: 1 | -1): number | undefined {
  for (let price: number = at.mark; price >= 1 && price <= PRICE_MAX; price += towards) if (slackBy(at, price) < 0n) return price;
  return undefined;
}

const isSafeBeyond = (at: AtMark, first: number, towards: 1 | -1): boolean =>
  Array.from({ length: 20 }, (_, ahead) => first + towards * ahead).some((price) => price >= 1 && slackBy(at, price) >= 0n);

/** Equity less maintenance once more, in the words of the rules but without their functions. */
function slackBy({ legs, rest, coin: own, terms, mark }: AtMark, price: number): bigint {
  let slack: bigint = rest;
  for (const { direction, size, cost } of legs) {
    const lotsAtTick = BigInt(size) * terms.tickLotAtoms;
    const worth = terms.payoff === 'linear' ? lotsAtTick * BigInt(price) : lotsAtTick / BigInt(price);
    const gains = (direction === 'long') === (terms.payoff === 'linear');
    slack += gains ? worth - cost : cost - worth;
    slack -= needOf(worth, terms);
  }
  if (own === undefined) return slack;
  const value = (own.amount * BigInt(own.price) * own.tickLotAtoms * BigInt(price)) / (own.lotAtoms * BigInt(mark));
  return slack + (value * BigInt(own.ratioPpm)) / 1_000_000n;
}

/** Each part of the notional by the rate of its tier, all rounded up together. */
function needOf(worth: bigint, { tiers }: MarginTerms): bigint {
  const whole = tiers.reduce((product, { maxLeverage }) => product * BigInt(maxLeverage) * 2n, 1n);
  let need = 0n;
  let below = 0n;
  for (const [index, { maxNotional, maxLeverage }] of tiers.entries()) {
    const upTo = index === tiers.length - 1 || worth < maxNotional ? worth : maxNotional;
    if (upTo > below) need += ((upTo - below) * whole) / BigInt(2 * maxLeverage);
    below = maxNotional;
  }
  return (need + whole - 1n) / whole;
}
