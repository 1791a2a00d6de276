import { beforeEach, describe, expect, test } from 'vitest';
import { lots, millis, orderId, ticks } from '@orrery/units';
import type { AmendTrigger } from '@orrery/protocol';
import { TRIGGERS_PER_COMMAND, TRIGGERS_PER_POSITION } from '@orrery/rules';
import { cancelOf, CONTRACT, contractOrder, TriggerTable } from '../testing/trigger-table.ts';
import { accountOf } from '../testing/tape-people.ts';

let table: TriggerTable;
beforeEach(() => {
  table = new TriggerTable();
});

/** Alice is long 10 from 100, bob short; the orders have the ids 1 and 2. */
function openTen(): void {
  table.place('bob', 'sell', 10, { at: 100 });
  table.place('alice', 'buy', 10, { at: 100 });
}

/** Trades one lot at a price between bob and carol: it is the last price then. */
function trade(price: number): string {
  table.place('bob', 'sell', 1, { at: price });
  return table.place('carol', 'buy', 1, { at: price });
}

const amend = (id: number, terms: { stop?: number; at?: number; size?: number }): AmendTrigger => ({
  type: 'AmendTrigger',
  account: accountOf('alice'),
  orderId: orderId(id),
  triggerPrice: ticks(terms.stop ?? 0),
  price: ticks(terms.at ?? 0),
  size: lots(terms.size ?? 0),
});

describe('a plan order', () => {
  test('waits on whichever side of the price its trigger is, reserves nothing, and opens when it is reached', () => {
    openTen();
    expect(table.place('carol', 'buy', 3, { at: 95, stop: 95, source: 'plan' })).toBe('accepted #3, armed');
    expect(table.place('carol', 'buy', 2, { stop: 105, source: 'plan' })).toBe('accepted #4, armed');
    expect(table.place('carol', 'buy', 2, { stop: 100, source: 'plan' })).toBe('rejected InvalidTrigger triggerPrice');
    expect(trade(95)).toBe('accepted #6, trade 1 @ 95 with #5, #5 filled, filled, #3 triggered by 95, #3 rested 3');
    expect(trade(105)).toContain('#4 triggered by 105, #4 ');
    expect(table.settle()).toBe('');
  });
});

describe('O10: a trailing stop', () => {
  test('follows the price up and acts once when it has come back by its distance', () => {
    openTen();
    expect(table.place('alice', 'sell', 10, { trail: 100_000, reduceOnly: true, source: 'stopLoss' })).toBe('accepted #3, armed');
    trade(150);
    table.place('carol', 'buy', 10, { at: 130 });
    expect(trade(136)).not.toContain('triggered');
    expect(trade(135)).toContain('#3 triggered by 135, trade 10 @ 130 with #6 by #3, #6 filled, #3 filled');
    expect(table.position('alice')).toBe(0);
    expect(trade(100)).not.toContain('triggered');
  });

  test('that is reached and then ends with its position leaves nothing to continue', () => {
    table.place('bob', 'sell', 16, { at: 100 });
    table.place('alice', 'buy', 16, { at: 100 });
    // Each of one lot: the first sixteen, which is what one command triggers, close the position, and the last one ends with it.
    for (let count = 0; count < TRIGGERS_PER_COMMAND + 1; count += 1)
      table.place('alice', 'sell', 1, { trail: 50_000, reduceOnly: true, source: 'stopLoss' });
    table.place('bob', 'buy', 50, { at: 90 });
    table.place('carol', 'sell', 1, { at: 90 });
    expect(table.position('alice')).toBe(0);
    expect(table.engine.continuation()).toBeUndefined();
    expect(table.give({ type: 'ContinueTriggers', market: CONTRACT.market })).toEqual([]);
  });

  test('is refused a distance that is not one of the few, a trigger price, and a limit', () => {
    openTen();
    const trailing = (trail: number, words = {}) => table.place('alice', 'sell', 10, { trail, source: 'plan', ...words });
    expect(trailing(1_500)).toBe('rejected InvalidField trailingPpm');
    expect(trailing(10_000, { stop: 90 })).toBe('rejected InvalidCombination triggerPrice');
    expect(trailing(10_000, { at: 90 })).toBe('rejected InvalidCombination trailingPpm');
  });
});

describe('a stop-loss and a take-profit on a position', () => {
  test('are of the whole position or a part, each by itself, and end with the position', () => {
    openTen();
    expect(table.place('alice', 'sell', 0, { stop: 90, closePosition: true, source: 'stopLoss' })).toBe('accepted #3, armed');
    expect(table.place('alice', 'sell', 4, { stop: 110, reduceOnly: true, source: 'takeProfit' })).toBe('accepted #4, armed');
    expect(table.place('alice', 'buy', 4, { stop: 110, reduceOnly: true, source: 'stopLoss' })).toBe(
      'rejected ReduceOnlyRefused reduceOnly',
    );
    table.place('carol', 'buy', 4, { at: 108 });
    expect(trade(110)).toContain('#4 triggered by 110, trade 4 @ 108 with #5 by #4');
    expect(table.position('alice')).toBe(6);
    table.place('carol', 'buy', 6, { at: 107 });
    expect(table.place('alice', 'sell', 6, { at: 107 })).toContain('#3 positionClosed');
    expect([table.position('alice'), trade(85)]).toEqual([0, expect.not.stringContaining('triggered')]);
  });

  test('the whole position is what it is when the price is there, and nothing beyond it is closed', () => {
    openTen();
    table.place('alice', 'sell', 0, { stop: 90, closePosition: true, source: 'stopLoss' });
    table.place('alice', 'sell', 9, { stop: 89, reduceOnly: true, source: 'stopLoss' });
    table.place('carol', 'buy', 5, { at: 100 });
    table.place('alice', 'sell', 5, { at: 100 });
    table.place('carol', 'buy', 20, { at: 80 });
    expect(trade(89)).toContain('#3 triggered by 89, #3 amended to 5 @ market stop 90, trade 5 @ 80 with #7 by #3, #3 filled');
    expect(table.position('alice')).toBe(0);
    expect(table.settle()).toBe('');
  });

  test('wait on their own side of the price: a take-profit of a sell above it, a stop-loss below', () => {
    openTen();
    expect(table.place('alice', 'sell', 4, { stop: 99, reduceOnly: true, source: 'takeProfit' })).toBe(
      'rejected InvalidTrigger triggerPrice',
    );
    expect(table.place('alice', 'sell', 4, { stop: 101, reduceOnly: true, source: 'stopLoss' })).toBe(
      'rejected InvalidTrigger triggerPrice',
    );
  });

  test('are at most twenty on one position', () => {
    openTen();
    for (let count = 0; count < TRIGGERS_PER_POSITION; count += 1)
      expect(table.place('alice', 'sell', 1, { stop: 90, reduceOnly: true, source: 'stopLoss' })).toContain('armed');
    expect(table.place('alice', 'sell', 1, { stop: 90, reduceOnly: true, source: 'stopLoss' })).toBe('rejected TooManyTriggers');
    expect(table.place('alice', 'buy', 1, { at: 50, stopLoss: 40 })).toBe('rejected TooManyTriggers');
  });

  test('can be amended under their id', () => {
    openTen();
    table.place('alice', 'sell', 4, { stop: 90, reduceOnly: true, source: 'stopLoss', id: 'mine' });
    expect(table.emit(amend(3, { stop: 95, size: 6 }))).toBe('#3 amended to 6 @ market stop 95');
    expect(table.emit(amend(3, { stop: 101 }))).toBe('rejected InvalidTrigger triggerPrice');
    expect(table.emit(amend(3, { size: 11 }))).toBe('#3 amended to 10 @ market stop 95');
    table.emit(amend(3, { size: 6 }));
    expect(table.emit(amend(1, { stop: 95 }))).toBe('rejected UnknownOrder orderId');
    expect(table.place('alice', 'sell', 4, { stop: 90, reduceOnly: true, source: 'stopLoss', id: 'mine' })).toBe('repeated #3');
    table.place('carol', 'buy', 20, { at: 80 });
    expect(trade(95)).toContain('#3 triggered by 95, trade 6 @ 80');
    expect(table.emit(amend(3, { stop: 95 }))).toBe('rejected UnknownOrder orderId');
  });
});

describe('what is attached to an order', () => {
  test('begins when the order has filled: one acts and the other is cancelled', () => {
    table.place('bob', 'sell', 10, { at: 100 });
    expect(table.place('alice', 'buy', 10, { at: 100, takeProfit: 120, stopLoss: 90 })).toBe(
      'accepted #2, trade 10 @ 100 with #1, #1 filled, filled, accepted #3, #3 armed, accepted #4, #4 armed',
    );
    table.place('carol', 'buy', 20, { at: 85 });
    expect(trade(90)).toContain('#4 triggered by 90, trade 10 @ 85 with #5 by #4, #4 filled, #3 groupTriggered');
    expect([table.position('alice'), table.settle()]).toEqual([0, '']);
  });

  test('waits until the order is over, and then protects what was filled, however it ended', () => {
    table.place('bob', 'sell', 4, { at: 100 });
    expect(table.place('alice', 'buy', 10, { at: 100, stopLoss: 90 })).not.toContain('armed');
    expect(table.emit(cancelOf('alice', 2))).toBe('#2 canceledByAccount, accepted #3, armed');
    table.place('carol', 'buy', 20, { at: 85 });
    expect(trade(90)).toContain('#3 triggered by 90, trade 4 @ 85');
  });

  test('ends with an order that has filled nothing', () => {
    table.place('alice', 'buy', 10, { at: 100, stopLoss: 90 });
    expect(table.emit(cancelOf('alice', 1))).toBe('#1 canceledByAccount');
  });

  test('does not protect what only closed an opposite position', () => {
    openTen();
    table.place('alice', 'sell', 12, { at: 100, stopLoss: 110 });
    expect(table.place('carol', 'buy', 12, { at: 100 })).toContain('armed');
    expect(table.position('alice')).toBe(-2);
    table.place('carol', 'sell', 20, { at: 115 });
    expect(trade(110)).toContain('trade 2 @ 115');
    expect(table.position('alice')).toBe(0);
  });

  test('is refused on the wrong side of the limit, and on an order that only reduces', () => {
    openTen();
    expect(table.place('carol', 'buy', 1, { at: 100, takeProfit: 100 })).toBe('rejected InvalidTrigger takeProfit');
    expect(table.place('carol', 'buy', 1, { at: 100, stopLoss: 101 })).toBe('rejected InvalidTrigger stopLoss');
    expect(table.place('alice', 'sell', 1, { at: 100, reduceOnly: true, stopLoss: 110 })).toBe('rejected InvalidCombination stopLoss');
  });

  test('acts next when its price is there already', () => {
    table.place('alice', 'buy', 10, { at: 90, stopLoss: 85 });
    table.place('carol', 'buy', 40, { at: 84 });
    expect(table.place('bob', 'sell', 15, { at: 80 })).toContain('accepted #4, #4 armed');
    expect(table.settle()).toBe('#4 triggered by 84, trade 10 @ 84 with #2 by #4, #4 filled');
    expect(table.position('alice')).toBe(0);
  });
});

describe('O8: closing all positions', () => {
  const closeAll = (mode: 'market' | 'limitAtMid', key = 'k') =>
    table.emit({ type: 'CloseAllPositions', account: accountOf('alice'), payoff: 'any', mode, key });

  test('at the market leaves no position, or says what is left, which keeps its stop', () => {
    openTen();
    table.place('alice', 'sell', 0, { stop: 90, closePosition: true, source: 'stopLoss' });
    table.place('carol', 'buy', 6, { at: 99 });
    expect(closeAll('market')).toBe('accepted #5, trade 6 @ 99 with #4, #4 filled, remainderNotFilled, closed all, left 4 by #0');
    expect(closeAll('market')).toBe('repeated k');
    expect(closeAll('limitAtMid')).toBe('rejected KeyConflict key');
    table.place('carol', 'buy', 6, { at: 99 });
    expect(closeAll('market', 'again')).toContain('closed all, left nothing');
    expect(table.position('alice')).toBe(0);
  });

  test('by a limit at the middle of the book rests, rounded away from trading, and names the order', () => {
    openTen();
    table.place('carol', 'buy', 6, { at: 99 });
    table.place('bob', 'sell', 6, { at: 100 });
    expect(closeAll('limitAtMid')).toBe('accepted #5, rested 10, closed all, left 10 by #5');
    expect(table.place('carol', 'buy', 10, { at: 100 })).toContain('trade 6 @ 100 with #4');
    expect(table.place('carol', 'buy', 10, { at: 100 })).toContain('with #5');
  });
});

test('O10: what the trades of a close-all or of a TWAP slice reach acts next, without another order', () => {
  openTen();
  table.place('bob', 'buy', 1, { stop: 95, reduceOnly: true, source: 'takeProfit' });
  table.place('carol', 'buy', 10, { at: 95 });
  table.emit({ type: 'CloseAllPositions', account: accountOf('alice'), payoff: 'any', mode: 'market', key: 'k' });
  expect(table.engine.continuation()).toEqual({ type: 'ContinueTriggers', market: CONTRACT.market });
  expect(table.settle()).toContain('#3 triggered by 95');
});

describe('a scheduled cancel', () => {
  const schedule = (at: number) => table.emit({ type: 'ScheduleCancel', account: accountOf('alice'), at: millis(at) });
  const run = () => table.emit({ type: 'RunTimers' });

  test('closes what may open, once, at its time; a stop-loss stays', () => {
    openTen();
    table.place('alice', 'sell', 0, { stop: 90, closePosition: true, source: 'stopLoss' });
    table.place('alice', 'buy', 1, { at: 50 });
    table.place('alice', 'buy', 1, { stop: 150, source: 'plan' });
    expect(schedule(table.at + 4_999)).toBe('rejected ScheduleTooSoon at');
    expect(schedule(table.at + 5_000)).toBe('cancel scheduled at 1005000');
    expect(schedule(table.at + 6_000)).toBe('cancel scheduled at 1006000');
    table.at += 5_999;
    expect(run()).toBe('nothing');
    table.at += 1;
    expect(run()).toBe('#4 scheduledCancel, #5 scheduledCancel, no cancel scheduled');
    expect([run(), table.settle()]).toEqual(['nothing', '']);
  });

  test('can be cleared', () => {
    table.place('alice', 'buy', 1, { at: 50 });
    schedule(table.at + 5_000);
    expect(schedule(0)).toBe('no cancel scheduled');
    table.at += 10_000;
    expect(run()).toBe('nothing');
  });
});

describe('a TWAP order', () => {
  const twap = (terms: { size?: number; minutes?: number; key?: string; reduceOnly?: boolean; side?: 'buy' | 'sell' } = {}) =>
    table.emit({
      type: 'PlaceTwap',
      account: accountOf('alice'),
      market: CONTRACT.market,
      key: terms.key ?? 't',
      side: terms.side ?? 'buy',
      positionSide: 'both',
      size: lots(terms.size ?? 10),
      minutes: terms.minutes ?? 1,
      reduceOnly: terms.reduceOnly ?? false,
      seed: 0,
    });
  const run = () => table.emit({ type: 'RunTimers' });

  test('takes a slice every 30 seconds, the first at once, catches up, and ends', () => {
    expect(twap()).toBe('TwapAccepted');
    expect(twap()).toBe('repeated t');
    expect(twap({ size: 12 })).toBe('rejected KeyConflict key');
    table.place('bob', 'sell', 3, { at: 100 });
    expect(run()).toBe('accepted #2, trade 3 @ 100 with #1, #1 filled, remainderNotFilled, TWAP has 3');
    expect(run()).toBe('nothing');
    // A start says the same, whenever it is.
    const facts = table.engine.facts().filter(({ type }) => type === 'TwapAccepted' || type === 'TwapAdvanced');
    expect(facts).toMatchObject([
      { twapId: 1, size: 10 },
      { twapId: 1, startedAt: table.at, filled: 3, filledNotional: 300n },
    ]);
    table.place('bob', 'sell', 20, { at: 101 });
    table.at += 30_000;
    expect(run()).toBe('accepted #4, trade 7 @ 101 with #3, filled, TWAP completed 10');
    expect([table.position('alice'), run()]).toEqual([10, 'nothing']);
  });

  test('that only reduces ends with its position, and one can be cancelled', () => {
    openTen();
    expect(twap({ side: 'sell', reduceOnly: true })).toBe('TwapAccepted');
    expect(twap({ key: 'u', reduceOnly: true })).toBe('rejected ReduceOnlyRefused reduceOnly');
    table.place('carol', 'buy', 10, { at: 99 });
    table.place('alice', 'sell', 10, { at: 99 });
    expect(run()).toBe('TWAP positionClosed 0');
    twap({ key: 'v' });
    expect(table.emit({ type: 'CancelTwap', account: accountOf('bob'), twapId: 2 })).toBe('rejected UnknownTwap twapId');
    expect(table.emit({ type: 'CancelTwap', account: accountOf('alice'), twapId: 2 })).toBe('TWAP canceledByAccount 0');
    expect(run()).toBe('nothing');
  });

  test('many that are due at once are taken a few a command, the rest by continuations', () => {
    for (let count = 0; count < 20; count += 1) twap({ key: `t${count}` });
    table.place('bob', 'sell', 500, { at: 100 });
    const first = run().match(/trade/g)?.length;
    expect(table.engine.continuation()).toEqual({ type: 'RunTimers' });
    const rest = table.settle().match(/trade/g)?.length;
    expect([first, rest]).toEqual([16, 4]);
  });
});

test('R1: everything that waits goes on after a snapshot as without one', () => {
  const emit = (restarts: boolean): string[] => {
    table = new TriggerTable();
    openTen();
    table.place('alice', 'sell', 3, { stop: 90, reduceOnly: true, source: 'stopLoss', id: 'mine' });
    table.place('alice', 'sell', 2, { stop: 88, reduceOnly: true, source: 'stopLoss' });
    table.place('alice', 'sell', 2, { trail: 100_000, reduceOnly: true, source: 'stopLoss' });
    table.place('carol', 'buy', 5, { at: 70, takeProfit: 120, stopLoss: 60 });
    table.place('carol', 'buy', 1, { stop: 150, source: 'plan' });
    // Amended to the price of a younger order, it stands behind it.
    table.emit(amend(3, { stop: 88 }));
    trade(110);
    table.emit({ type: 'ScheduleCancel', account: accountOf('carol'), at: millis(table.at + 60_000) });
    table.emit({
      type: 'PlaceTwap',
      account: accountOf('bob'),
      market: CONTRACT.market,
      key: 't',
      side: 'buy',
      positionSide: 'both',
      size: lots(6),
      minutes: 1,
      reduceOnly: true,
      seed: 5,
    });
    if (restarts) table.restart();
    const emitted = [
      table.emit({ type: 'RunTimers' }),
      table.place('alice', 'sell', 3, { stop: 90, reduceOnly: true, source: 'stopLoss', id: 'mine' }),
    ];
    emitted.push(trade(98), table.settle(), trade(88), table.settle());
    if (restarts) table.restart();
    table.at += 60_000;
    emitted.push(table.emit({ type: 'RunTimers' }), table.settle(), `${table.position('alice')} ${table.position('bob')}`);
    return emitted;
  };
  const straight = emit(false);
  expect(straight[1]).toBe('repeated #3');
  expect(straight.join(' ')).toMatch(/#5 triggered.*#4 triggered.*#3 triggered.*#7 scheduledCancel/);
  expect(emit(true)).toEqual(straight);
});

test('what waits is the same order for the command that comes again', () => {
  openTen();
  const stop = contractOrder('alice', 'sell', 4, { stop: 90, reduceOnly: true, source: 'stopLoss', id: 'mine' });
  expect(table.emit(stop)).toBe('accepted #3, armed');
  expect(table.emit(stop)).toBe('repeated #3');
  const opening = contractOrder('alice', 'buy', 1, { at: 50, stopLoss: 40, takeProfit: 60, id: 'both' });
  expect(table.emit(opening)).toBe('accepted #4, rested 1');
  expect(table.emit(opening)).toBe('repeated #4');
  for (const words of [{ stopLoss: 41, takeProfit: 60 }, { stopLoss: 40, takeProfit: 61 }, { stopLoss: 40 }])
    expect(table.emit(contractOrder('alice', 'buy', 1, { at: 50, id: 'both', ...words }))).toBe(
      'rejected DuplicateClientOrderId clientOrderId',
    );
});
