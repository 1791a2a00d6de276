import { beforeEach, describe, expect, test } from 'vitest';
import { atoms, lots } from '@orrery/units';
import { CONTRACT, TriggerTable } from '../testing/trigger-table.ts';
import { accountOf } from '../testing/tape-people.ts';

/** 100 lots over 20 slices: 5 every 30 seconds. */
const terms = {
  type: 'PlaceTwap',
  account: accountOf('alice'),
  market: CONTRACT.market,
  key: 't',
  side: 'buy',
  positionSide: 'both',
  size: lots(100),
  minutes: 10,
  reduceOnly: false,
  seed: 0,
} as const;

let table: TriggerTable;
beforeEach(() => void (table = new TriggerTable()));

const run = (): string => table.emit({ type: 'RunTimers' });
const waits = (seconds: number): void => void (table.at += seconds * 1_000);

describe('a TWAP order never catches up', () => {
  test('after eight minutes away one slice acts with one more, and not sixteen: the rest ends unfilled', () => {
    table.place('bob', 'sell', 500, { at: 100 });
    expect(table.emit(terms)).toBe('TwapAccepted');
    run();
    expect(table.position('alice')).toBe(5);
    waits(480);
    run();
    expect([table.position('alice'), table.engine.continuation(), run()]).toEqual([15, undefined, 'nothing']);
    // Three are left: 17, 18 and 19.
    const rest = [30, 30, 30].map((seconds) => {
      waits(seconds);
      return run();
    });
    expect(rest.at(-1)).toContain('TWAP completed 30');
    expect(table.position('alice')).toBe(30);
  });

  test('what a slice leaves the next one makes up, and of several no more than one', () => {
    table.emit(terms);
    for (let slice = 0; slice < 4; slice += 1) {
      run();
      waits(30);
    }
    expect(table.position('alice')).toBe(0);
    table.place('bob', 'sell', 500, { at: 100 });
    const filled = [0, 1].map(() => {
      run();
      waits(30);
      return table.position('alice');
    });
    expect(filled).toEqual([10, 15]);
  });

  test('R1: what it makes up is part of the state', () => {
    table.emit(terms);
    run();
    table.restart();
    table.place('bob', 'sell', 500, { at: 100 });
    waits(30);
    run();
    expect(table.position('alice')).toBe(10);
  });

  test('X1: a slice that opens does not act while its contract is not open', () => {
    table.place('bob', 'sell', 500, { at: 100 });
    table.emit(terms);
    table.give({ type: 'SetMarketState', market: CONTRACT.market, state: 'HALT' });
    table.apply({ type: 'SetMarketState', market: CONTRACT.market, state: 'TRADING' });
    expect(table.apply({ type: 'RunTimers' }).filter(({ type }) => type === 'Trade')).toEqual([]);
    waits(30);
    run();
    expect(table.position('alice')).toBe(10);
  });
});

test.each([
  // 100 lots are worth 10,000: a slice of 5 is worth 500.
  ['below the least size', { minSize: lots(6) }, 'rejected InvalidSize size'],
  ['worth less than an order must be', { minNotional: atoms(501n) }, 'rejected InvalidNotional size'],
  ['worth as much', { minNotional: atoms(500n) }, 'TwapAccepted'],
  ['worth more than an order may be', { maxNotional: atoms(499n) }, 'rejected InvalidNotional size'],
])('a TWAP order whose slices are %s', (_what, contract, said) => {
  expect(new TriggerTable(contract).emit(terms)).toBe(said);
});

test('a TWAP order of random slices is asked for with its least one in mind, which is two fifths smaller', () => {
  expect(new TriggerTable({ minNotional: atoms(300n) }).emit({ ...terms, seed: 7 })).toBe('TwapAccepted');
  expect(new TriggerTable({ minNotional: atoms(301n) }).emit({ ...terms, seed: 7 })).toBe('rejected InvalidNotional size');
});
