import { describe, expect, test } from 'vitest';
import { DecodeError, type Command, type Event } from '@orrery/protocol';
import { millis, seq } from '@orrery/units';
import { createEngine, decodeState } from '../engine.ts';
import { NaiveExchange } from '../testing/naive-exchange.ts';
import { RandomCommands } from '../testing/random-commands.ts';
import { opening } from '../testing/tape.ts';
import { parseCommand } from '../testing/tape-command.ts';

function afterCommands(seed: number, count: number): { engine: ReturnType<typeof createEngine>; naive: NaiveExchange } {
  const random = new RandomCommands(seed);
  const engine = createEngine();
  const naive = new NaiveExchange();
  for (let index = 0; index < count; index += 1) {
    const command = random.next();
    random.follow(command, engine.apply(command));
    naive.apply(command);
  }
  return { engine, naive };
}

describe('the facts of a state', () => {
  test('tell what another exchange knows from the whole history', () => {
    const { engine, naive } = afterCommands(7, 3_000);
    const facts = engine.facts();
    const of = <Type extends Event['type']>(type: Type): Extract<Event, { type: Type }>[] =>
      facts.filter((fact): fact is Extract<Event, { type: Type }> => fact.type === type);
    expect(of('AccountOpened').map(({ address }) => address)).toEqual(naive.accounts.map(({ address }) => address));
    expect(of('MarketStateChanged').map(({ state }) => state)).toEqual(naive.markets.map(({ state }) => state));
    expect(of('OrderAccepted')).toHaveLength(naive.orders.length);
    for (const { orderId, remaining, filled, filledNotional } of of('OrderRested')) {
      expect(naive.orders.find(({ order }) => order.orderId === orderId)).toMatchObject({
        status: 'resting',
        remaining,
        filled,
        filledNotional,
      });
    }
    for (const { account, wallet, asset, free, held } of of('BalanceChanged')) {
      expect({ free, held }).toEqual({ free: naive.free(account, wallet, asset), held: naive.held(account, wallet, asset) });
    }
  });

  test('tell the resting orders of a market in their priority', () => {
    const { engine, naive } = afterCommands(8, 3_000);
    const rested = engine
      .facts()
      .flatMap((fact) => (fact.type === 'OrderRested' && fact.side === 'buy' && fact.market === 1 ? [fact.orderId] : []));
    const expected = naive.orders
      .filter(({ order, status }) => status === 'resting' && order.side === 'buy' && order.market === 1)
      .sort((left, right) => right.order.price - left.order.price || left.restedAs - right.restedAs);
    expect(rested).toEqual(expected.map(({ order }) => order.orderId));
  });
});

test('the facts of a state tell the waiting stops of a market oldest first, whatever their side', () => {
  const engine = createEngine();
  let at = 0;
  const give = (command: Command): void => {
    at += 1;
    engine.apply({ seq: seq(at), at: millis(at), command });
  };
  for (const command of opening()) give(command);
  for (const words of ['sell 4 @ 96 stop 98', 'buy 4 @ 106 stop 105', 'sell 4 @ 95 stop 97', 'buy 4 @ 104 stop 103'])
    give(parseCommand('alice', words.split(' ')));
  expect(engine.facts().flatMap((fact) => (fact.type === 'OrderArmed' ? [fact.orderId] : []))).toEqual([1, 2, 3, 4]);
});

describe('R1: the bytes of a state', () => {
  test('are the same whether it was restored on the way or not', () => {
    const random = new RandomCommands(9);
    const straight = createEngine();
    let restored = createEngine();
    for (let index = 0; index < 2_000; index += 1) {
      const command = random.next();
      const events = straight.apply(command);
      expect(restored.apply(command)).toEqual(events);
      random.follow(command, events);
      if (index % 50 === 0) restored = decodeState(restored.encodeState());
    }
    expect(restored.encodeState()).toEqual(straight.encodeState());
  });

  test('of an empty exchange can be restored', () => {
    expect(decodeState(createEngine().encodeState()).facts()).toEqual([]);
  });

  test('are refused when they are of another version, too short or too long', () => {
    const bytes = createEngine().encodeState();
    expect(() => decodeState(Uint8Array.of(9, ...bytes.slice(1)))).toThrow(DecodeError);
    expect(() => decodeState(bytes.slice(0, -1))).toThrow(DecodeError);
    expect(() => decodeState(Uint8Array.of(...bytes, 0))).toThrow(DecodeError);
  });
});
