import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  bigintOf,
  ceilTicks,
  divCeil,
  divFloor,
  floorTicks,
  lots,
  lotsWithin,
  subtractLots,
  tickBelow,
  tickNear,
  ticks,
  ticksBetween,
} from './amounts.ts';
import { AssertionError } from './assert.ts';
import { millis, orderId, parseAddress, parseOrderId, seq } from './ids.ts';

describe('amounts', () => {
  test('a quotient charged is never below, one paid never above the exact one, and they differ by one at most', () => {
    const dividend = fc.bigInt({ min: 0n, max: 10n ** 40n });
    fc.assert(
      fc.property(dividend, fc.bigInt({ min: 1n, max: 10n ** 20n }), (amount, divisor) => {
        const [paid, charged] = [divFloor(amount, divisor), divCeil(amount, divisor)];
        expect(paid * divisor <= amount && charged * divisor >= amount).toBe(true);
        expect(charged - paid).toBe(amount % divisor === 0n ? 0n : 1n);
      }),
    );
  });

  test('a whole number is the same number as a bigint, up to the largest safe integer', () => {
    for (const value of [0, 1, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1, 2 ** 32, Number.MAX_SAFE_INTEGER])
      expect(bigintOf(value)).toBe(BigInt(value));
    fc.assert(fc.property(fc.maxSafeNat(), (value) => bigintOf(value) === BigInt(value)));
  });

  test.each([
    ['a negative price', () => ticks(-1)],
    ['half a lot', () => lots(0.5)],
    ['a size beyond the safe integers', () => lots(2 ** 53)],
    ['a size below zero', () => subtractLots(lots(1), lots(2))],
    ['a division by zero', () => divFloor(1n, 0n)],
    ['a negative dividend', () => divCeil(-1n, 2n)],
    ['order id 0', () => orderId(0)],
    ['a negative sequence', () => seq(-1)],
    ['a fraction of a millisecond', () => millis(1.5)],
  ])('%s is a bug and stops the process', (_what, make) => {
    expect(make).toThrow(AssertionError);
  });
});

describe('a rounding has a name', () => {
  test('a price is moved down or up to a step, and one on the step stays', () => {
    expect([floorTicks(ticks(109), 10), ceilTicks(ticks(101), 10)]).toEqual([100, 110]);
    expect([floorTicks(ticks(110), 10), ceilTicks(ticks(110), 10)]).toEqual([110, 110]);
    expect([floorTicks(ticks(109), 1), ceilTicks(ticks(109), 1)]).toEqual([109, 109]);
  });

  test('a place between two ticks is the lower one, or the nearest', () => {
    expect([tickBelow(100.9), tickNear(100.4), tickNear(100.5)]).toEqual([100, 100, 101]);
    expect([tickBelow(-0.1), tickNear(-3)]).toEqual([0, 0]);
  });

  test('a part of a size is its whole lots', () => {
    expect([lotsWithin(7.99), lotsWithin(8)]).toEqual([7, 8]);
  });

  test('a crossed pair of prices is no ticks apart', () => {
    expect([ticksBetween(ticks(100), ticks(103)), ticksBetween(ticks(103), ticks(100))]).toEqual([3, 0]);
  });
});

describe('ids from outside', () => {
  test('an address is kept in lower case, anything else is no address', () => {
    expect(parseAddress('0xE11909C5bB9Ba9c542768B8272589a8ac2Dd5d37')).toBe('0xe11909c5bb9ba9c542768b8272589a8ac2dd5d37');
    for (const text of ['', '0x', '0xE119', 'e11909C5bB9Ba9c542768B8272589a8ac2Dd5d37', `0x${'g'.repeat(40)}`])
      expect(parseAddress(text)).toBeUndefined();
  });

  test('an order id is a positive safe integer in plain digits', () => {
    expect(parseOrderId('9007199254740991')).toBe(Number.MAX_SAFE_INTEGER);
    for (const text of ['0', '01', '-1', '1.0', '1e3', '9007199254740992', '']) expect(parseOrderId(text)).toBeUndefined();
  });
});
