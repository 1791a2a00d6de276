import { beforeEach, describe, expect, test } from 'vitest';
import { lots, ppm, ticks } from '@orrery/units';
import type { Command, ProtectionLeg, SetProtection } from '@orrery/protocol';
import { STALLED_MISSES_PER_ROUND, TRIGGERS_PER_COMMAND } from '@orrery/rules';
import { cancelOf, CONTRACT, contractOrder, TriggerTable } from '../testing/trigger-table.ts';
import { accountOf } from '../testing/tape-people.ts';

let table: TriggerTable;
beforeEach(() => {
  table = new TriggerTable();
});

/** Alice is long 20 from 100, bob short: orders 1 and 2. The book is empty then. */
function openTwenty(): void {
  table.place('bob', 'sell', 20, { at: 100 });
  table.place('alice', 'buy', 20, { at: 100 });
}

const round = (price: number): string =>
  table.emit({
    type: 'SubmitPrices',
    market: CONTRACT.market,
    index: ['one', 'two', 'three'].map((source) => ({ source, price: ticks(price), ageMs: 0, weight: 1 })),
    external: [],
  });

/** What a round causes, without the prices themselves. */
const caused = (price: number): string =>
  [round(price).replace(/^[^,]*(, )?/, ''), table.settle()].filter((text) => text !== '').join(' / ');

const closeAll = (mode: 'market' | 'limitAtMid', key: string) =>
  table.give({ type: 'CloseAllPositions', account: accountOf('alice'), payoff: 'any', mode, key });

const closings = (mode: 'market' | 'limitAtMid', key = mode as string) =>
  closeAll(mode, key).flatMap((event) =>
    event.type === 'PositionsClosed'
      ? event.closings.map(({ asked, closed, left, reason, orderId }) => [asked, closed, left, reason, orderId])
      : [],
  );

/** The ids of alice's orders that wait or rest. */
function openOrders(): readonly number[] {
  const ids = new Set<number>();
  for (const event of table.engine.facts())
    if (event.type === 'OrderAccepted' && event.account === accountOf('alice')) ids.add(event.orderId);
  return [...ids];
}

const stop = (words: object = {}) =>
  table.place('alice', 'sell', 0, { stop: 90, closePosition: true, source: 'stopLoss', triggerBy: 'index', ...words });
const profit = (words: object = {}) =>
  table.place('alice', 'sell', 0, { stop: 120, closePosition: true, source: 'takeProfit', triggerBy: 'index', ...words });

describe('closing all positions', () => {
  test('in an empty book closes nothing, says so, and the stops stand and act when bids come back', () => {
    openTwenty();
    expect([profit(), stop()]).toEqual(['accepted #3, armed', 'accepted #4, armed']);
    expect(closings('market')).toEqual([[20, 0, 20, 'noLiquidity', 0]]);
    expect(openOrders()).toEqual([3, 4]);
    expect(caused(89)).toBe('#4 triggered by 89, #4 amended to 20 @ market stop 90, #4 waits on for 20: noLiquidity');
    expect(openOrders()).toEqual([3, 4]);
    table.place('carol', 'buy', 50, { at: 88 });
    expect(caused(88)).toContain('trade 20 @ 88 with #5 by #4, #4 filled, #3 positionClosed');
    expect([table.position('alice'), openOrders()]).toEqual([0, []]);
  });

  test('in a thin book closes a part, and the stops protect the rest at its size', () => {
    openTwenty();
    stop();
    table.place('carol', 'buy', 18, { at: 100 });
    table.place('carol', 'buy', 50, { at: 98 });
    expect(closings('market')).toEqual([[20, 18, 2, 'slippageBound', 0]]);
    expect(openOrders()).toEqual([3]);
    expect(caused(89)).toContain('trade 2 @ 98');
    expect(table.position('alice')).toBe(0);
  });

  test('by a limit at the middle of the book leaves the stops, after its cancel too, and a second one takes the place of the first', () => {
    openTwenty();
    stop();
    table.place('alice', 'sell', 5, { at: 130, reduceOnly: true });
    table.place('carol', 'buy', 5, { at: 98 });
    table.place('bob', 'sell', 5, { at: 104 });
    expect(closings('limitAtMid', 'one')).toEqual([[20, 0, 20, 'restingAtMid', 7]]);
    expect(openOrders()).toEqual([7, 3]);
    expect(closings('limitAtMid', 'two')).toEqual([[20, 0, 20, 'restingAtMid', 8]]);
    expect(openOrders()).toEqual([8, 3]);
    table.emit(cancelOf('alice', 8));
    expect(openOrders()).toEqual([3]);
    expect(caused(89)).toContain('#3 triggered by 89');
  });

  test('in a halted contract leaves everything, and says so; where nothing is left says that too', () => {
    openTwenty();
    stop();
    table.emit({ type: 'SetMarketState', market: CONTRACT.market, state: 'HALT' });
    expect(closings('market', 'one')).toEqual([[20, 0, 20, 'marketClosed', 0]]);
    table.emit({ type: 'SetMarketState', market: CONTRACT.market, state: 'TRADING' });
    table.place('carol', 'buy', 50, { at: 100 });
    expect(closings('market', 'two')).toEqual([[20, 20, 0, 'none', 0]]);
    expect(openOrders()).toEqual([]);
  });
});

describe('a stop that is reached and cannot act', () => {
  test('waits on, is tried with each round while its price is reached, and says why once', () => {
    openTwenty();
    stop();
    expect(caused(90)).toBe('#3 triggered by 90, #3 amended to 20 @ market stop 90, #3 waits on for 20: noLiquidity');
    expect([caused(90), caused(89)]).toEqual(['', '']);
    table.place('carol', 'buy', 5, { at: 80 });
    expect(caused(89)).toBe('#3 triggered by 89, trade 5 @ 80 with #4 by #3, #4 filled, #3 waits on for 15: noLiquidity');
    // Its price is not reached any more: it waits as before.
    expect(caused(95)).toBe('#3 armed');
    table.place('carol', 'buy', 50, { at: 80 });
    expect(caused(91)).toBe('');
    expect(caused(90)).toContain('trade 15 @ 80');
    expect([table.position('alice'), openOrders()]).toEqual([0, []]);
  });

  test('is the same after a restart', () => {
    openTwenty();
    stop();
    caused(90);
    table.place('carol', 'buy', 5, { at: 80 });
    caused(90);
    table.restart();
    expect(openOrders()).toEqual([3]);
    expect(caused(90)).toBe('');
    table.place('carol', 'buy', 50, { at: 80 });
    expect(caused(90)).toContain('trade 15 @ 80');
  });

  test('can be changed and taken away, and ends with its position', () => {
    openTwenty();
    table.place('alice', 'sell', 8, { stop: 90, reduceOnly: true, source: 'stopLoss', triggerBy: 'index' });
    table.place('alice', 'sell', 7, { stop: 90, reduceOnly: true, source: 'stopLoss', triggerBy: 'index' });
    stop();
    caused(90);
    const amend = (orderId: number, words: { stop?: number; size?: number }): string =>
      table.emit({
        type: 'AmendTrigger',
        account: accountOf('alice'),
        orderId: orderId as never,
        triggerPrice: ticks(words.stop ?? 0),
        price: ticks(0),
        size: lots(words.size ?? 0),
      });
    expect(amend(3, { size: 6 })).toBe('#3 amended to 6 @ market stop 90');
    expect(amend(3, { stop: 95 })).toBe('rejected InvalidTrigger triggerPrice');
    expect(amend(3, { stop: 85 })).toBe('#3 amended to 6 @ market stop 85');
    expect(table.emit(cancelOf('alice', 4))).toBe('#4 canceledByAccount');
    table.place('carol', 'buy', 50, { at: 100 });
    expect(table.place('alice', 'sell', 20)).toContain('#3 positionClosed, #5 positionClosed');
    expect(caused(80)).toBe('');
  });

  test('of a trailing stop stands at the price that reached it', () => {
    openTwenty();
    table.place('alice', 'sell', 20, { trail: 100_000, reduceOnly: true, source: 'stopLoss', triggerBy: 'index' });
    caused(120);
    expect(caused(105)).toContain('#3 waits on for 20: noLiquidity');
    table.restart();
    expect(caused(110)).toBe('#3 armed');
    table.place('carol', 'buy', 50, { at: 100 });
    expect(caused(106)).toBe('');
    expect(caused(105)).toContain('trade 20 @ 100');
  });

  test('does not meet its own account: it waits until somebody else stands there', () => {
    openTwenty();
    stop();
    table.place('alice', 'buy', 1, { at: 85 });
    expect(caused(90)).toContain('#3 waits on for 20: selfTrade');
    table.place('carol', 'buy', 50, { at: 86 });
    expect(caused(90)).toContain('trade 20 @ 86');
  });

  test('costs a round the same however many wait, and all act when there is something to take', () => {
    const many = 20;
    openTwenty();
    table.place('bob', 'sell', 400, { at: 100 });
    table.place('alice', 'buy', 400, { at: 100 });
    for (let count = 0; count < many; count += 1)
      table.place('alice', 'sell', 1, { stop: 90, reduceOnly: true, source: 'stopLoss', triggerBy: 'index' });
    for (let count = 0; count < many; count += 1)
      table.place('alice', 'sell', 1, { stop: 90, reduceOnly: true, source: 'plan', triggerBy: 'index' });
    caused(90);
    expect(openOrders()).toHaveLength(2 * many);
    round(90);
    expect(table.engine.continuation()).toBeUndefined();
    table.place('carol', 'buy', 500, { at: 90 });
    expect(round(90).match(/trade/g)).toHaveLength(TRIGGERS_PER_COMMAND);
    expect(STALLED_MISSES_PER_ROUND).toBeLessThan(2 * many);
    caused(90);
    expect([openOrders(), table.position('alice')]).toEqual([[], 420 - 2 * many]);
  });
});

describe('a pair', () => {
  const NONE: ProtectionLeg = { triggerPrice: ticks(0), triggerBy: 'last', price: ticks(0), clientOrderId: '' };
  const leg = (price: number, id = ''): ProtectionLeg =>
    price === 0 ? NONE : { triggerPrice: ticks(price), triggerBy: 'index', price: ticks(0), clientOrderId: id };
  let keys = 0;
  const set = (
    takeProfit: number,
    stopLoss: number,
    words: Partial<SetProtection> & { ids?: readonly [string, string] } = {},
  ): SetProtection => {
    const { ids: [first, second] = ['', ''], ...rest } = words;
    keys += 1;
    return {
      type: 'SetProtection',
      account: accountOf('alice'),
      market: CONTRACT.market,
      positionSide: 'both',
      scope: 'whole',
      size: lots(0),
      takeProfit: leg(takeProfit, first),
      stopLoss: leg(stopLoss, second),
      key: `k${keys}`,
      ...rest,
    };
  };
  const emit = (command: Command): string => table.emit(command);

  test('is one command: with a leg on the wrong side nothing changes', () => {
    openTwenty();
    const before = table.engine.encodeState();
    expect(emit(set(120, 105))).toBe('rejected InvalidTrigger stopLoss.triggerPrice');
    expect(emit(set(95, 90))).toBe('rejected InvalidTrigger takeProfit.triggerPrice');
    expect(emit(set(120, 90, { ids: ['a', 'a'] }))).toBe('rejected DuplicateClientOrderId clientOrderId');
    expect(Buffer.from(table.engine.encodeState()).equals(Buffer.from(before))).toBe(true);
    expect(emit(set(120, 90, { ids: ['a', 'b'] }))).toBe('accepted #3, armed, accepted #4, #4 armed, whole protected by #3 and #4');
  });

  test('takes the place of the one before, twice, names included, and the same command again changes nothing', () => {
    openTwenty();
    emit(set(120, 90, { ids: ['a', 'b'] }));
    const second = set(125, 85, { ids: ['c', 'b'] });
    expect(emit(second)).toContain('#3 replaced, #4 replaced, accepted #5');
    expect(emit(second)).toBe(`repeated ${second.key}`);
    expect(emit({ ...second, stopLoss: leg(80) })).toBe('rejected KeyConflict key');
    expect(emit(set(0, 88))).toBe('#5 replaced, #6 replaced, accepted #7, armed, whole protected by #0 and #7');
    expect(emit(set(0, 0))).toBe('#7 replaced, whole protected by #0 and #0');
    expect(openOrders()).toEqual([]);
  });

  test('of a part stands beside the one of the whole; parts are together no more than the position', () => {
    openTwenty();
    emit(set(120, 90));
    expect(emit(set(110, 95, { scope: 'part', size: lots(12) }))).toContain('part protected by #5 and #6');
    expect(emit(set(112, 94, { scope: 'part', size: lots(15) }))).toContain('#5 replaced, #6 replaced');
    expect(emit(set(112, 94, { scope: 'furtherPart', size: lots(6) }))).toBe('rejected ReduceOnlyRefused size');
    expect(emit(set(112, 94, { scope: 'furtherPart', size: lots(5) }))).toContain('furtherPart protected by #9 and #10');
    expect(emit(set(112, 94, { scope: 'part' }))).toBe('rejected InvalidCombination size');
    expect(emit(set(112, 94, { size: lots(4) }))).toBe('rejected InvalidCombination size');
    expect(openOrders()).toEqual([3, 4, 7, 8, 9, 10]);
  });

  test('loses what one of it has traded: the other stands for the rest', () => {
    openTwenty();
    emit(set(110, 95, { scope: 'part', size: lots(10) }));
    table.place('carol', 'buy', 4, { at: 111 });
    expect(caused(110)).toContain('#3 waits on for 6: noLiquidity, #4 amended to 6 @ market stop 95');
    // The price turns: the take-profit waits for it again, and the stop-loss closes what is left of the pair.
    table.place('carol', 'buy', 40, { at: 94 });
    expect(caused(95)).toContain('#4 filled, #3 groupTriggered');
    expect([table.position('alice'), openOrders()]).toEqual([10, []]);
  });

  test('keeps its stop-loss while its take-profit rests in the book with a limit', () => {
    openTwenty();
    emit({ ...set(110, 95, { scope: 'part', size: lots(10) }), takeProfit: { ...leg(110), price: ticks(112) } });
    expect(caused(110)).toBe('#3 triggered by 110, #3 rested 10');
    expect(openOrders()).toEqual([3, 4]);
    expect(table.place('carol', 'buy', 3, { at: 112 })).toContain('#4 amended to 7 @ market stop 95');
    table.place('carol', 'buy', 5, { at: 94 });
    expect(caused(95)).toContain('#4 waits on for 2: noLiquidity, #3 reduced to 2');
    table.place('carol', 'buy', 5, { at: 94 });
    expect(caused(95)).toContain('#4 filled, #3 groupTriggered');
    expect(table.position('alice')).toBe(10);
  });

  test('of the whole has its size whatever one of it has traded, and ends with it', () => {
    openTwenty();
    emit({ ...set(110, 95), takeProfit: { ...leg(110), price: ticks(112) } });
    expect(caused(110)).toContain('#3 amended to 20 @ 112 stop 110, #3 rested 20');
    table.place('carol', 'buy', 8, { at: 112 });
    // The position grows: the take-profit in the book is for the 20 that there were.
    table.place('bob', 'sell', 10, { at: 105 });
    table.place('alice', 'buy', 10, { at: 105 });
    table.place('carol', 'buy', 12, { at: 112 });
    expect([table.position('alice'), openOrders()]).toEqual([10, [4]]);
    table.place('carol', 'buy', 40, { at: 94 });
    expect(caused(95)).toContain('trade 10 @ 94');
    expect([table.position('alice'), openOrders()]).toEqual([0, []]);
  });

  test('needs a position, and rules 8', () => {
    expect(emit(set(120, 90))).toBe('rejected UnknownPosition positionSide');
    openTwenty();
    expect(emit(set(0, 90, { positionSide: 'long' }))).toBe('rejected UnknownPosition positionSide');
    expect(emit({ ...set(0, 90), key: '' })).toBe('rejected InvalidField key');
  });
});

describe('a position that becomes smaller', () => {
  test('keeps its stop in the book at its size', () => {
    openTwenty();
    table.place('alice', 'sell', 20, { stop: 90, at: 95, reduceOnly: true, source: 'stopLoss', triggerBy: 'index' });
    expect(caused(90)).toBe('#3 triggered by 90, #3 rested 20');
    table.place('carol', 'buy', 6, { at: 94 });
    expect(
      table.emit({
        ...contractOrder('alice', 'sell', 6),
        contract: { ...contractOrder('alice', 'sell', 6).contract, reduceOnly: true },
        slippagePpm: ppm(900_000),
      }),
    ).toContain('#3 reduced to 14');
  });

  test('keeps its stop in the book whatever else rests there: what was placed by itself closes first', () => {
    openTwenty();
    table.place('alice', 'sell', 20, { at: 130, reduceOnly: true });
    table.place('alice', 'sell', 20, { stop: 90, at: 95, reduceOnly: true, source: 'stopLoss', triggerBy: 'index' });
    table.place('alice', 'sell', 15, { stop: 91, at: 96, reduceOnly: true, source: 'stopLoss', triggerBy: 'index' });
    expect(caused(90)).toBe('#5 triggered by 90, #5 rested 15, #4 triggered by 90, #4 rested 20');
    expect(openOrders()).toEqual([4, 5, 3]);
    table.place('carol', 'buy', 6, { at: 94 });
    const part = { ...contractOrder('alice', 'sell', 6), slippagePpm: ppm(900_000) };
    const closed = table.emit({ ...part, contract: { ...part.contract, reduceOnly: true } });
    expect(closed).toContain('#3 reduceOnly');
    expect(closed).toContain('#5 reduced to 14, #4 reduced to 14');
    expect(table.place('carol', 'buy', 20, { at: 96 })).toContain('trade 14 @ 95 with #4');
    expect([table.position('alice'), openOrders()]).toEqual([0, []]);
  });

  test('keeps its stop when it is reversed only as far as it is closed', () => {
    openTwenty();
    stop();
    table.place('carol', 'buy', 12, { at: 100 });
    expect(table.place('alice', 'sell', 40)).not.toContain('positionClosed');
    table.place('carol', 'buy', 40, { at: 100 });
    expect(table.place('alice', 'sell', 40)).toContain('#3 positionClosed');
    expect(table.position('alice')).toBeLessThan(0);
  });
});
