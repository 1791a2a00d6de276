import { describe, expect, test } from 'vitest';
import { play } from '../testing/tape.ts';

const played = (tape: string): void => expect(play(tape)).toBe(tape);

describe('a take-profit of a spot market', () => {
  test('waits for the price to move for its account, and acts at the market or as a limit order', () => {
    played(`
      alice       sell 9 @ 100               -> accepted #1, rested 9
      bob         buy 1 @ 100                -> accepted #2, trade 1 @ 100 with #1, filled
      carol       sell 4 @ market take 105   -> accepted #3, armed
      carol       sell 4 @ 106 take 104      -> accepted #4, armed
      carol       buy 4 @ 97 take 98         -> accepted #5, armed
      balance     carol BTC free 992 held 8
      balance     carol USDC free 99612 held 388
      bob         buy 9 @ 104                -> accepted #6, trade 8 @ 100 with #1, #1 filled, rested 1
      alice       sell 1 @ 104               -> accepted #7, trade 1 @ 104 with #6, #6 filled, filled, #4 triggered by 104, #4 rested 4
      bob         buy 5 @ 106                -> accepted #8, trade 4 @ 106 with #4, #4 filled, rested 1, #3 triggered by 106, trade 1 @ 106 with #8 by #3, filled, #3 waits on for 3: noLiquidity
      balance     carol BTC free 992 held 3
    `);
  });

  test('of which the price is there already is refused, and so is one that waits for nothing', () => {
    played(`
      alice       sell 9 @ 100               -> accepted #1, rested 9
      bob         buy 1 @ 100                -> accepted #2, trade 1 @ 100 with #1, filled
      carol       sell 4 @ market take 100   -> rejected InvalidTrigger triggerPrice
      carol       buy 4 @ market take 101    -> rejected InvalidTrigger triggerPrice
      carol       sell 4 @ market take 2000  -> rejected InvalidTrigger triggerPrice
      carol       sell 4 @ market take 101 gtx -> rejected InvalidCombination timeInForce
    `);
  });
});

describe('a trailing stop of a spot market', () => {
  test('follows the highest price of a sell from the beginning on', () => {
    played(`
      alice       sell 9 @ 100               -> accepted #1, rested 9
      carol       sell 4 @ market trail 50000 -> rejected InvalidTrigger activationPrice
      bob         buy 1 @ 100                -> accepted #2, trade 1 @ 100 with #1, filled
      carol       sell 4 @ market trail 50000 -> accepted #3, armed
      balance     carol BTC free 996 held 4
      bob         buy 9 @ 108                -> accepted #4, trade 8 @ 100 with #1, #1 filled, rested 1
      alice       sell 1 @ 108               -> accepted #5, trade 1 @ 108 with #4, #4 filled, filled
      bob         buy 5 @ 103                -> accepted #6, rested 5
      alice       sell 1 @ 103               -> accepted #7, trade 1 @ 103 with #6, filled, #3 triggered by 103, trade 4 @ 103 with #6 by #3, #6 filled, #3 filled
      balance     carol BTC free 996 held 0
    `);
  });

  test('begins to follow at its activation price, behind younger ones that follow already', () => {
    played(`
      alice       sell 9 @ 100               -> accepted #1, rested 9
      bob         buy 1 @ 100                -> accepted #2, trade 1 @ 100 with #1, filled
      carol       sell 4 @ market trail 50000 activation 105 -> accepted #3, armed
      carol       sell 2 @ market trail 50000 -> accepted #4, armed
      bob         buy 9 @ 106                -> accepted #5, trade 8 @ 100 with #1, #1 filled, rested 1
      alice       sell 1 @ 106               -> accepted #6, trade 1 @ 106 with #5, #5 filled, filled, #3 follows from 106
      bob         buy 9 @ 101                -> accepted #7, rested 9
      alice       sell 1 @ 101               -> accepted #8, trade 1 @ 101 with #7, filled, #4 triggered by 101, trade 2 @ 101 with #7 by #4, #4 filled, #3 triggered by 101, trade 4 @ 101 with #7 by #3, #3 filled
    `);
  });

  test('that sells and cannot act stands at the price that reached it', () => {
    played(`
      alice       buy 1 @ 100                -> accepted #1, rested 1
      bob         sell 1 @ 100               -> accepted #2, trade 1 @ 100 with #1, #1 filled, filled
      carol       sell 4 @ market trail 50000 -> accepted #3, armed
      alice       buy 1 @ 95                 -> accepted #4, rested 1
      bob         sell 1 @ 95                -> accepted #5, trade 1 @ 95 with #4, #4 filled, filled, #3 triggered by 95, #3 waits on for 4: noLiquidity
      alice       sell 1 @ 105               -> accepted #6, rested 1
      bob         buy 1 @ 105                -> accepted #7, trade 1 @ 105 with #6, #6 filled, filled
      exchange    index 105                  -> IndexPriceSet, #3 armed
      alice       buy 9 @ 96                 -> accepted #8, rested 9
      bob         sell 1 @ 96                -> accepted #9, trade 1 @ 96 with #8, filled
      bob         sell 8 @ 96                -> accepted #10, trade 8 @ 96 with #8, #8 filled, filled
      alice       buy 9 @ 95                 -> accepted #11, rested 9
      bob         sell 1 @ 95                -> accepted #12, trade 1 @ 95 with #11, filled, #3 triggered by 95, trade 4 @ 95 with #11 by #3, #3 filled
    `);
  });

  test('of a buy follows the lowest price, and holds the band above where it begins', () => {
    played(`
      alice       buy 9 @ 100                -> accepted #1, rested 9
      bob         sell 1 @ 100               -> accepted #2, trade 1 @ 100 with #1, filled
      carol       buy 4 @ market trail 20000 -> accepted #3, armed
      balance     carol USDC free 99572 held 428
      carol       buy 4 @ market trail 20000 activation 90 -> accepted #4, armed
      balance     carol USDC free 99192 held 808
      carol       buy funds 300 @ market trail 20000 -> accepted #5, armed
      balance     carol USDC free 98892 held 1108
      carol       cancel all                 -> #3 canceledByAccount, #4 canceledByAccount, #5 canceledByAccount
      balance     carol USDC free 100000 held 0
    `);
  });

  test.each([
    ['sell 4 @ market trail 50500', 'rejected InvalidField trailingPpm'],
    ['sell 4 @ market trail 201000', 'rejected InvalidField trailingPpm'],
    ['sell 4 @ market trail 50000 activation 110 worst 90', 'rejected InvalidCombination price'],
    ['sell 4 @ market trail 50000 activation 2000', 'rejected InvalidPrice activationPrice'],
    ['sell 4 @ 90 trail 50000 activation 110', 'rejected InvalidCombination trailingPpm'],
    ['sell 4 @ 110 activation 105', 'rejected InvalidCombination activationPrice'],
    ['sell 4 @ 110 gain 120', 'rejected InvalidCombination takeProfit'],
    ['buy 4 @ market trail 50000 activation 90 loss 80', 'rejected InvalidCombination stopLoss'],
    ['buy 4 @ 100 gain 100', 'rejected InvalidTrigger takeProfit'],
    ['buy 4 @ 100 loss 100', 'rejected InvalidTrigger stopLoss'],
    ['buy 4 @ 100 gain 110 gain-limit 1001', 'rejected InvalidPrice takeProfit'],
    ['buy 4 @ 100 gain-limit 101', 'rejected InvalidCombination takeProfit'],
  ])('%s -> %s', (order, answer) => {
    played(`
      carol       ${order} -> ${answer}
    `);
  });
});
