import { describe, expect, test } from 'vitest';
import { orderId } from '@orrery/units';
import type { Command, Event, PlaceOrder, PlaceOrders } from '@orrery/protocol';
import { Table } from '../testing/tape.ts';
import { parseCommand } from '../testing/tape-command.ts';
import { printEvents } from '../testing/tape-events.ts';
import { accountOf } from '../testing/tape-people.ts';
import { contractOrder, TriggerTable, type Words } from '../testing/trigger-table.ts';

const alice = accountOf('alice');
const spotOrder = (words: string): PlaceOrder => parseCommand('alice', words.split(' ')) as PlaceOrder;
const together = (...orders: PlaceOrders['orders']): PlaceOrders => ({ type: 'PlaceOrders', account: alice, orders });
const cancel = (...ids: number[]): Command => ({ type: 'CancelOrders', account: alice, orderIds: ids.map(orderId) });

describe('orders of spot that are placed together', () => {
  // The table checks that a refused command leaves the bytes of the state as they were.
  const placed = (table: Table, ...words: string[]): string => printEvents(table.give(together(...words.map(spotOrder))));

  test('are all taken, each with what those before it have bound', () => {
    const table = new Table();
    expect(placed(table, 'buy 5 @ 100 gtx id a', 'buy 5 @ 120 stop 119', 'sell 5 @ 102')).toBe(
      'accepted #1, rested 5, accepted #2, #2 armed, accepted #3, #3 rested 5',
    );
    expect(placed(table, 'sell 5 @ 103 gtx', 'sell 5 @ market')).toBe('accepted #4, rested 5, accepted #5, #5 selfTrade');
    table.replay();
  });

  test('are none when one is refused: names, ids, holds and triggers are as they were', () => {
    const table = new Table();
    const stops = ['buy 5 @ 100 gtx id a', 'sell 5 @ 90 stop 91 id b'];
    expect(placed(table, ...stops, 'buy 501 @ 99')).toBe('rejected InvalidSize 2.size');
    expect(placed(table, ...stops, 'buy 390 @ 100 gtx', 'buy 390 @ 100 gtx', 'buy 390 @ 100')).toBe('rejected InsufficientBalance 4');
    expect(placed(table, ...stops, 'buy 5 @ 99 id a')).toBe('rejected DuplicateClientOrderId 2.clientOrderId');
    expect(table.line('book ')).toContain('|');
    expect(placed(table, ...stops)).toBe('accepted #1, rested 5, accepted #2, #2 armed');
    table.give(parseCommand('alice', ['cancel', 'a']));
    // A name that is remembered is so afterwards.
    expect(placed(table, 'buy 6 @ 100 gtx id a', 'buy 501 @ 99')).toBe('rejected InvalidSize 1.size');
    expect(printEvents(table.give(spotOrder('buy 5 @ 100 gtx id a')))).toBe('repeated #1');
    table.replay();
  });

  test('take nothing but by the last one', () => {
    const table = new Table();
    table.give(parseCommand('bob', 'sell 5 @ 100'.split(' ')));
    expect(placed(table, 'buy 5 @ 100', 'buy 5 @ 90')).toBe('rejected InvalidCombination 0.timeInForce');
    expect(placed(table, 'buy 5 @ 100 gtx', 'buy 5 @ 90')).toBe('rejected PostOnlyWouldTake 0.timeInForce');
    expect(placed(table, 'buy 5 @ 90 gtx', 'buy 5 @ 100')).toBe(
      'accepted #2, rested 5, accepted #3, trade 5 @ 100 with #1 by #3, #1 filled, #3 filled',
    );
  });

  test('come twice and are placed once', () => {
    const table = new Table();
    const orders = ['buy 5 @ 100 gtx id a', 'sell 5 @ 110 id b'];
    placed(table, ...orders);
    expect(placed(table, ...orders)).toBe('repeated #1, repeated #2');
  });

  test.each<[string, PlaceOrders, string]>([
    ['without any', together(), 'rejected InvalidField orders'],
    ['of somebody else', together({ ...spotOrder('buy 5 @ 100'), account: accountOf('bob') }), 'rejected InvalidField account'],
    ['more than a hundred', together(...Array.from({ length: 101 }, () => spotOrder('buy 1 @ 100 gtx'))), 'rejected InvalidField orders'],
  ])('are refused %s', (_name, command, answer) => {
    expect(printEvents(new Table().give(command))).toBe(answer);
    expect(printEvents(new Table({ rules: 7 }).give(command))).toBe('rejected RulesTooOld');
  });
});

test('orders that are cancelled together are all cancelled, or none is', () => {
  const table = new Table();
  table.give(together(spotOrder('buy 5 @ 100 gtx'), spotOrder('buy 5 @ 99 gtx'), spotOrder('buy 5 @ 98 gtx')));
  table.give(parseCommand('bob', 'buy 5 @ 97'.split(' ')));
  const went = (command: Command): string => printEvents(table.give(command));
  expect(went(cancel(1, 4))).toBe('rejected UnknownOrder 1');
  expect(went(cancel(1, 1))).toBe('rejected InvalidField orderIds');
  expect(went(cancel())).toBe('rejected InvalidField orderIds');
  expect(went(cancel(3, 1))).toBe('#3 canceledByAccount, #1 canceledByAccount');
  table.give(parseCommand('exchange', ['halt']));
  expect(went(cancel(2))).toBe('rejected MarketHalted 0');
});

describe('orders of a contract that are placed together', () => {
  const emitted = (table: TriggerTable, ...orders: (readonly [side: 'buy' | 'sell', size: number, words: Words])[]): string =>
    table.emit(together(...orders.map(([side, size, words]) => ({ ...contractOrder('alice', side, size, words), ...post(words) }))));
  const post = ({ at, stop }: Words): { timeInForce?: 'GTX' } => (at !== undefined && stop === undefined ? { timeInForce: 'GTX' } : {});

  test('are all taken or none, and leave no trace then; only the last one may trail', () => {
    const table = new TriggerTable();
    table.place('bob', 'sell', 10, { at: 100 });
    table.place('alice', 'buy', 10, { at: 100 });
    const before = table.engine.encodeState();
    const legs = [
      ['sell', 4, { at: 110, reduceOnly: true, id: 'limit' }],
      ['sell', 4, { stop: 90, reduceOnly: true, source: 'stopLoss' }],
      ['sell', 4, { stop: 120, reduceOnly: true, source: 'takeProfit' }],
    ] as const;
    const trailing = ['sell', 4, { trail: 50_000, reduceOnly: true, source: 'stopLoss' }] as const;
    expect(emitted(table, trailing, ...legs)).toBe('rejected InvalidCombination 0.trailingPpm');
    expect(emitted(table, ...legs, ['buy', 501, { at: 95 }])).toBe('rejected InvalidSize 3.size');
    expect(Buffer.from(table.engine.encodeState()).equals(Buffer.from(before))).toBe(true);
    expect(emitted(table, ...legs, trailing)).toContain('accepted #3, rested 4');
    const after: readonly Event[] = table.engine.facts();
    expect(after.filter(({ type }) => type === 'OrderArmed')).toHaveLength(3);
    table.restart();
  });
});
