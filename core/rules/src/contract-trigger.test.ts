import { describe, expect, test } from 'vitest';
import { ppm, ticks } from '@orrery/units';
import type { AttachedTrigger, ContractTerms, OrderType, Side } from '@orrery/protocol';
import {
  checkAttachedPrices,
  checkAttachedTriggers,
  checkContractTrigger,
  checkTrailing,
  checkTriggerCombination,
  isReached,
  triggerDirection,
  type TriggerTerms,
} from './contract-trigger.ts';

const TERMS = { minPrice: ticks(10), maxPrice: ticks(1_000) };
const PRESENT = { last: ticks(100), mark: ticks(110), index: ticks(0) };

interface Words extends Partial<ContractTerms> {
  readonly side?: Side;
  readonly at?: number;
  readonly orderType?: OrderType;
}

const order = ({ side = 'sell', at = 0, orderType = 'stopMarket', ...terms }: Words): TriggerTerms => ({
  side,
  orderType,
  price: ticks(0),
  triggerPrice: ticks(at),
  contract: {
    positionSide: 'both',
    reduceOnly: false,
    closePosition: false,
    triggerBy: 'last',
    trailingPpm: ppm(0),
    source: 'plan',
    ...terms,
  },
});

describe('what a contract order waits for', () => {
  test.each<[words: Words, direction: string]>([
    [{ source: 'stopLoss', side: 'sell', at: 90 }, 'fall'],
    [{ source: 'stopLoss', side: 'buy', at: 110 }, 'rise'],
    [{ source: 'takeProfit', side: 'sell', at: 110 }, 'rise'],
    [{ source: 'takeProfit', side: 'buy', at: 90 }, 'fall'],
    // A plan order waits on either side of its price: 105 is above the last price and below the mark.
    [{ source: 'plan', side: 'buy', at: 105 }, 'rise'],
    [{ source: 'plan', side: 'buy', at: 105, triggerBy: 'mark' }, 'fall'],
    // Without a price, as a stop of its side.
    [{ source: 'plan', side: 'buy', at: 105, triggerBy: 'index' }, 'rise'],
    [{ source: 'plan', orderType: 'limit' }, 'none'],
    [{ source: 'plan', trailingPpm: ppm(10_000) }, 'none'],
  ])('%j waits for %s', (words, direction) => {
    expect(triggerDirection(order(words), PRESENT)).toBe(direction);
  });

  test('is reached at its price and beyond', () => {
    expect([99, 100, 101].map((price) => isReached('rise', ticks(100), ticks(price)))).toEqual([false, true, true]);
    expect([99, 100, 101].map((price) => isReached('fall', ticks(100), ticks(price)))).toEqual([true, true, false]);
    expect(isReached('none', ticks(100), ticks(100))).toBe(false);
  });
});

describe('a trigger is refused', () => {
  test.each<[words: Words, reason: string | undefined, field: string | undefined]>([
    [{ source: 'stopLoss', at: 99 }, undefined, undefined],
    [{ source: 'stopLoss', at: 100 }, 'InvalidTrigger', 'triggerPrice'],
    [{ source: 'takeProfit', at: 101 }, undefined, undefined],
    [{ source: 'takeProfit', at: 100 }, 'InvalidTrigger', 'triggerPrice'],
    [{ source: 'takeProfit', at: 105, triggerBy: 'mark' }, 'InvalidTrigger', 'triggerPrice'],
    [{ source: 'stopLoss', at: 9, triggerBy: 'index' }, 'InvalidTrigger', 'triggerPrice'],
    [{ source: 'plan', at: 100 }, 'InvalidTrigger', 'triggerPrice'],
    [{ source: 'plan', trailingPpm: ppm(10_000) }, undefined, undefined],
    [{ source: 'plan', trailingPpm: ppm(10_000), triggerBy: 'index' }, 'InvalidTrigger', 'triggerBy'],
    [{ source: 'plan', trailingPpm: ppm(1_500) }, 'InvalidField', 'trailingPpm'],
    [{ source: 'plan', trailingPpm: ppm(201_000) }, 'InvalidField', 'trailingPpm'],
    [{ source: 'takeProfit', trailingPpm: ppm(10_000) }, 'InvalidCombination', 'trailingPpm'],
    [{ source: 'plan', trailingPpm: ppm(10_000), orderType: 'limit' }, 'InvalidCombination', 'trailingPpm'],
    [{ source: 'plan', trailingPpm: ppm(10_000), at: 90 }, 'InvalidCombination', 'triggerPrice'],
  ])('%j: %s %s', (words, reason, field) => {
    const each = order(words);
    const refusal = checkTrailing(each) ?? checkContractTrigger(each, TERMS, PRESENT) ?? checkTriggerCombination(each);
    expect([refusal?.reason, refusal?.field]).toEqual([reason, field]);
  });
});

describe('what is attached to an order is refused', () => {
  const at = (triggerPrice: number, terms: Partial<AttachedTrigger> = {}): AttachedTrigger => ({
    triggerPrice: ticks(triggerPrice),
    triggerBy: 'mark',
    price: ticks(0),
    ...terms,
  });
  const none = at(0);

  test.each<
    [what: string, words: { side: Side; limit: number; takeProfit?: AttachedTrigger; stopLoss?: AttachedTrigger }, refused?: string]
  >([
    ['a buy at 105 takes profit above it and stops below', { side: 'buy', limit: 105, takeProfit: at(106), stopLoss: at(104) }],
    ['a buy at 105 takes no profit at 105', { side: 'buy', limit: 105, takeProfit: at(105) }, 'InvalidTrigger takeProfit'],
    ['a buy at 105 does not stop at 105', { side: 'buy', limit: 105, stopLoss: at(105) }, 'InvalidTrigger stopLoss'],
    ['a sell at 105 takes profit below it and stops above', { side: 'sell', limit: 105, takeProfit: at(104), stopLoss: at(106) }],
    ['a sell at 105 takes no profit above', { side: 'sell', limit: 105, takeProfit: at(106) }, 'InvalidTrigger takeProfit'],
    ['a market buy at a mark of 110 takes profit above it', { side: 'buy', limit: 0, takeProfit: at(111) }],
    ['a market buy at a mark of 110 takes no profit below', { side: 'buy', limit: 0, takeProfit: at(109) }, 'InvalidTrigger takeProfit'],
    ['an unknown index refuses nothing', { side: 'buy', limit: 0, takeProfit: at(109, { triggerBy: 'index' }) }],
    ['a trigger beyond the prices of the contract', { side: 'buy', limit: 105, takeProfit: at(1_001) }, 'InvalidTrigger takeProfit'],
    ['a limit beyond them', { side: 'buy', limit: 105, stopLoss: at(100, { price: ticks(9) }) }, 'InvalidPrice stopLoss'],
  ])('%s', (_what, { side, limit, takeProfit = none, stopLoss = none }, refused) => {
    const each = { side, orderType: limit === 0 ? 'market' : 'limit', price: ticks(limit), takeProfit, stopLoss } as const;
    const refusal = checkAttachedPrices(each, TERMS) ?? checkAttachedTriggers(each, TERMS, PRESENT);
    expect(refusal === undefined ? undefined : `${refusal.reason} ${refusal.field}`).toBe(refused);
  });
});
