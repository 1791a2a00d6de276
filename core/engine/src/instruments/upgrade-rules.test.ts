import { describe, expect, test } from 'vitest';
import { LATEST_RULES } from '@orrery/rules';
import { createEngine, decodeState, type Engine } from '../engine.ts';
import { decodeSnapshot } from '../snapshot/snapshot-codec.ts';
import { play, Table } from '../testing/tape.ts';

describe('UpgradeRules', () => {
  test('switches the reference price of the bands from the last price to one that the index clamps', () => {
    const tape = `
      exchange    index 100                  -> IndexPriceSet
      alice       sell 1 @ 110               -> accepted #1, rested 1
      bob         buy 1 @ 110                -> accepted #2, trade 1 @ 110 with #1, #1 filled, filled
      bob         buy 1 @ 121                -> accepted #3, rested 1
      exchange    upgrade 2                  -> RulesUpgraded
      exchange    index 100                  -> IndexPriceSet
      bob         buy 1 @ 116                -> rejected PriceOutOfBand price
      bob         buy 1 @ 115                -> accepted #4, rested 1
    `;
    expect(play(tape, { rules: 1 })).toBe(tape);
  });

  test('is idempotent, never goes back, and refuses a version that is not known', () => {
    const tape = `
      exchange    upgrade 3                  -> rejected InvalidField version
      exchange    upgrade 11                 -> rejected InvalidField version
      exchange    upgrade 0                  -> rejected InvalidField version
      exchange    upgrade 1                  -> repeated rules 1
      exchange    upgrade 2                  -> RulesUpgraded
      exchange    upgrade 2                  -> repeated rules 2
      exchange    upgrade 1                  -> repeated rules 1
    `;
    expect(play(tape, { rules: 1 })).toBe(tape);
  });

  test('to rules 4 goes on with the slow average of rules 2', () => {
    const average = (engine: Engine) => decodeSnapshot(engine.encodeState()).markets.map((market) => [market.average, market.averageAt]);
    const table = new Table({ rules: 2 });
    table.line('exchange index 100 -> ');
    table.line('clock 100');
    table.line('alice sell 1 @ 104 -> ');
    table.line('bob buy 1 @ 104 -> ');
    const before = average(table.engine);
    table.line('clock 100');
    table.line('exchange upgrade 4 -> ');
    expect(average(table.engine)).toEqual(before);
    expect(before).not.toEqual([[100_000_000, 1_000_000]]);
  });

  test('ends the layouts that have no place for what the new rules keep', () => {
    const before = new Table({ rules: 1 }).engine;
    expect(before.stateLayouts()).toEqual([3, 2, 1]);
    for (const layout of [2, 1]) expect(decodeState(before.encodeState(layout)).encodeState()).toEqual(before.encodeState());
    const between = new Table({ rules: 2 }).engine;
    expect(between.stateLayouts()).toEqual([3, 2]);
    expect(decodeState(between.encodeState(2)).encodeState()).toEqual(between.encodeState());
    expect(new Table({ rules: 6 }).engine.stateLayouts()).toEqual([4]);
    const after = new Table({ rules: LATEST_RULES }).engine;
    expect(after.stateLayouts()).toEqual([10]);
    expect(new Table({ rules: 9 }).engine.stateLayouts()).toEqual([8]);
    expect(new Table({ rules: 8 }).engine.stateLayouts()).toEqual([6]);
    expect(new Table({ rules: 7 }).engine.stateLayouts()).toEqual([5]);
    for (const layout of [9, 8, 7, 6, 5, 4, 3, 2, 1])
      expect(() => after.encodeState(layout)).toThrow(`the state can be written in layout ${layout}`);
    expect(createEngine().stateLayouts()).toEqual([3, 2, 1]);
  });
});

test('two accounts of one person that trade with each other do not lift the price out of the band of the index, nor trigger stops there', () => {
  const tape = `
      exchange    index 100                  -> IndexPriceSet
      carol       buy 1 @ 117 stop 116       -> accepted #1, armed
      alice       sell 1 @ 110               -> accepted #2, rested 1
      bob         buy 1 @ 110                -> accepted #3, trade 1 @ 110 with #2, #2 filled, filled
      alice       sell 1 @ 115               -> accepted #4, rested 1
      bob         buy 1 @ 115                -> accepted #5, trade 1 @ 115 with #4, #4 filled, filled
      alice       sell 1 @ 116               -> accepted #6, rested 1
      bob         buy 1 @ 116                -> rejected PriceOutOfBand price
  `;
  expect(play(tape)).toBe(tape);
});
