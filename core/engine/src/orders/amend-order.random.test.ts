/**
 * Amendments that race with fills, in a spot market and in a contract, against a twin that knows three numbers of an order: what was asked for last, what is
 * filled, and what stands in the book.
 */
import { expect, test } from 'vitest';
import { assert, atoms, lots, orderId, ticks, type OrderId } from '@orrery/units';
import type { Command, Event } from '@orrery/protocol';
import type { RulesVersion } from '@orrery/rules';
import { Chance } from '../testing/chance.ts';
import { ContractsScene, linearContract } from '../testing/contracts-scene.ts';
import { parseCommand } from '../testing/tape-command.ts';
import { Table } from '../testing/tape.ts';

const RACES = 400;
const STEPS = 8;
const PRICE = 100;

interface Venue {
  /** Buys for the one whose order is amended, and sells against it. */
  readonly buy: (size: number) => readonly Event[];
  readonly sell: (size: number) => readonly Event[];
  readonly amend: (id: OrderId, size: number, price: number) => readonly Event[];
  readonly clear: () => void;
}

function spot(rules: RulesVersion): Venue {
  const table = new Table({ rules });
  const give = (who: string, words: string): readonly Event[] => table.give(parseCommand(who, words.split(' ')));
  for (const [who, coin] of [
    ['alice', 'USDC'],
    ['bob', 'BTC'],
  ] as const) {
    give('exchange', `credit ${who} 100000000 ${coin} ${who}`);
    give(who, `transfer 100000000 ${coin} funding>spot ${who}`);
  }
  return {
    buy: (size) => give('alice', `buy ${size} @ ${PRICE}`),
    sell: (size) => give('bob', `sell ${size} @ ${PRICE - 2} ioc`),
    amend: (id, size, price) => give('alice', `amend #${id} ${size} @ ${price}`),
    clear: () => void give('alice', 'cancel all'),
  };
}

function contract(): Venue {
  const scene = new ContractsScene([linearContract(1, 'BTC')]);
  scene.liquidator();
  const [alice, bob] = [scene.person(atoms(1_000_000_000_000n)), scene.person(atoms(1_000_000_000_000n))];
  scene.all(600_000, 4);
  const tick = (price: number): number => 600_000 + price - PRICE;
  const give = (command: Command): readonly Event[] => {
    // What stands still is no price: a contract stays open by its rounds.
    scene.all(600_000);
    return scene.give(command);
  };
  return {
    buy: (size) => give(scene.order(alice, 'buy', size, tick(PRICE))),
    sell: (size) => give({ ...scene.order(bob, 'sell', size, tick(PRICE - 2)), timeInForce: 'IOC' }),
    amend: (id, size, price) =>
      give({ type: 'AmendOrder', account: alice, orderId: id, clientOrderId: '', price: ticks(tick(price)), size: lots(size) }),
    clear: () => void give({ type: 'CancelAllOrders', account: alice, market: 0 }),
  };
}

/** @returns how many races ended with more than was asked for last */
function race(venue: Venue, chance: Chance): { past: number; ended: number; kept: number } {
  const seen = { past: 0, ended: 0, kept: 0 };
  for (let round = 0; round < RACES; round += 1) {
    let asked = chance.between(10, 40);
    let filled = 0;
    let rest = asked;
    let id = orderId(1);
    const follow = (events: readonly Event[]): void => {
      for (const event of events) {
        if (event.type === 'OrderAccepted' && event.side === 'buy') id = event.orderId;
        if (event.type === 'Trade') {
          filled += event.size;
          rest = event.makerRemaining;
          if (filled > asked) seen.past += 1;
        }
      }
    };
    follow(venue.buy(asked));
    for (let step = 0; step < STEPS && rest > 0; step += 1) {
      if (chance.oneIn(2)) {
        follow(venue.sell(chance.between(1, 12)));
        continue;
      }
      const size = chance.between(5, 45);
      const events = venue.amend(id, size, PRICE - chance.below(2));
      assert(events[0]?.type !== 'CommandRejected', 'nothing speaks against the amendment');
      const amended = events.find((event) => event.type === 'OrderAmended');
      if (amended === undefined) {
        seen.ended += 1;
        // Under older rules another order stands in its place.
        const isOver = events.some((event) => event.type === 'OrderClosed' && event.reason === 'amendedToFilled');
        expect(isOver && size > filled).toBe(false);
        rest = isOver ? 0 : size;
      } else {
        expect(amended).toMatchObject({ orderId: id, size, remaining: size - filled });
        if (amended.keepsPlace) seen.kept += 1;
        rest = size - filled;
      }
      if (rest > 0) asked = size;
      follow(events);
    }
    venue.clear();
  }
  return seen;
}

const seed = Number(process.env['ORRERY_SEED'] ?? Math.floor(Math.random() * 1_000_000));

test('an amendment that races with fills never ends above the size that was asked for', { timeout: 120_000 }, () => {
  console.log(`amendments: seed ${seed} (set ORRERY_SEED to repeat)`);
  for (const venue of [spot(8), contract()]) {
    const { past, ended, kept } = race(venue, new Chance(seed));
    expect(past).toBe(0);
    expect(Math.min(ended, kept)).toBeGreaterThan(0);
  }
});

test('the twin finds amendments that take the size of a new order', { timeout: 120_000 }, () => {
  expect(race(spot(7), new Chance(seed)).past).toBeGreaterThan(0);
});
