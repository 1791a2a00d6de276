import { describe, expect, test } from 'vitest';
import { marketId } from '@orrery/units';
import { play, Table } from '../testing/tape.ts';
import { accountOf } from '../testing/tape-people.ts';

describe('cancelling', () => {
  test('takes the order out and gives back its hold', () => {
    const tape = `
      alice       buy 5 @ 100 id a           -> accepted #1, rested 5
      alice       buy 5 @ 99                 -> accepted #2, rested 5
      alice       sell 5 @ 99 stop 99        -> accepted #3, armed
      bob         cancel #1                  -> rejected UnknownOrder orderId
      alice       cancel a                   -> #1 canceledByAccount
      alice       cancel a                   -> rejected UnknownOrder clientOrderId
      alice       cancel #1                  -> rejected UnknownOrder orderId
      alice       cancel #2                  -> #2 canceledByAccount
      alice       cancel #3                  -> #3 canceledByAccount
      balance     alice USDC free 100000 held 0
      balance     alice BTC free 1000 held 0
    `;
    expect(play(tape)).toBe(tape);
  });

  test('works while a market takes cancels only, and not while it is halted', () => {
    const tape = `
      alice       buy 5 @ 100                -> accepted #1, rested 5
      alice       buy 5 @ 101                -> accepted #2, rested 5
      alice       sell 5 @ 90 stop 91        -> accepted #3, armed
      exchange    cancel-only                -> CANCEL_ONLY
      alice       buy 5 @ 101                -> rejected MarketCancelOnly market
      alice       cancel #1                  -> #1 canceledByAccount
      exchange    halt                       -> HALT
      alice       buy 5 @ 101                -> rejected MarketHalted market
      alice       cancel #2                  -> rejected MarketHalted market
      alice       cancel all                 -> nothing
      exchange    open                       -> TRADING
      alice       cancel all                 -> #2 canceledByAccount, #3 canceledByAccount
      alice       cancel all                 -> nothing
    `;
    expect(play(tape)).toBe(tape);
  });

  test('of all orders in a market that is halted is refused', () => {
    const table = new Table();
    const all = { type: 'CancelAllOrders', account: accountOf('alice'), market: marketId(1) } as const;
    table.give({ type: 'SetMarketState', market: all.market, state: 'HALT' });
    expect(table.give(all)).toEqual([{ type: 'CommandRejected', reason: 'MarketHalted', field: 'market' }]);
    table.give({ type: 'SetMarketState', market: all.market, state: 'CANCEL_ONLY' });
    expect(table.give(all)).toEqual([]);
  });
});

describe('an order of 90 days', () => {
  test('expires, resting or waiting, unless its market is halted', () => {
    const tape = `
      alice       buy 5 @ 100                -> accepted #1, rested 5
      bob         buy 5 @ 110 stop 109       -> accepted #2, armed
      clock       7775999
      exchange    expire                     -> nothing
      alice       buy 5 @ 101                -> accepted #3, rested 5
      clock       1
      exchange    halt                       -> HALT
      exchange    expire                     -> nothing
      exchange    open                       -> TRADING
      exchange    expire                     -> #1 expired, #2 expired
      book        101 x 5 |
    `;
    expect(play(tape)).toBe(tape);
  });
});
