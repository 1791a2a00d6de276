import { describe, expect, test, vi } from 'vitest';
import type * as Rules from '@orrery/rules';
import type { Sequenced } from '@orrery/protocol';
import { atoms, lots, ticks } from '@orrery/units';
import { createEngine } from '../engine.ts';
import { NaiveExchange } from './naive-exchange.ts';
import { RandomCommands } from './random-commands.ts';
import { compareOn, compareOne, shrink } from './twins.ts';

type RuleName = 'feeOn' | 'worstPrice' | 'holdOf' | 'affordableSize' | 'limitOutOfBand' | 'referencePrice' | 'recordTrade' | 'countsToward';

const planted = vi.hoisted(() => ({ fault: undefined as string | undefined }));

vi.mock(import('@orrery/rules'), async (original) => {
  const rules = await original();
  const faults: Pick<typeof Rules, RuleName> = {
    feeOn: (received, rate) => atoms((received * BigInt(rate)) / 1_000_000n),
    worstPrice: (order, best, reference, market) =>
      ticks(rules.worstPrice(order, best, reference, market) + (order.side === 'buy' ? 1 : 0)),
    holdOf: (order, remaining, market) => atoms(rules.holdOf(order, remaining, market) + (order.side === 'buy' ? 1n : 0n)),
    affordableSize: (funds, price, wanted, market) => lots(Math.max(1, rules.affordableSize(funds, price, wanted, market))),
    limitOutOfBand: () => false,
    referencePrice: (_rules, prices, market, at) => rules.referencePrice(1, prices, market, at),
    recordTrade: (_rules, prices, price, at) => rules.recordTrade(1, prices, price, at),
    countsToward: (minute, at) => rules.countsToward(minute, at, 0),
  };
  const names = Object.keys(faults) as RuleName[];
  const switched = names.map((name) => {
    const sound = rules[name] as (...args: never[]) => unknown;
    const faulty = faults[name] as (...args: never[]) => unknown;
    return [name, (...args: never[]): unknown => (planted.fault === name ? faulty(...args) : sound(...args))];
  });
  return { ...rules, ...Object.fromEntries(switched) };
});

/** Up to `length` commands, until a difference. */
function differsOn(seed: number, length: number): readonly Sequenced[] | undefined {
  const random = new RandomCommands(seed);
  const [engine, naive] = [createEngine(), new NaiveExchange()];
  const history: Sequenced[] = [];
  for (let index = 0; index < length; index += 1) {
    const command = random.next();
    history.push(command);
    if (compareOne(engine, naive, command, index) !== undefined) return history;
    random.follow(command, naive.events);
  }
  return undefined;
}

describe('a fault planted in the rules of the engine is found by its naive twin', () => {
  test.each([
    'feeOn',
    'worstPrice',
    'holdOf',
    'affordableSize',
    'limitOutOfBand',
    'referencePrice',
    'recordTrade',
    'countsToward',
  ] satisfies RuleName[])('%s', (name) => {
    planted.fault = name;
    const histories = Array.from({ length: 10 }, (_, seed) => differsOn(seed, 1_000));
    planted.fault = undefined;
    expect(histories.some((history) => history !== undefined)).toBe(true);
  });

  test('without a fault there is no difference', () => {
    expect(differsOn(1, 1_000)).toBeUndefined();
  });

  test('the difference is shrunk to the few commands that make it', () => {
    planted.fault = 'feeOn';
    const history = differsOn(1, 2_000);
    const fewest = shrink(history ?? [], createEngine);
    const difference = compareOn(createEngine(), fewest);
    planted.fault = undefined;
    expect(difference?.engine).toContain('Trade');
    expect(fewest.length).toBeLessThan(30);
  });
});
