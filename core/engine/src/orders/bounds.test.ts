import { expect, test } from 'vitest';
import type { Command, PlaceOrder } from '@orrery/protocol';
import { lots, marketId, millis, NO_ATOMS, ppm, seq, ticks } from '@orrery/units';
import { createEngine, decodeState, type Engine } from '../engine.ts';
import { opening } from '../testing/tape.ts';
import { accountOf } from '../testing/tape-people.ts';

const alice = accountOf('alice');

function seated(terms: Parameters<typeof opening>[0]): { engine: Engine; give: (command: Command) => ReturnType<Engine['apply']> } {
  const engine = createEngine();
  let given = 0;
  const give = (command: Command) => {
    given += 1;
    return engine.apply({ seq: seq(given), at: millis(1_000), command });
  };
  for (const command of opening(terms)) give(command);
  return { engine, give };
}

const order = (clientOrderId: string): PlaceOrder => ({
  type: 'PlaceOrder',
  account: alice,
  market: marketId(1),
  clientOrderId,
  side: 'buy',
  orderType: 'limit',
  timeInForce: 'GTC',
  price: ticks(50),
  size: lots(1),
  funds: NO_ATOMS,
  triggerPrice: ticks(0),
  slippagePpm: ppm(0),
  selfTradePrevention: 'expireTaker',
});

test('an account has at most 1,000 open orders over all markets', () => {
  const { give } = seated({ maxOpenOrders: 5_000 });
  for (let count = 0; count < 1_000; count += 1) expect(give(order(''))[1]?.type).toBe('OrderRested');
  const figures = { unit: 'count', id: 0, asked: 1_001n, limit: 1_000n };
  expect(give(order(''))).toEqual([{ type: 'CommandRejected', reason: 'TooManyOpenOrders', field: '', figures }]);
  expect(give({ type: 'CancelAllOrders', account: alice, market: 0 })).toHaveLength(1_001);
  expect(give(order(''))[1]?.type).toBe('OrderRested');
});

test('O7, R3: the last 1,024 closed orders of an account are known by their names', () => {
  const { give } = seated({});
  for (let count = 0; count < 1_025; count += 1) {
    give(order(`n${count}`));
    give({ type: 'CancelOrder', account: alice, orderId: 0, clientOrderId: `n${count}` });
  }
  expect(give(order('n1'))[0]?.type).toBe('OrderRepeated');
  expect(give(order('n0'))[0]?.type).toBe('OrderAccepted');
});

test('O7, R3: a name that is used again and again takes the place of one closed order, that of its last closing', () => {
  const { engine, give } = seated({});
  const close = (clientOrderId: string, size: number): void => {
    expect(give({ ...order(clientOrderId), size: lots(size) })[0]?.type).toBe('OrderAccepted');
    give({ type: 'CancelOrder', account: alice, orderId: 0, clientOrderId });
  };
  close('first', 1);
  for (let count = 0; count < 5_000; count += 1) close('again', 1 + (count % 2));
  for (let count = 0; count < 1_022; count += 1) close(`n${count}`, 1);
  expect(give(order('first'))[0]?.type).toBe('OrderRepeated');
  expect(decodeState(engine.encodeState()).encodeState()).toEqual(engine.encodeState());
  close('one-more', 1);
  expect(give(order('first'))[0]?.type).toBe('OrderAccepted');
  expect(give({ ...order('again'), size: lots(2) })[0]?.type).toBe('OrderRepeated');
});

test('one command expires at most 1,000 orders; the next goes on', () => {
  const { engine, give } = seated({ maxOpenOrders: 5_000 });
  for (let count = 0; count < 1_000; count += 1) give(order(''));
  give({ ...order(''), account: accountOf('bob') });
  const late = { seq: seq(9_999), at: millis(1_000 + 90 * 24 * 3_600_000), command: { type: 'ExpireOrders' } } as const;
  expect(engine.apply(late).filter(({ type }) => type === 'OrderClosed')).toHaveLength(1_000);
  expect(engine.apply(late).filter(({ type }) => type === 'OrderClosed')).toHaveLength(1);
  expect(engine.apply(late)).toHaveLength(0);
});
