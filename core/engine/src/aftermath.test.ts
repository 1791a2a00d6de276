import { describe, expect, test } from 'vitest';
import { TRIGGERS_PER_COMMAND } from '@orrery/rules';
import { accountId, lots, marketId, millis, NO_ATOMS, ppm, seq, ticks, type AccountId } from '@orrery/units';
import type { Event, PlaceOrder } from '@orrery/protocol';
import { createEngine, decodeState, type Engine } from './engine.ts';
import { addressOf } from './testing/random-commands.ts';
import { opening, play, Table } from './testing/tape.ts';

const limitOrder = (account: AccountId, terms: Partial<PlaceOrder>): PlaceOrder => ({
  type: 'PlaceOrder',
  account,
  market: marketId(1),
  clientOrderId: '',
  side: 'buy',
  orderType: 'limit',
  timeInForce: 'GTC',
  price: ticks(100),
  size: lots(1),
  funds: NO_ATOMS,
  triggerPrice: ticks(0),
  slippagePpm: ppm(0),
  selfTradePrevention: 'expireTaker',
  ...terms,
});

const [alice, bob] = [accountId(1), accountId(2)];
const triggered = (events: readonly Event[]): number[] =>
  events.flatMap((event) => (event.type === 'OrderTriggered' ? [event.orderId] : []));

/** Forty stops of bob at 110, and the trade that reaches them. */
function reached(): { table: Table; events: readonly Event[] } {
  const table = new Table({ terms: { maxOpenOrders: 500, minNotional: NO_ATOMS } });
  for (let count = 0; count < 40; count += 1)
    table.give(limitOrder(bob, { orderType: 'stopLimit', price: ticks(115), triggerPrice: ticks(110) }));
  table.give(limitOrder(alice, { side: 'sell', price: ticks(110) }));
  return { table, events: table.give(limitOrder(accountId(3), { price: ticks(110) })) };
}

describe('what one price reaches', () => {
  test('O10: triggers a bounded number of orders a command, the rest by continuations, each once and in order', () => {
    const { table, events } = reached();
    const fired = [triggered(events)];
    for (let next = table.engine.continuation(); next !== undefined; next = table.engine.continuation()) {
      expect(next).toEqual({ type: 'ContinueTriggers', market: 1 });
      fired.push(triggered(table.give(next)));
    }
    expect(fired.map((ids) => ids.length)).toEqual([TRIGGERS_PER_COMMAND, TRIGGERS_PER_COMMAND, 40 - 2 * TRIGGERS_PER_COMMAND]);
    expect(fired.flat()).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));
    expect(table.give({ type: 'ContinueTriggers', market: marketId(1) })).toEqual([]);
    table.replay();
  });

  test('may be cancelled by its account before it triggers, and is not triggered then', () => {
    const { table } = reached();
    const last = table.engine.facts().findLast((fact) => fact.type === 'OrderArmed')!;
    table.give({ type: 'CancelOrder', account: bob, orderId: last.orderId, clientOrderId: '' });
    const fired: number[] = [];
    for (let next = table.engine.continuation(); next !== undefined; next = table.engine.continuation())
      fired.push(...triggered(table.give(next)));
    expect(fired).not.toContain(last.orderId);
    expect(fired).toHaveLength(40 - TRIGGERS_PER_COMMAND - 1);
  });

  test('waits while its market is halted, and goes on when it trades again', () => {
    const { table } = reached();
    table.give({ type: 'SetMarketState', market: marketId(1), state: 'HALT' });
    expect(table.engine.continuation()).toBeUndefined();
    expect(table.give({ type: 'ContinueTriggers', market: marketId(1) })).toEqual([
      { type: 'CommandRejected', reason: 'MarketHalted', field: 'market' },
    ]);
    table.give({ type: 'SetMarketState', market: marketId(1), state: 'TRADING' });
    expect(table.engine.continuation()).toEqual({ type: 'ContinueTriggers', market: 1 });
  });

  test('refuses a stop that would have been reached, until all have triggered', () => {
    const { table } = reached();
    const late = limitOrder(alice, { orderType: 'stopLimit', price: ticks(115), triggerPrice: ticks(110) });
    expect(table.give(late)).toEqual([{ type: 'CommandRejected', reason: 'InvalidTrigger', field: 'triggerPrice' }]);
  });

  test('continues on an engine that was restored between any two commands', () => {
    const { table } = reached();
    const restored = decodeState(table.engine.encodeState());
    expect(restored.continuation()).toEqual(table.engine.continuation());
  });
});

test('a continuation of a market that is not listed, or that has nothing to continue', () => {
  const tape = `
      exchange    continue                   -> nothing
      exchange    cancel-only                -> CANCEL_ONLY
      exchange    continue                   -> rejected MarketCancelOnly market
  `;
  expect(play(tape)).toBe(tape);
  expect(new Table().give({ type: 'ContinueTriggers', market: marketId(9) })).toEqual([
    { type: 'CommandRejected', reason: 'UnknownMarket', field: 'market' },
  ]);
});

test('a hundred accounts with a thousand stops at one price: no command triggers more than its share, and all trigger', () => {
  const engine: Engine = createEngine();
  let count = 0;
  const give = (command: Parameters<Engine['apply']>[0]['command']): readonly Event[] => {
    count += 1;
    return engine.apply({ seq: seq(count), at: millis(1_000), command });
  };
  for (const command of opening({ maxOpenOrders: 1_000, minNotional: NO_ATOMS, limitBandPpm: ppm(900_000) })) give(command);
  give({ type: 'UpgradeRules', version: 2 });
  const stops = 20_000;
  for (let id = 4; id < 4 + stops / 1_000; id += 1) {
    const account = accountId(id);
    give({ type: 'OpenAccount', address: addressOf(id) });
    for (const flag of ['termsAccepted', 'whitelisted', 'connected'] as const) give({ type: 'SetAccountFlag', account, flag, value: true });
    give({ type: 'CreditDeposit', key: `d${id}`, address: addressOf(id), asset: 1 as never, amount: 1_000_000n as never });
    give({ type: 'Transfer', account, transferId: 't', asset: 1 as never, amount: 1_000_000n as never, from: 'funding', to: 'spot' });
    for (let rest = 1_000; rest > 0; rest -= 1)
      expect(give(limitOrder(account, { orderType: 'stopLimit', price: ticks(105), triggerPrice: ticks(101 + (rest % 5)) }))[1]?.type).toBe(
        'OrderArmed',
      );
  }
  give(limitOrder(alice, { side: 'sell', price: ticks(105) }));
  const fired = triggered(give(limitOrder(bob, { price: ticks(105) })));
  let commands = 1;
  for (let next = engine.continuation(); next !== undefined; next = engine.continuation()) {
    const some = triggered(give(next));
    expect(some.length).toBeLessThanOrEqual(TRIGGERS_PER_COMMAND);
    fired.push(...some);
    commands += 1;
  }
  expect(fired).toHaveLength(stops);
  expect(new Set(fired).size).toBe(stops);
  expect(commands).toBe(stops / TRIGGERS_PER_COMMAND + 1);
});
