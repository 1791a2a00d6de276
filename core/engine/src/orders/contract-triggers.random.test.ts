/**
 * Random commands on one contract, and what must hold of every event and after every command: recomputed from nothing but the events. A second engine that
 * is restored from its bytes on the way must give the same events.
 */
import { expect, test } from 'vitest';
import { lots, millis, orderId, ppm, ticks } from '@orrery/units';
import { SIDES, TRIGGER_PRICES, type Command, type Event, type OrderAccepted, type Side } from '@orrery/protocol';
import { TRIGGERS_PER_COMMAND, TRIGGERS_PER_POSITION } from '@orrery/rules';
import { Chance } from '../testing/chance.ts';
import { CONTRACT, contractOrder, TriggerTable, type Words } from '../testing/trigger-table.ts';
import { accountOf, PEOPLE } from '../testing/tape-people.ts';

const COMMANDS = Number(process.env['ORRERY_TRIGGER_COMMANDS'] ?? 3_000);

/** Far more than what all open orders could need. */
const CONTINUATIONS_MAX = 1_000;

/** What the events of all commands say, in plain maps. */
class Auditor {
  readonly orders = new Map<number, OrderAccepted>();
  readonly armed = new Set<number>();
  readonly positions = new Map<number, number>();
  readonly #triggered = new Set<number>();
  readonly #tradedOfGroups = new Map<number, number>();
  /** What an order of a group may trade, by its size or by what its owner has made of it since: the most of all its orders, and what has been traded. */
  readonly #mayTrade = new Map<number, number>();
  readonly #filled = new Map<number, number>();
  readonly seen = new Map<string, number>();

  take(events: readonly Event[]): void {
    for (const event of events) this.#one(event);
    const fired = events.filter(({ type }) => type === 'OrderTriggered').length;
    expect(fired).toBeLessThanOrEqual(TRIGGERS_PER_COMMAND);
    for (const id of this.armed) this.#checkWaiting(this.#order(id));
    for (const event of events) if (event.type === 'PositionsClosed') this.#checkClosed(event);
  }

  #one(event: Event): void {
    switch (event.type) {
      case 'OrderAccepted':
        this.orders.set(event.orderId, event);
        this.#measure(event);
        if (event.contract?.parent !== 0) this.#count('attached');
        break;
      case 'OrderArmed':
        this.armed.add(event.orderId);
        break;
      case 'TriggerAmended':
        this.orders.set(event.orderId, {
          ...this.#order(event.orderId),
          size: event.size,
          price: event.price,
          triggerPrice: event.triggerPrice,
        });
        this.#measure(this.#order(event.orderId));
        this.#count('amended');
        break;
      case 'OrderTriggered': {
        // O10: only what waits, and once: what stalls acts again.
        expect(this.#triggered.has(event.orderId) || !this.armed.has(event.orderId)).toBe(false);
        this.#triggered.add(event.orderId);
        this.armed.delete(event.orderId);
        this.#count((this.#order(event.orderId).contract?.trailingPpm ?? 0) > 0 ? 'trailed' : 'triggered');
        break;
      }
      case 'TriggerStalled': {
        const order = this.#order(event.orderId);
        const contract = order.contract === undefined ? undefined : { ...order.contract, trailingPpm: ppm(0) };
        this.orders.set(event.orderId, { ...order, contract, triggerPrice: event.triggerPrice });
        this.#triggered.delete(event.orderId);
        this.armed.add(event.orderId);
        this.#count('stalled');
        break;
      }
      case 'Trade':
        this.#trade(event.takerOrderId, event.takerSide, event.size);
        this.#trade(event.makerOrderId, event.takerSide === 'buy' ? 'sell' : 'buy', event.size);
        break;
      case 'OrderClosed':
        this.armed.delete(event.orderId);
        this.orders.delete(event.orderId);
        this.#count(event.reason);
        break;
      case 'PositionChanged':
        expect(this.positions.get(event.account) ?? 0).toBe(event.size);
        break;
      case 'TwapClosed':
        this.#count(`TWAP ${event.reason}`);
        break;
      default:
    }
  }

  #measure({ orderId, contract, size }: OrderAccepted): void {
    const group = contract?.group ?? 0;
    if (group === 0) return;
    const most = (this.#tradedOfGroups.get(group) ?? 0) + size - (this.#filled.get(orderId) ?? 0);
    this.#mayTrade.set(group, Math.max(most, this.#mayTrade.get(group) ?? 0));
  }

  /** O5: what only reduces never grows a position nor turns it. */
  #trade(id: number, side: Side, size: number): void {
    const order = this.#order(id);
    const before = this.positions.get(order.account) ?? 0;
    const after = side === 'buy' ? before + size : before - size;
    if (order.contract?.reduceOnly === true || order.contract?.closePosition === true) {
      expect(Math.abs(after)).toBeLessThan(Math.abs(before));
      expect(after === 0 || Math.sign(after) === Math.sign(before)).toBe(true);
    }
    this.positions.set(order.account, after);
    const group = order.contract?.source === 'twap' ? 0 : (order.contract?.group ?? 0);
    if (group === 0) return;
    // Of a group no more is traded than one of its orders is for.
    const traded = (this.#tradedOfGroups.get(group) ?? 0) + size;
    expect(traded).toBeLessThanOrEqual(this.#mayTrade.get(group) ?? 0);
    this.#tradedOfGroups.set(group, traded);
    this.#filled.set(id, (this.#filled.get(id) ?? 0) + size);
  }

  /** What waits to reduce has something to reduce, and there is a bound of it. */
  #checkWaiting({ account, side, contract }: OrderAccepted): void {
    if (contract?.reduceOnly !== true && contract?.closePosition !== true) return;
    const position = this.positions.get(account) ?? 0;
    expect(side === 'sell' ? position : -position).toBeGreaterThan(0);
    const same = [...this.armed].filter((id) => {
      const other = this.#order(id);
      return other.account === account && other.contract?.parent === 0 && other.contract.reduceOnly && other.contract.source === 'stopLoss';
    });
    expect(same.length).toBeLessThanOrEqual(TRIGGERS_PER_POSITION);
  }

  /** O8. */
  #checkClosed({ account, left }: Extract<Event, { type: 'PositionsClosed' }>): void {
    const position = this.positions.get(account) ?? 0;
    expect(left.map(({ size }) => Number(size))).toEqual(position === 0 ? [] : [position]);
    const waiting = [...this.armed].map((id) => this.#order(id)).filter((order) => order.account === account);
    if (position === 0)
      expect(waiting.filter(({ contract }) => contract?.reduceOnly === true || contract?.closePosition === true)).toEqual([]);
    this.#count('close all');
  }

  #order(id: number): OrderAccepted {
    const order = this.orders.get(id);
    if (order === undefined) throw new Error(`order ${id} acts and is not open`);
    return order;
  }

  #count(what: string): void {
    this.seen.set(what, (this.seen.get(what) ?? 0) + 1);
  }
}

function randomCommand(chance: Chance, { orders, positions }: Auditor, at: number): Command {
  const who = chance.pick(PEOPLE);
  const account = accountOf(who);
  const side = chance.pick(SIDES);
  const near = (): number => 60 + chance.below(80);
  const position = positions.get(account) ?? 0;
  const closing: Side = position > 0 ? 'sell' : 'buy';
  const dice = chance.below(100);
  const anyOpen = (): number => chance.pick([1, ...[...orders.keys()].slice(-30)]);
  const triggerBy = chance.below(8) === 0 ? chance.pick(TRIGGER_PRICES) : 'last';
  if (dice < 35) return contractOrder(who, side, chance.between(1, 20), { at: near() });
  if (dice < 45) return contractOrder(who, side, chance.between(1, 20));
  if (dice < 55) {
    const limit = near();
    const away = chance.between(1, 15);
    const attached: Words =
      side === 'buy' ? { takeProfit: limit + away, stopLoss: limit - away } : { takeProfit: limit - away, stopLoss: limit + away };
    return contractOrder(who, side, chance.between(1, 20), { at: limit, ...attached });
  }
  if (dice < 62) return contractOrder(who, side, chance.between(1, 10), { stop: near(), source: 'plan', triggerBy });
  if (dice < 72) {
    const words: Words = { stop: near(), source: chance.pick(['takeProfit', 'stopLoss'] as const), triggerBy };
    if (chance.below(3) === 0) return contractOrder(who, closing, 0, { ...words, closePosition: true });
    return contractOrder(who, closing, chance.between(1, 10), { ...words, reduceOnly: true });
  }
  if (dice < 77)
    return contractOrder(who, closing, chance.between(1, 10), {
      trail: chance.between(1, 20) * 5_000,
      reduceOnly: true,
      source: 'stopLoss',
    });
  if (dice < 80) return contractOrder(who, closing, chance.between(1, 10), { at: near(), reduceOnly: true });
  if (dice < 84)
    return {
      type: 'AmendTrigger',
      account,
      orderId: orderId(anyOpen()),
      triggerPrice: ticks(near()),
      price: ticks(0),
      size: lots(chance.below(5)),
    };
  if (dice < 89) return { type: 'CancelOrder', account, orderId: orderId(anyOpen()), clientOrderId: '' };
  if (dice < 91)
    return { type: 'CloseAllPositions', account, payoff: 'any', mode: chance.pick(['market', 'limitAtMid'] as const), key: `k${at}` };
  if (dice < 93) return { type: 'ScheduleCancel', account, at: millis(chance.below(3) === 0 ? 0 : at + chance.between(4_000, 20_000)) };
  if (dice < 97) return { type: 'RunTimers' };
  if (dice < 98) return { type: 'CancelTwap', account, twapId: chance.between(1, 20) };
  return {
    type: 'PlaceTwap',
    account,
    market: CONTRACT.market,
    key: `t${at}`,
    side,
    positionSide: 'both',
    size: lots(chance.between(4, 40)),
    minutes: chance.between(1, 2),
    reduceOnly: chance.below(3) === 0,
    seed: chance.below(3),
  };
}

test('O5, O8, O10: whatever is placed, amended, cancelled and reached, triggers keep their rules, with restarts and without', () => {
  const seed = Number(process.env['ORRERY_SEED'] ?? Math.floor(Math.random() * 1_000_000));
  console.log(`contract triggers: seed ${seed} (set ORRERY_SEED to repeat)`);
  const chance = new Chance(seed);
  const straight = new TriggerTable();
  const restarted = new TriggerTable();
  const auditor = new Auditor();
  const give = (command: Command): void => {
    const events = straight.give(command);
    expect(restarted.give(command)).toEqual(events);
    auditor.take(events);
  };
  for (let count = 0; count < COMMANDS; count += 1) {
    straight.at += chance.between(1, 2_000);
    restarted.at = straight.at;
    for (let round = straight.roundDue(); round !== undefined; round = straight.roundDue()) give(round);
    give(randomCommand(chance, auditor, straight.at));
    if (chance.below(5) > 0) continue;
    let continued = 0;
    for (let next = straight.engine.continuation(); next !== undefined; next = straight.engine.continuation()) {
      give(next);
      continued += 1;
      if (continued > CONTINUATIONS_MAX) throw new Error(`command ${count} of seed ${seed} is continued without end`);
    }
    if (chance.below(40) === 0) restarted.restart();
  }
  console.log([...auditor.seen].map(([what, times]) => `${what} ${times}`).join(', '));
  for (const what of ['triggered', 'trailed', 'attached', 'groupTriggered', 'positionClosed', 'scheduledCancel', 'close all', 'amended'])
    expect(auditor.seen.get(what) ?? 0, what).toBeGreaterThan(0);
});
