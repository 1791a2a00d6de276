import { describe, expect, test } from 'vitest';
import { accountId, assetId, atoms, lots, marketId, millis, NO_ATOMS, NO_TICKS, ppm, seq, ticks } from '@orrery/units';
import type { Command, Event, PlaceOrder, Sequenced } from '@orrery/protocol';
import { FILLS_PER_COMMAND, LATEST_RULES } from '@orrery/rules';
import { createEngine, decodeState } from '../engine.ts';
import { decodeSnapshot } from '../snapshot/snapshot-codec.ts';
import { assertSound } from '../testing/assert-sound.ts';
import { boundedEngine, decodeBounded } from '../testing/bounded-engine.ts';
import { opening } from '../testing/tape.ts';

const [alice, bob, carol] = [accountId(1), accountId(2), accountId(3)];
const MARKET = marketId(1);

/** A spot market of which each command meets at most three orders; bob sells one lot at each price from 100 on. */
class Scene {
  readonly #history: Sequenced[] = [];
  engine = boundedEngine(3);

  constructor(makers: number) {
    for (const command of opening({ minNotional: NO_ATOMS, limitBandPpm: ppm(900_000), marketBandPpm: ppm(900_000) })) this.give(command);
    this.give({ type: 'UpgradeRules', version: LATEST_RULES });
    for (let index = 0; index < makers; index += 1) this.give(order(bob, { side: 'sell', price: ticks(100 + index), size: lots(1) }));
  }

  give(command: Command): readonly Event[] {
    const sequenced = { seq: seq(this.#history.length + 1), at: millis(1_000_000), command };
    this.#history.push(sequenced);
    const events = this.engine.apply(sequenced);
    const bytes = this.engine.encodeState();
    assertSound(decodeSnapshot(bytes));
    this.engine = decodeBounded(bytes, 3);
    expect(this.engine.encodeState()).toEqual(bytes);
    return events;
  }

  held(account: number): bigint {
    const { balances } = decodeSnapshot(this.engine.encodeState());
    return balances.filter((one) => one.account === account && one.wallet === 'spot').reduce((sum, { held }) => sum + held, 0n);
  }

  replay(): void {
    const replayed = boundedEngine(3);
    for (const command of this.#history) replayed.apply(command);
    expect(replayed.encodeState()).toEqual(this.engine.encodeState());
  }
}

const order = (account: number, terms: Partial<PlaceOrder>): PlaceOrder => ({
  type: 'PlaceOrder',
  account: accountId(account),
  market: MARKET,
  clientOrderId: '',
  side: 'buy',
  orderType: 'limit',
  timeInForce: 'GTC',
  price: ticks(200),
  size: lots(1),
  funds: NO_ATOMS,
  triggerPrice: NO_TICKS,
  slippagePpm: ppm(0),
  selfTradePrevention: 'expireTaker',
  ...terms,
});

const CONTINUE = { type: 'ContinueMatching', market: MARKET } as const;
const trades = (events: readonly Event[]): number => events.filter(({ type }) => type === 'Trade').length;
const last = (events: readonly Event[]): Event | undefined => events.findLast(({ type }) => type !== 'BalanceChanged');

describe('an order that has more to trade than one command may', () => {
  test('R1, M4: goes on by continuations, with the rest of it held, and rests in the end', () => {
    const scene = new Scene(7);
    const first = scene.give(order(alice, { size: lots(10) }));
    expect([trades(first), last(first)]).toMatchObject([3, { type: 'OrderPaused', remaining: 7, filled: 3, filledNotional: 303n }]);
    expect(scene.held(alice)).toBe(1_400n);
    expect(scene.engine.facts().at(-1)).toMatchObject({ type: 'OrderPaused', remaining: 7, filled: 3 });
    expect(scene.engine.continuation()).toEqual(CONTINUE);
    expect(trades(scene.give(CONTINUE))).toBe(3);
    const end = scene.give(CONTINUE);
    expect([trades(end), last(end)]).toMatchObject([1, { type: 'OrderRested', remaining: 3, filled: 7 }]);
    expect(scene.engine.continuation()).toBeUndefined();
    expect(scene.give(CONTINUE)).toEqual([]);
    scene.replay();
  });

  test('meanwhile nothing else acts in its market, and everything else does', () => {
    const scene = new Scene(7);
    scene.give(order(alice, { size: lots(5), clientOrderId: 'mine' }));
    const refused: readonly Command[] = [
      order(carol, { price: ticks(50) }),
      { type: 'CancelOrder', account: alice, orderId: 0, clientOrderId: 'mine' },
      { type: 'CancelAllOrders', account: bob, market: 0 },
      { type: 'SetIndexPrice', market: MARKET, price: ticks(100) },
      { type: 'ExpireOrders' },
      { type: 'SetAccountFlag', account: carol, flag: 'blocked', value: true },
    ];
    for (const command of refused) {
      expect(scene.engine.mustWait(command)).toBe(true);
      expect(scene.give(command)).toEqual([{ type: 'CommandRejected', reason: 'MatchingUnfinished', field: '' }]);
    }
    const transfer: Command = {
      type: 'Transfer',
      account: alice,
      transferId: 't',
      asset: assetId(1),
      amount: atoms(1n),
      from: 'spot',
      to: 'funding',
    };
    expect(scene.engine.mustWait(transfer)).toBe(false);
    expect(scene.give(transfer)[0]?.type).toBe('Transferred');
    expect(scene.give({ type: 'CancelAllOrders', account: carol, market: 0 })).toEqual([]);
    expect(last(scene.give(CONTINUE))).toMatchObject({ type: 'OrderClosed', reason: 'filled', filled: 5 });
    scene.replay();
  });

  test('in a market that stops trading it waits, and can be cancelled', () => {
    const scene = new Scene(7);
    const accepted = scene.give(order(alice, { size: lots(10) }))[0];
    scene.give({ type: 'SetMarketState', market: MARKET, state: 'CANCEL_ONLY' });
    expect(scene.engine.continuation()).toBeUndefined();
    if (accepted?.type !== 'OrderAccepted') throw new Error('the order is accepted');
    const { orderId } = accepted;
    expect(last(scene.give({ type: 'CancelOrder', account: alice, orderId, clientOrderId: '' }))).toMatchObject({
      reason: 'canceledByAccount',
      filled: 3,
      removed: 0,
    });
    expect(scene.held(alice)).toBe(0n);
    scene.give({ type: 'SetMarketState', market: MARKET, state: 'TRADING' });
    expect(scene.engine.continuation()).toBeUndefined();
    scene.replay();
  });

  test('a market order holds what is left at its worst price, or its funds', () => {
    const scene = new Scene(7);
    scene.give(order(alice, { orderType: 'market', timeInForce: 'IOC', price: NO_TICKS, size: lots(6), slippagePpm: ppm(500_000) }));
    expect(scene.held(alice)).toBe(3n * 150n);
    expect(last(scene.give(CONTINUE))).toMatchObject({ type: 'OrderClosed', reason: 'filled', filled: 6 });
    const byFunds = new Scene(7);
    byFunds.give(
      order(alice, {
        orderType: 'market',
        timeInForce: 'IOC',
        price: NO_TICKS,
        size: lots(0),
        funds: atoms(550n),
        slippagePpm: ppm(500_000),
      }),
    );
    expect(byFunds.held(alice)).toBe(550n - 303n);
    expect(last(byFunds.give(CONTINUE))).toMatchObject({ type: 'OrderClosed', reason: 'filled', filled: 5, filledNotional: 510n });
  });

  test('one that fills whole or not at all is refused when it would need more', () => {
    const scene = new Scene(7);
    expect(scene.give(order(alice, { size: lots(4), timeInForce: 'FOK' }))).toEqual([
      { type: 'CommandRejected', reason: 'TooManyFills', field: 'timeInForce' },
    ]);
    expect(last(scene.give(order(alice, { size: lots(3), timeInForce: 'FOK' })))).toMatchObject({ reason: 'filled' });
  });

  test(`by the rules a command meets ${FILLS_PER_COMMAND}; before rules 7 it met all`, () => {
    for (const version of [6, LATEST_RULES]) {
      const engine = createEngine();
      let count = 0;
      const give = (command: Command): readonly Event[] => engine.apply({ seq: seq((count += 1)), at: millis(1_000_000), command });
      for (const command of opening({ minNotional: NO_ATOMS, maxNotional: atoms(1_000_000n), maxSize: lots(1_000), maxOpenOrders: 1_000 }))
        give(command);
      give({ type: 'UpgradeRules', version });
      for (let index = 0; index < FILLS_PER_COMMAND + 20; index += 1)
        give(order(index % 2 === 0 ? bob : carol, { side: 'sell', price: ticks(100), size: lots(1) }));
      const events = give(order(alice, { price: ticks(100), size: lots(510) }));
      expect(trades(events)).toBe(version === 6 ? 510 : FILLS_PER_COMMAND);
      const rest = engine.continuation();
      expect(rest === undefined ? 0 : trades(give(rest))).toBe(version === 6 ? 0 : 10);
      expect(decodeState(engine.encodeState()).encodeState()).toEqual(engine.encodeState());
    }
  });
});
