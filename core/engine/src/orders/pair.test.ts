import { describe, expect, test } from 'vitest';
import { play } from '../testing/tape.ts';

const played = (tape: string, options?: Parameters<typeof play>[1]): void => expect(play(tape, options)).toBe(tape);

describe('a pair of spot orders', () => {
  test('has one reservation: what the limit order trades the stop loses, and ends with its last lot', () => {
    played(`
      alice       sell 9 @ 100               -> accepted #1, rested 9
      bob         buy 1 @ 100                -> accepted #2, trade 1 @ 100 with #1, filled
      carol       pair sell 4 above 110 below market stop 90 -> accepted #3, rested 4, accepted #4, #4 armed
      balance     carol BTC free 996 held 4
      bob         buy 9 @ 110                -> accepted #5, trade 8 @ 100 with #1, #1 filled, trade 1 @ 110 with #3, filled, #4 amended to 3 @ market stop 90
      book        | 110 x 3
      balance     carol BTC free 996 held 3
      bob         buy 5 @ 110                -> accepted #6, trade 3 @ 110 with #3, #3 filled, #4 groupTriggered, rested 2
      balance     carol BTC free 996 held 0
    `);
  });

  test('of a buy reserves the greater of the two, and gives back what the cheaper one does not cost', () => {
    played(`
      alice       sell 9 @ 100               -> accepted #1, rested 9
      bob         buy 1 @ 100                -> accepted #2, trade 1 @ 100 with #1, filled
      carol       pair buy 4 above market stop 110 below 95 -> accepted #3, rested 4, accepted #4, #4 armed
      balance     carol USDC free 99540 held 460
      alice       cancel all                 -> #1 canceledByAccount
      bob         sell 1 @ 95                -> accepted #5, trade 1 @ 95 with #3, filled, #4 amended to 3 @ market stop 110
      balance     carol USDC free 99560 held 345
      bob         sell 3 @ 95                -> accepted #6, trade 3 @ 95 with #3, #3 filled, #4 groupTriggered, filled
      balance     carol USDC free 99620 held 0
    `);
  });

  test('of which the stop is triggered acts with the whole reservation, and the other ends before', () => {
    played(`
      alice       sell 9 @ 100               -> accepted #1, rested 9
      bob         buy 1 @ 100                -> accepted #2, trade 1 @ 100 with #1, filled
      carol       pair buy 4 above 103 stop 102 below 95 -> accepted #3, rested 4, accepted #4, #4 armed
      balance     carol USDC free 99588 held 412
      alice       cancel all                 -> #1 canceledByAccount
      alice       sell 3 @ 102               -> accepted #5, rested 3
      bob         buy 1 @ 102                -> accepted #6, trade 1 @ 102 with #5, filled, #4 triggered by 102, #3 groupTriggered, trade 2 @ 102 with #5 by #4, #5 filled, #4 rested 2
      balance     carol USDC free 99590 held 206
    `);
  });

  test('of two triggers is a take-profit and a stop', () => {
    played(`
      alice       buy 9 @ 100                -> accepted #1, rested 9
      bob         sell 1 @ 100               -> accepted #2, trade 1 @ 100 with #1, filled
      carol       pair sell 4 above market take 103 below market stop 98 -> accepted #3, armed, accepted #4, #4 armed
      balance     carol BTC free 996 held 4
      alice       buy 5 @ 103                -> accepted #5, rested 5
      bob         sell 1 @ 103               -> accepted #6, trade 1 @ 103 with #5, filled, #3 triggered by 103, #4 groupTriggered, trade 4 @ 103 with #5 by #3, #5 filled, #3 filled
      balance     carol BTC free 996 held 0
    `);
  });

  test('never sells more than its size where one command reaches both', () => {
    played(`
      alice       buy 1 @ 100                -> accepted #1, rested 1
      bob         sell 1 @ 100               -> accepted #2, trade 1 @ 100 with #1, #1 filled, filled
      carol       pair sell 4 above 101 below market stop 97 -> accepted #3, rested 4, accepted #4, #4 armed
      alice       sell 1 @ 97                -> accepted #5, rested 1
      bob         buy 5 @ 101                -> accepted #6, trade 1 @ 97 with #5, #5 filled, trade 4 @ 101 with #3, #3 filled, #4 groupTriggered, filled
      balance     carol BTC free 996 held 0
      carol       pair sell 4 above 102 below market stop 97 -> accepted #7, rested 4, accepted #8, #8 armed
      alice       buy 3 @ 96                 -> accepted #9, rested 3
      alice       sell 1 @ 97                -> accepted #10, rested 1
      bob         buy 3 @ 102                -> accepted #11, trade 1 @ 97 with #10, #10 filled, trade 2 @ 102 with #7, filled, #8 amended to 2 @ market stop 97, #8 triggered by 97, #7 groupTriggered, trade 2 @ 96 with #9 by #8, #8 filled
      balance     carol BTC free 992 held 0
    `);
  });

  test('ends with either of its orders: by its owner, by name, all together, by its age, by a block', () => {
    played(`
      alice       buy 1 @ 100                -> accepted #1, rested 1
      bob         sell 1 @ 100               -> accepted #2, trade 1 @ 100 with #1, #1 filled, filled
      carol       pair sell 4 above 105 id a below market stop 95 id b -> accepted #3, rested 4, accepted #4, #4 armed
      carol       sell 4 @ 111 id b          -> rejected DuplicateClientOrderId clientOrderId
      carol       amend #3 4 @ 104           -> rejected OrderOfPair orderId
      carol       amend #4 4 @ 104           -> rejected OrderNotAmendable orderId
      carol       cancel b                   -> #4 canceledByAccount, #3 groupClosed
      carol       pair sell 4 above 105 below market stop 95 -> accepted #5, rested 4, accepted #6, #6 armed
      carol       cancel all                 -> #5 canceledByAccount, #6 groupClosed
      carol       pair sell 4 above 105 below market stop 95 -> accepted #7, rested 4, accepted #8, #8 armed
      clock 9000000
      exchange    expire                     -> #7 expired, #8 groupClosed
      carol       pair sell 4 above 105 below market stop 95 -> accepted #9, rested 4, accepted #10, #10 armed
      exchange    set carol blocked on       -> blocked on, #9 accountBlocked, #10 groupClosed
      balance     carol BTC free 1000 held 0
    `);
  });

  test('loses to self-trade prevention what one of its orders does', () => {
    played(`
      alice       buy 1 @ 100                -> accepted #1, rested 1
      bob         sell 1 @ 100               -> accepted #2, trade 1 @ 100 with #1, #1 filled, filled
      carol       pair sell 4 above 105 below market stop 95 -> accepted #3, rested 4, accepted #4, #4 armed
      carol       buy 1 @ 105 stp decrement  -> accepted #5, #3 reduced to 3, selfTrade, #4 amended to 3 @ market stop 95
      balance     carol BTC free 997 held 3
      carol       buy 1 @ 105 stp expireMaker -> accepted #6, #3 selfTrade, #4 groupClosed, rested 1
      balance     carol BTC free 1000 held 0
    `);
  });

  test('waits with its stop where nothing can be taken, and tries again with each outside price', () => {
    played(`
      alice       buy 1 @ 100                -> accepted #1, rested 1
      bob         sell 1 @ 100               -> accepted #2, trade 1 @ 100 with #1, #1 filled, filled
      carol       pair sell 4 above 110 below market stop 90 -> accepted #3, rested 4, accepted #4, #4 armed
      alice       buy 1 @ 90                 -> accepted #5, rested 1
      bob         sell 1 @ 90                -> accepted #6, trade 1 @ 90 with #5, #5 filled, filled, #4 triggered by 90, #4 waits on for 4: noLiquidity
      balance     carol BTC free 996 held 4
      exchange    index 90                   -> IndexPriceSet
      alice       buy 3 @ 90                 -> accepted #7, rested 3
      exchange    index 90                   -> IndexPriceSet, #4 triggered by 90, #3 groupTriggered, trade 3 @ 90 with #7 by #4, #7 filled, #4 waits on for 1: noLiquidity
      balance     carol BTC free 996 held 1
      alice       buy 3 @ 91                 -> accepted #8, rested 3
      bob         sell 1 @ 91                -> accepted #9, trade 1 @ 91 with #8, filled
      exchange    index 91                   -> IndexPriceSet, #4 armed
      exchange    halt                       -> HALT
      carol       cancel #4                  -> rejected MarketHalted market
      exchange    index 90                   -> IndexPriceSet
      exchange    cancel-only                -> CANCEL_ONLY
      carol       cancel #4                  -> #4 canceledByAccount
      balance     carol BTC free 997 held 0
    `);
  });

  test('that comes twice under its names is placed once; under one of them it is refused', () => {
    played(`
      alice       buy 1 @ 100                -> accepted #1, rested 1
      bob         sell 1 @ 100               -> accepted #2, trade 1 @ 100 with #1, #1 filled, filled
      carol       pair buy 4 above market stop 110 id s below 95 id l -> accepted #3, rested 4, accepted #4, #4 armed
      carol       pair buy 4 above market stop 110 id s below 95 id l -> repeated #3, repeated #4
      carol       pair buy 4 above market stop 110 id s below 95 -> rejected DuplicateClientOrderId above.clientOrderId
      carol       pair buy 4 above market stop 110 id x below 95 id l -> rejected DuplicateClientOrderId below.clientOrderId
      carol       pair buy 4 above market stop 110 id y below 95 id y -> rejected DuplicateClientOrderId above.clientOrderId
      carol       buy 4 @ 95 gtx id l        -> rejected DuplicateClientOrderId clientOrderId
    `);
  });

  test.each([
    ['sell 4 above 90 below market stop 95', 'InvalidCombination below.triggerPrice'],
    ['sell 4 above 110 below market stop 110', 'InvalidCombination below.triggerPrice'],
    ['buy 4 above market stop 95 below 95', 'InvalidCombination above.triggerPrice'],
    ['sell 4 above 110 below market stop 105', 'InvalidTrigger below.triggerPrice'],
    ['sell 4 above market take 99 below market stop 95', 'InvalidTrigger above.triggerPrice'],
    ['sell 4 above 110 below 89', 'InvalidCombination below.orderType'],
    ['sell 4 above market below market stop 90', 'InvalidCombination above.orderType'],
    ['sell 4 above 110 below 2000 stop 90', 'InvalidPrice below.price'],
    ['sell 501 above 110 below market stop 90', 'InvalidSize size'],
    ['buy 380 above market stop 105 below 90', 'InsufficientBalance'],
    ['sell 4 above 100 below market stop 90', 'PostOnlyWouldTake above.price'],
  ])('%s is refused: %s', (pair, reason) => {
    const opening = `
      alice       buy 9 @ 100                -> accepted #1, rested 9
      bob         sell 1 @ 100               -> accepted #2, trade 1 @ 100 with #1, filled
      carol       transfer 65000 USDC spot>funding x -> Transferred
      carol       pair ${pair} -> rejected ${reason}
      book        100 x 8 |
    `;
    played(opening);
    expect(play(`      carol       pair ${pair} -> x`, { rules: 7 })).toBe(`      carol       pair ${pair} -> rejected RulesTooOld`);
  });
});
