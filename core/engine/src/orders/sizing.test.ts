import { describe, expect, test, vi } from 'vitest';
import { atoms, lots } from '@orrery/units';
import type { Command, Event, OrderSizing, PlaceContractOrder, PlaceOrder, Side } from '@orrery/protocol';
import { ContractScene, usdc } from '../testing/contract-scene.ts';
import { Table } from '../testing/tape.ts';
import { parseCommand } from '../testing/tape-command.ts';
import { printEvents } from '../testing/tape-events.ts';
import { MatchPlan } from './match-plan.ts';

const START = 600_000;

interface Seats {
  readonly scene: ContractScene;
  readonly alice: ReturnType<ContractScene['person']>;
  readonly bob: ReturnType<ContractScene['person']>;
}

/** Alice has 1,000 USDC and bob is rich; the mark is 60,000, the leverage 10. A lot is worth 0.60 USDC. */
function seats(terms: ConstructorParameters<typeof ContractScene>[0] = {}): Seats {
  const scene = new ContractScene(terms);
  const alice = scene.person('alice', usdc(1_000));
  const bob = scene.person('bob', usdc(10_000_000));
  for (let round = 0; round < 3; round += 1) scene.prices(START);
  return { scene, alice, bob };
}

const meaning = (order: PlaceContractOrder, sizing: OrderSizing, words: Partial<PlaceContractOrder> = {}): PlaceContractOrder => ({
  ...order,
  sizing,
  ...words,
});

/** The size that was accepted, or why none was. */
function answer(events: readonly Event[]): number | string {
  const [first] = events;
  if (first?.type === 'OrderAccepted') return first.size;
  return first?.type === 'CommandRejected' ? `${first.reason} ${first.field}`.trim() : String(first?.type);
}

describe('an order for the most', () => {
  const most = ({ scene, alice }: Seats, side: Side, size: number, price = 0): Command =>
    meaning(scene.order(alice, side, size, price), 'most');

  test('has its bound where there is money for it, and otherwise the largest size that there is money for', () => {
    const here = seats();
    const { scene, alice, bob } = here;
    scene.must(scene.order(bob, 'sell', 1_000_000, START));
    expect(answer(scene.give(scene.order(alice, 'buy', 16_667, 0)))).toBe('InsufficientMargin');
    // 1,000 / (600 × (1 / 10 + 0.0005)) = 16,583.7 lots.
    expect(answer(scene.give(scene.order(alice, 'buy', 16_584, 0)))).toBe('InsufficientMargin');
    const taken = scene.give(most(here, 'buy', 16_667));
    expect(answer(taken)).toBe(16_583);
    expect(scene.position(alice)?.size).toBe(16_583);
    scene.replay();
    scene.restart();
    scene.must({ type: 'CancelAllOrders', account: bob, market: 0 });
    scene.must(scene.order(bob, 'buy', 1_000_000, START));
    expect(answer(scene.give(most(here, 'sell', 5_000)))).toBe(5_000);
  });

  test('closes first, and opens the other way with what is free then', () => {
    const here = seats();
    const { scene, alice, bob } = here;
    scene.trade(alice, bob, 10_000, START);
    scene.must(scene.order(bob, 'buy', 1_000_000, START));
    const taken = answer(scene.give(most(here, 'sell', 40_000)));
    expect(taken).toBeGreaterThan(26_000);
    expect(scene.position(alice)?.size).toBe(10_000 - Number(taken));
    scene.replay();
  });

  test('that would be below the least order is refused for what is missing', () => {
    const here = seats({ minSize: lots(1_000) });
    const { scene, alice, bob } = here;
    scene.trade(alice, bob, 16_000, START);
    scene.must(scene.order(bob, 'sell', 1_000_000, START));
    expect(answer(scene.give(most(here, 'buy', 2_000)))).toBe('InsufficientMargin');
    expect(answer(scene.give(most(here, 'buy', 999)))).toBe('InvalidSize size');
  });

  test('is no larger than one order, a position and the open interest may be', () => {
    const open = (terms: ConstructorParameters<typeof ContractScene>[0]): number | string => {
      const { scene, bob } = seats(terms);
      const rich = scene.person('carol', usdc(100_000_000));
      for (let count = 0; count < 20; count += 1) scene.give(scene.order(bob, 'sell', 100_000, START));
      return answer(scene.give(meaning(scene.order(rich, 'buy', 800_000, START), 'most')));
    };
    expect(open({ maxSize: lots(500_000) })).toBe(500_000);
    expect(open({ maxNotional: usdc(300_000) })).toBe(500_000);
    expect(open({ openInterestCap: lots(400_000) })).toBe(400_000);
    expect(
      open({
        tiers: [
          { maxNotional: usdc(60_000), maxLeverage: 40 },
          { maxNotional: usdc(90_000), maxLeverage: 5 },
        ],
      }),
    ).toBe(100_000);
  });

  test('of an order that rests counts what it will lose against the mark at its limit', () => {
    const here = seats();
    const { scene, alice } = here;
    const size = Number(answer(scene.give(most(here, 'buy', 40_000, START + 6_000))));
    expect(size).toBeLessThan(16_000);
    scene.must({ type: 'CancelAllOrders', account: alice, market: 0 });
    expect(answer(scene.give(scene.order(alice, 'buy', size + 1, START + 6_000)))).toBe('InsufficientMargin');
    expect(answer(scene.give(scene.order(alice, 'buy', size, START + 6_000)))).toBe(size);
  });

  test('of much more than there is money for looks at no more of the book than what it can have', () => {
    const { scene, alice, bob } = seats({ maxOpenOrders: 1_000 });
    for (let count = 0; count < 600; count += 1) scene.must(scene.order(bob, 'sell', 100, START + count));
    const planned = vi.spyOn(MatchPlan.prototype, 'trade');
    const steps = (order: PlaceContractOrder): number => {
      planned.mockClear();
      scene.give(order);
      return planned.mock.calls.length;
    };
    scene.must(scene.transfer(alice, 'out', usdc(990)));
    // The whole once, and a few more for the lots that 10 USDC pay.
    expect(steps(meaning(scene.order(alice, 'buy', 16_000_000, 0), 'most'))).toBeLessThan(550);
    expect(scene.position(alice)?.size).toBe(165);
    planned.mockRestore();
    scene.replay();
  });

  test('sent again under its name is the same order, after a restart too, and a stop cannot be one', () => {
    const here = seats();
    const { scene, alice } = here;
    const order = meaning(scene.order(alice, 'buy', 20_000, START), 'most', { clientOrderId: 'max' });
    expect(answer(scene.give(order))).toBeLessThan(16_584);
    expect(answer(scene.give(order))).toBe('OrderRepeated');
    scene.restart();
    expect(answer(scene.give(order))).toBe('OrderRepeated');
    const stop = { orderType: 'stopMarket', timeInForce: 'IOC', triggerPrice: scene.order(alice, 'buy', 1, START + 1).price } as const;
    expect(answer(scene.give(meaning(scene.order(alice, 'buy', 100, 0), 'most', stop)))).toBe('InvalidCombination sizing');
  });

  test('of spot has what is free, by size and by funds, waiting too', () => {
    const table = new Table();
    const give = (words: string, who = 'alice'): readonly Event[] => {
      const events = table.give({ ...(parseCommand(who, words.split(' ')) as PlaceOrder), sizing: 'most' });
      const [first] = events;
      if (first?.type === 'OrderAccepted')
        table.give({ type: 'CancelOrder', account: first.account, orderId: first.orderId, clientOrderId: '' });
      return events;
    };
    // An order may be worth 40,000.
    expect(answer(give('buy 490 @ 300'))).toBe(133);
    // Of 100,000 of quote she keeps 29,800.
    for (let count = 0; count < 2; count += 1) table.give(parseCommand('alice', 'buy 390 @ 90'.split(' ')));
    expect(printEvents(table.give(parseCommand('alice', 'buy 100 @ 300'.split(' '))))).toBe('rejected InsufficientBalance');
    expect(answer(give('buy 490 @ 300'))).toBe(99);
    expect(answer(give('buy 490 @ 250 stop 240'))).toBe(119);
    table.give(parseCommand('bob', 'sell 399 @ 100'.split(' ')));
    const byFunds = { ...(parseCommand('alice', 'buy 1 @ market'.split(' ')) as PlaceOrder), size: lots(0), funds: atoms(30_000n) };
    expect(printEvents(table.give(byFunds))).toBe('rejected InsufficientBalance');
    expect(printEvents(table.give({ ...byFunds, sizing: 'most' }))).toContain('trade 298 @ 100');
    expect(
      printEvents(new Table({ rules: 7 }).give({ ...(parseCommand('alice', 'buy 5 @ 100'.split(' ')) as PlaceOrder), sizing: 'most' })),
    ).toBe('rejected RulesTooOld');
  });

  test('of spot that trails is worth what it is where it begins to follow', () => {
    const table = new Table();
    const most = (words: string): Command => ({ ...(parseCommand('alice', words.split(' ')) as PlaceOrder), sizing: 'most' });
    table.give(parseCommand('carol', 'sell 1 @ 100'.split(' ')));
    table.give(parseCommand('bob', 'buy 1 @ 100'.split(' ')));
    // An order may be worth 40,000.
    expect(answer(table.give(most('sell 500 @ market trail 10000')))).toBe(400);
    expect(answer(table.give(most('sell 500 @ market trail 10000 activation 125')))).toBe(320);
    expect(answer(table.give(most('buy 500 @ market trail 10000 activation 80')))).toBe(500);
    table.replay();
  });
});

describe('an order that reverses', () => {
  const reverse = ({ scene, alice }: Seats, side: Side, words: Partial<PlaceContractOrder> = {}): Command =>
    meaning(scene.order(alice, side, 0, 0), 'reverse', words);

  test('has twice the size that the position has then', () => {
    const here = seats();
    const { scene, alice, bob } = here;
    scene.trade(alice, bob, 5_000, START);
    scene.must(scene.order(bob, 'buy', 100_000, START));
    // Another tab closes a part.
    scene.must(scene.order(alice, 'sell', 2_000, 0));
    expect(answer(scene.give(reverse(here, 'sell', { clientOrderId: 'turn' })))).toBe(6_000);
    expect(scene.position(alice)?.size).toBe(-3_000);
    expect(answer(scene.give(reverse(here, 'sell', { clientOrderId: 'turn' })))).toBe('OrderRepeated');
    expect(answer(scene.give(reverse(here, 'sell')))).toBe('UnknownPosition side');
    expect(scene.position(alice)?.size).toBe(-3_000);
    scene.replay();
  });

  test('is refused whole where there is no margin for what it would open, and then nothing is closed', () => {
    const here = seats();
    const { scene, alice, bob } = here;
    scene.trade(alice, bob, 16_000, START);
    // What it loses leaves less than the same position needs the other way.
    scene.walk(START, START - 12_000, 3_000);
    scene.must(scene.order(bob, 'buy', 100_000, START - 12_000));
    expect(answer(scene.give(reverse(here, 'sell')))).toBe('InsufficientMargin');
    expect(scene.position(alice)?.size).toBe(16_000);
  });

  test('is a market order of a plain kind, against a position of one-way mode', () => {
    const here = seats();
    const { scene, alice, bob } = here;
    scene.trade(alice, bob, 5_000, START);
    scene.must(scene.order(bob, 'buy', 100_000, START));
    const order = scene.order(alice, 'sell', 0, 0);
    for (const words of [
      { size: lots(1) },
      { contract: { ...order.contract, reduceOnly: true } },
      { contract: { ...order.contract, closePosition: true } },
      { contract: { ...order.contract, positionSide: 'long' } },
      { contract: { ...order.contract, source: 'plan' } },
      { orderType: 'limit', price: scene.order(alice, 'sell', 1, START).price },
    ] as const)
      expect(answer(scene.give(meaning(order, 'reverse', words)))).toBe('InvalidCombination sizing');
    expect(answer(scene.give({ ...meaning(order, 'reverse'), market: scene.order(alice, 'buy', 1, 1).market }))).toBe(10_000);
  });
});

test('what closes a whole position is as large as one order may be, whatever went meanwhile', () => {
  const { scene, alice, bob } = seats({ maxSize: lots(6_000) });
  for (const size of [6_000, 4_000]) scene.trade(alice, bob, size, START);
  for (let count = 0; count < 4; count += 1) scene.must(scene.order(bob, 'buy', 6_000, START));
  const order = scene.order(alice, 'sell', 0, 0);
  const close = { ...order, contract: { ...order.contract, reduceOnly: true, closePosition: true } };
  expect(answer(scene.give(close))).toBe(6_000);
  scene.must(scene.order(alice, 'sell', 1_000, 0));
  expect(answer(scene.give(close))).toBe(3_000);
  expect(answer(scene.give(close))).toBe('ReduceOnlyRefused reduceOnly');
});
