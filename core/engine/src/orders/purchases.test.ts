import { describe, expect, test } from 'vitest';
import { lots } from '@orrery/units';
import { play, Table } from '../testing/tape.ts';

const played = (tape: string, options?: Parameters<typeof play>[1]): void => expect(play(tape, options)).toBe(tape);

describe('what an order has bought', () => {
  test('is protected by a pair that grows with each fill, by what is left after the fee', () => {
    played(`
      alice       sell 9 @ 100               -> accepted #1, rested 9
      bob         buy 1 @ 100                -> accepted #2, trade 1 @ 100 with #1, filled
      carol       buy 200 @ 99 gain 110 loss 90 -> accepted #3, rested 200
      bob         sell 50 @ 99               -> accepted #4, trade 50 @ 99 with #3, filled, accepted #5, #5 armed, accepted #6, #6 armed
      balance     carol BTC free 1000 held 49
      bob         sell 100 @ 99              -> accepted #7, trade 100 @ 99 with #3, filled, #5 amended to 148 @ market stop 110, #6 amended to 148 @ market stop 90
      balance     carol BTC free 1000 held 148
      bob         sell 50 @ 99               -> accepted #8, trade 50 @ 99 with #3, #3 filled, filled, #5 amended to 197 @ market stop 110, #6 amended to 197 @ market stop 90
      balance     carol BTC free 1000 held 197
    `);
  });

  test('at the market is protected at once, by orders with limits too', () => {
    played(`
      alice       sell 90 @ 100              -> accepted #1, rested 90
      bob         buy 1 @ 100                -> accepted #2, trade 1 @ 100 with #1, filled
      carol       buy 20 @ market gain 110 gain-limit 109 loss 90 loss-limit 88 -> accepted #3, trade 20 @ 100 with #1, filled, accepted #4, #4 armed, accepted #5, #5 armed
      balance     carol BTC free 1000 held 19
      carol       buy 20 @ 100 loss 99       -> accepted #6, trade 20 @ 100 with #1, filled, accepted #7, #7 armed
      balance     carol BTC free 1000 held 38
      carol       buy 20 @ 101 stop 101 gain 110 -> accepted #8, armed
      bob         buy 70 @ 101               -> accepted #9, trade 49 @ 100 with #1, #1 filled, rested 21
      alice       sell 21 @ 101              -> accepted #10, trade 21 @ 101 with #9, #9 filled, filled, #8 triggered by 101, #8 rested 20
      bob         sell 20 @ 101              -> accepted #11, trade 20 @ 101 with #8, #8 filled, filled, accepted #12, #12 armed
      balance     carol BTC free 1000 held 57
    `);
  });

  test('that is less than the least order waits for more, and ends with a reason when no more comes', () => {
    played(
      `
      alice       sell 9 @ 100               -> accepted #1, rested 9
      carol       buy 20 @ 99 gain 110 loss 90 -> accepted #2, rested 20
      bob         sell 4 @ 99                -> accepted #3, trade 4 @ 99 with #2, filled
      balance     carol BTC free 1003 held 0
      bob         sell 4 @ 99                -> accepted #4, trade 4 @ 99 with #2, filled, accepted #5, #5 armed, accepted #6, #6 armed
      balance     carol BTC free 1000 held 6
      carol       cancel #2                  -> #2 canceledByAccount
      carol       buy 20 @ 99 gain 110 loss 90 -> accepted #7, rested 20
      bob         sell 4 @ 99                -> accepted #8, trade 4 @ 99 with #7, filled
      carol       cancel #7                  -> #7 canceledByAccount, accepted #9, armed, accepted #10, #10 armed, belowMinimum, #10 belowMinimum
      balance     carol BTC free 1003 held 6
      carol       buy 20 @ 99 loss 90        -> accepted #11, rested 20
      carol       cancel #11                 -> #11 canceledByAccount
    `,
      { terms: { minSize: lots(4) } },
    );
  });

  test('is protected no further once its owner has taken the protection away', () => {
    played(`
      alice       sell 9 @ 100               -> accepted #1, rested 9
      carol       buy 20 @ 99 gain 110 loss 90 -> accepted #2, rested 20
      bob         sell 10 @ 99               -> accepted #3, trade 10 @ 99 with #2, filled, accepted #4, #4 armed, accepted #5, #5 armed
      carol       cancel #5                  -> #5 canceledByAccount, #4 groupClosed
      bob         sell 5 @ 99                -> accepted #6, trade 5 @ 99 with #2, filled
      balance     carol BTC free 1013 held 0
    `);
  });

  test('after one of the pair has acted has a pair of its own', () => {
    played(`
      alice       buy 1 @ 100                -> accepted #1, rested 1
      bob         sell 1 @ 100               -> accepted #2, trade 1 @ 100 with #1, #1 filled, filled
      carol       buy 20 @ 100 gain 103 loss 96 -> accepted #3, rested 20
      bob         sell 10 @ 100              -> accepted #4, trade 10 @ 100 with #3, filled, accepted #5, #5 armed, accepted #6, #6 armed
      alice       buy 4 @ 103                -> accepted #7, rested 4
      bob         sell 1 @ 103               -> accepted #8, trade 1 @ 103 with #7, filled, #5 triggered by 103, #6 groupTriggered, trade 3 @ 103 with #7 by #5, #7 filled, #5 waits on for 6: slippageBound
      balance     carol BTC free 1000 held 6
      bob         sell 10 @ 100              -> accepted #9, trade 10 @ 100 with #3, #3 filled, filled, accepted #10, #10 armed, accepted #11, #11 armed
      balance     carol BTC free 1000 held 15
    `);
  });

  test('below its own stop is sold at once', () => {
    played(`
      alice       sell 30 @ 105              -> accepted #1, rested 30
      bob         buy 1 @ 105                -> accepted #2, trade 1 @ 105 with #1, filled
      carol       buy 20 @ 105 stop 106 loss 104 -> accepted #3, armed
      carol       buy 20 @ 99 gain 110 loss 90 -> accepted #4, rested 20
      carol       amend #4 20 @ 89           -> rejected InvalidTrigger stopLoss
      carol       amend #4 20 @ 110          -> rejected InvalidTrigger takeProfit
      carol       amend #4 20 @ 95           -> #4 amended to 20 @ 95, #4 rested 20
      bob         sell 20 @ 95               -> accepted #5, trade 20 @ 95 with #4, #4 filled, filled, accepted #6, #6 armed, accepted #7, #7 armed
      balance     carol BTC free 1000 held 19
    `);
  });

  test('whose account was blocked meanwhile has no orders', () => {
    const stops = Array.from({ length: 17 }, (_, index) => `buy 1 @ 101 stop 101 id s${index}`);
    const table = new Table();
    const line = (words: string): string => table.line(`${words} -> `).split('-> ')[1] ?? '';
    line('alice sell 1 @ 100');
    line('bob buy 1 @ 100');
    for (const stop of stops) line(`bob ${stop}`);
    line('alice sell 10 @ 101');
    // One of the stops is left for the next command, and what protects the purchase comes behind it.
    expect(line('carol buy 10 @ 101 gain 110 loss 90')).toMatch(/#18 rested 1$/);
    expect(line('exchange set carol blocked on')).toBe('blocked on');
    expect(line('exchange continue')).toBe('#19 triggered by 101, #19 rested 1');
    table.replay();
  });

  test('waits for its end where its account has as many orders as it may', () => {
    played(
      `
      alice       sell 1 @ 100               -> accepted #1, rested 1
      bob         buy 1 @ 100                -> accepted #2, trade 1 @ 100 with #1, #1 filled, filled
      carol       buy 12 @ 99 gain 101 gain-limit 150 -> accepted #3, rested 12
      bob         sell 3 @ 99                -> accepted #4, trade 3 @ 99 with #3, filled, accepted #5, #5 armed
      alice       buy 1 @ 103                -> accepted #6, rested 1
      bob         sell 1 @ 103               -> accepted #7, trade 1 @ 103 with #6, #6 filled, filled, #5 triggered by 103, #5 rested 2
      bob         sell 3 @ 99                -> accepted #8, trade 3 @ 99 with #3, filled
      balance     carol BTC free 1002 held 2
      carol       buy 1 @ 98                 -> rejected TooManyOpenOrders
      bob         sell 6 @ 99                -> accepted #9, trade 6 @ 99 with #3, #3 filled, filled, accepted #10, #10 armed
      balance     carol BTC free 1000 held 9
      `,
      { terms: { maxOpenOrders: 2 } },
    );
  });
});
