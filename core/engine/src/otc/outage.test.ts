import { describe, expect, test } from 'vitest';
import { millis } from '@orrery/units';
import { Table } from '../testing/tape.ts';
import { showAtDesk } from '../testing/otc-tape.ts';

const HOUR_MS = 3_600_000;

describe('while the exchange is away', () => {
  test('no window to pay passes', () => {
    showAtDesk(`
      alice       otc sells 100 BTC @ 7.50 usd 10-500 as a1 -> ad 1 of 100
      bob         otc takes 1 20 BTC @ 7.50 as o1 -> order 1 of 20 for 150 held, ad 1 PUBLISHED 80
      clock       840
      outage      7200
      exchange    otc timers                 -> deadlines 7200 s later
      clock       59
      exchange    otc timers                 -> nothing
      bob         otc paid 1                 -> order 1 PAID
    `);
  });

  test('what was left of a window is left of it', () => {
    showAtDesk(`
      alice       otc sells 100 BTC @ 7.50 usd 10-500 as a1 -> ad 1 of 100
      bob         otc takes 1 20 BTC @ 7.50 as o1 -> order 1 of 20 for 150 held, ad 1 PUBLISHED 80
      outage      61
      exchange    otc timers                 -> deadlines 61 s later
      clock       600
      outage      100000
      exchange    otc timers                 -> deadlines 100000 s later
      clock       300
      bob         otc paid 1                 -> rejected OtcOrderNotInState status
      exchange    otc timers                 -> order 1 EXPIRED, ad 1 PUBLISHED 100
    `);
  });

  test('no seller is silent, no dispute opens by itself, and no time to appeal passes', () => {
    showAtDesk(`
      alice       otc sells 100 BTC @ 7.50 usd 10-500 as a1 -> ad 1 of 100
      bob         otc takes 1 20 BTC @ 7.50 as o1 -> order 1 of 20 for 150 held, ad 1 PUBLISHED 80
      bob         otc paid 1                 -> order 1 PAID
      outage      90000
      exchange    otc timers                 -> deadlines 90000 s later
      bob         otc disputes 1             -> rejected OtcTooSoon order
      clock       1800
      bob         otc disputes 1             -> order 1 DISPUTED
      exchange    otc decides 1 RELEASED     -> order 1 decided RELEASED
      outage      3600
      exchange    otc timers                 -> deadlines 3600 s later
      alice       otc appeals 1              -> order 1 appealed
    `);
  });

  test('a dispute that could be opened before still can', () => {
    showAtDesk(`
      alice       otc sells 100 BTC @ 7.50 usd 10-500 as a1 -> ad 1 of 100
      bob         otc takes 1 20 BTC @ 7.50 as o1 -> order 1 of 20 for 150 held, ad 1 PUBLISHED 80
      bob         otc paid 1                 -> order 1 PAID
      clock       1800
      exchange    otc timers                 -> nothing
      outage      600
      exchange    otc timers                 -> deadlines 600 s later
      bob         otc disputes 1             -> order 1 DISPUTED
    `);
  });

  test('nothing moves without an open order, nor when it was a minute', () => {
    showAtDesk(`
      alice       otc sells 100 BTC @ 7.50 usd 10-500 as a1 -> ad 1 of 100
      outage      100000
      exchange    otc timers                 -> nothing
      bob         otc takes 1 20 BTC @ 7.50 as o1 -> order 1 of 20 for 150 held, ad 1 PUBLISHED 80
      outage      60
      exchange    otc timers                 -> nothing
    `);
  });

  test('the first order after a silence without one has the window of any other', () => {
    showAtDesk(`
      alice       otc sells 100 BTC @ 7.50 usd 10-500 as a1 -> ad 1 of 100
      outage      7200
      bob         otc takes 1 20 BTC @ 7.50 as o1 -> order 1 of 20 for 150 held, ad 1 PUBLISHED 80
      exchange    otc timers                 -> nothing
      clock       900
      exchange    otc timers                 -> order 1 EXPIRED, ad 1 PUBLISHED 100
    `);
  });

  test('an order that is due when it begins is over when it ends, and one of a moment later has that moment', () => {
    for (const [seconds, then] of [
      [900, 'deadlines 86400 s later, order 1 EXPIRED, ad 1 PUBLISHED 100'],
      [899, 'deadlines 86400 s later'],
    ] as const)
      showAtDesk(`
      alice       otc sells 100 BTC @ 7.50 usd 10-500 as a1 -> ad 1 of 100
      bob         otc takes 1 20 BTC @ 7.50 as o1 -> order 1 of 20 for 150 held, ad 1 PUBLISHED 80
      clock       ${seconds}
      bob         otc sells 1 BTC @ 7.50 usd 1-5 as a${seconds} -> ad 2 of 1
      outage      86400
      exchange    otc timers                 -> ${then}
    `);
  });

  test('one outage after the other takes no time, however many there are, and an appeal waits without end', () => {
    const outages = (count: number): string =>
      `
      outage      90
      exchange    otc timers                 -> deadlines 90 s later
      clock       1
      exchange    otc timers                 -> nothing`.repeat(count);
    showAtDesk(`
      alice       otc sells 100 BTC @ 7.50 usd 10-500 as a1 -> ad 1 of 100
      bob         otc takes 1 20 BTC @ 7.50 as o1 -> order 1 of 20 for 150 held, ad 1 PUBLISHED 80${outages(5)}
      clock       894
      bob         otc paid 1                 -> order 1 PAID
      clock       1800
      bob         otc disputes 1             -> order 1 DISPUTED
      exchange    otc decides 1 RELEASED     -> order 1 decided RELEASED${outages(3)}
      alice       otc appeals 1              -> order 1 appealed
      outage      31536000
      exchange    otc timers                 -> deadlines 31536000 s later
      exchange    otc decides 1 RETURNED again -> order 1 decided RETURNED, order 1 RETURNED, ad 1 PUBLISHED 100
    `);
  });

  test('what was refused is no sign of it', () => {
    showAtDesk(`
      alice       otc sells 100 BTC @ 7.50 usd 10-500 as a1 -> ad 1 of 100
      bob         otc takes 1 20 BTC @ 7.50 as o1 -> order 1 of 20 for 150 held, ad 1 PUBLISHED 80
      outage      60
      bob         otc paid 2                 -> rejected UnknownOtcOrder order
      outage      30
      exchange    otc timers                 -> deadlines 90 s later
    `);
  });
});

test('deadlines are moved before anything else is done after an outage', () => {
  const table = new Table();
  for (const line of [
    'exchange otc opens -> ',
    'alice transfer 500 BTC spot>funding t -> ',
    'alice otc sells 100 BTC @ 7.50 usd 10-500 as a1 -> ',
  ])
    table.line(line);
  table.line('bob otc takes 1 20 BTC @ 7.50 as o1 -> ');
  expect(table.engine.due(millis(table.at + 60_000))).toBeUndefined();
  const after = millis(table.at + 90 * 24 * HOUR_MS);
  expect(table.engine.due(after)).toEqual({ type: 'RunOtcTimers' });
  table.line(`outage ${90 * 24 * 3_600}`);
  expect(table.give({ type: 'RunOtcTimers' })).toMatchObject([{ type: 'OtcDeadlinesMoved', by: 90 * 24 * HOUR_MS }]);
  expect(table.engine.due(after)).not.toEqual({ type: 'RunOtcTimers' });
});

test('five orders that a buyer lets expire within a day are followed by a pause of a day', () => {
  const expired = (nth: number): string => `
      bob         otc takes 1 60 BTC @ 7.50 as o${nth} -> order ${nth} of 60 for 450 held, ad 1 EXHAUSTED 0
      clock       900
      exchange    otc timers                 -> order ${nth} EXPIRED, ad 1 PUBLISHED 60`;
  showAtDesk(`
      alice       otc sells 60 BTC @ 7.50 usd 10-500 as a1 -> ad 1 of 60${[1, 2, 3, 4, 5].map(expired).join('')}
      bob         otc takes 1 60 BTC @ 7.50 as o6 -> rejected OtcPaused account
      carol       otc takes 1 60 BTC @ 7.50 as o1 -> order 6 of 60 for 450 held, ad 1 EXHAUSTED 0
    `);
});
