import { expect, test } from 'vitest';
import { assert, atoms, lots, orderId, ticks, type AccountId } from '@orrery/units';
import type { Command, Event, PlaceContractOrder, SelfTradePrevention, Side, Trade } from '@orrery/protocol';
import { createEngine } from '../engine.ts';
import { decodeSnapshot } from '../snapshot/snapshot-codec.ts';
import { ContractScene, usdc } from './contract-scene.ts';
import { NaiveBooks } from './naive-books.ts';
import { RandomCommands } from './random-commands.ts';

const PRICE = 600_000;

interface People {
  readonly scene: ContractScene;
  readonly alice: AccountId;
  readonly bob: AccountId;
  readonly carol: AccountId;
}

/** Alice and bob sell at one price, alice first; bob sells more above it. */
function book(): People & { readonly heard: [Command, readonly Event[]][] } {
  const scene = new ContractScene();
  const [alice, bob, carol] = ['alice', 'bob', 'carol'].map((name) => scene.person(name, usdc(100_000))) as [
    AccountId,
    AccountId,
    AccountId,
  ];
  const listed: Event = { type: 'ContractRegistered', ...decodeSnapshot(scene.engine.encodeState()).contracts[0]!.terms };
  const heard: [Command, readonly Event[]][] = [[{ type: 'RunTimers' }, [listed, ...[1, 2, 3].flatMap(() => scene.prices(PRICE))]]];
  for (const order of [
    scene.order(alice, 'sell', 1_000, PRICE),
    scene.order(bob, 'sell', 500, PRICE),
    scene.order(bob, 'sell', 500, PRICE + 10),
  ])
    heard.push([order, scene.must(order)]);
  return { scene, alice, bob, carol, heard };
}

/** What is said of carol's buy, or of alice's, when its events are other ones. */
function complaintOf(wanted: Wanted, tamper: (events: readonly Event[]) => readonly Event[]): string | undefined {
  const { scene, carol, alice, heard } = book();
  const { by = 'carol', size = 1_200, price = PRICE, selfTradePrevention = 'expireTaker' } = wanted;
  const order: PlaceContractOrder = {
    ...scene.order(by === 'alice' ? alice : carol, 'buy' satisfies Side, size, price),
    selfTradePrevention,
  };
  heard.push([order, tamper(scene.must(order))]);
  const books = new NaiveBooks();
  try {
    for (const [command, events] of heard) books.follow(command, events);
    books.compare(decodeSnapshot(scene.engine.encodeState()));
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return undefined;
}

interface Wanted {
  readonly by?: 'alice' | 'carol';
  readonly size?: number;
  readonly price?: number;
  readonly selfTradePrevention?: SelfTradePrevention;
}

const change =
  <Type extends Event['type']>(
    type: Type,
    with_: (event: Extract<Event, { type: Type }>, index: number) => Partial<Extract<Event, { type: Type }>>,
  ) =>
  (events: readonly Event[]): readonly Event[] => {
    let index = -1;
    return events.map((event) => {
      if (event.type !== type) return event;
      index += 1;
      return { ...event, ...with_(event as Extract<Event, { type: Type }>, index) };
    });
  };
const without =
  (type: Event['type'], which: number) =>
  (events: readonly Event[]): readonly Event[] => {
    const dropped = events.filter((event) => event.type === type)[which];
    return events.filter((event) => event !== dropped);
  };
const as = (events: readonly Event[]): readonly Event[] => events;

test.each([
  [{}],
  [{ size: 3_000 }],
  [{ price: 0 }],
  [{ size: 2_500, price: PRICE + 10 }],
  [{ by: 'alice', selfTradePrevention: 'expireTaker' }],
  [{ by: 'alice', selfTradePrevention: 'expireMaker' }],
  [{ by: 'alice', selfTradePrevention: 'expireBoth' }],
  [{ by: 'alice', selfTradePrevention: 'decrement' }],
  [{ by: 'alice', selfTradePrevention: 'decrement', size: 400 }],
] satisfies [Wanted][])('O3: what the engine does with %o is what the naive book expects', (wanted) => {
  expect(complaintOf(wanted, as)).toBeUndefined();
});

test.each<[string, string, (events: readonly Event[]) => readonly Event[], Wanted?]>([
  [
    'who came later trades first',
    'O3: order 4 meets 1, not 2',
    change('Trade', (_, index) => ({ makerOrderId: orderId(index === 0 ? 2 : 1) })),
  ],
  [
    'who is first trades less',
    'O3: order 1 trades 1000',
    change('Trade', ({ size }, index) => (index === 0 ? { size: lots(size - 1) } : {})),
  ],
  ['a trade prints at another price', 'O3: order 1 trades 1000', change('Trade', ({ price }) => ({ price: ticks(price - 1) }))],
  ['a trade is kept from the tape', 'O3: order 4 meets 1, not 2', (events) => without('OrderClosed', 0)(without('Trade', 0)(events))],
  [
    'an order rests that would trade on',
    'O3: order 4 rests while order 3 would trade with it',
    (events) => without('Trade', 2)(without('OrderClosed', 2)(events)),
    { size: 2_500, price: PRICE + 10 },
  ],
  [
    'an own order is passed over',
    'O3: order 4 meets 1, not 2',
    without('OrderClosed', 0),
    { by: 'alice', selfTradePrevention: 'expireMaker' },
  ],
  [
    'an order expires that is of another account',
    'O6: order 1 is of another account',
    (events) =>
      without(
        'Trade',
        0,
      )(
        change('OrderClosed', (_, index) => (index === 0 ? { reason: 'selfTrade', filled: lots(0), filledNotional: atoms(0n) } : {}))(
          events,
        ),
      ),
  ],
])('O3: %s', (_what, complaint, tamper, wanted = {}) => {
  expect(complaintOf(wanted, tamper)).toContain(complaint);
});

const SEED = Number(process.env['ORRERY_SEED'] ?? Math.floor(Math.random() * 1_000_000_000));

/** What is said of the first command that is tampered with, in each of as many flows of spot commands; '' where nothing is. */
function spotComplaints(tamper: (events: readonly Event[]) => readonly Event[] | undefined, wanted: number): readonly string[] {
  const complaints: string[] = [];
  for (let seed = SEED; complaints.length < wanted; seed += 1) {
    assert(seed < SEED + 50, 'few of the flows have what is tampered with');
    const random = new RandomCommands(seed);
    const engine = createEngine();
    const books = new NaiveBooks();
    for (let index = 0; index < 2_000; index += 1) {
      const sequenced = random.next();
      const events = engine.apply(sequenced);
      random.follow(sequenced, events);
      const tampered = tamper(events);
      try {
        books.follow(sequenced.command, tampered ?? events);
        if (tampered === undefined) continue;
        complaints.push('');
      } catch (error) {
        complaints.push(error instanceof Error ? error.message : String(error));
      }
      break;
    }
  }
  return complaints;
}

const trades = (events: readonly Event[]): readonly Trade[] => events.filter((event): event is Trade => event.type === 'Trade');
const withTrades =
  (least: number, tamper: (events: readonly Event[]) => readonly Event[]) =>
  (events: readonly Event[]): readonly Event[] | undefined =>
    trades(events).length >= least ? tamper(events) : undefined;

test.each<[string, (events: readonly Event[]) => readonly Event[] | undefined]>([
  [
    'who is first trades less',
    withTrades(
      1,
      change('Trade', ({ size }, index) => (index === 0 ? { size: lots(size + 1) } : {})),
    ),
  ],
  [
    'a trade prints at another price',
    withTrades(
      1,
      change('Trade', ({ price }) => ({ price: ticks(price + 1) })),
    ),
  ],
  [
    'the second order trades first',
    withTrades(
      2,
      change('Trade', (_, index) => (index === 0 ? { makerOrderId: orderId(1_000_000) } : {})),
    ),
  ],
  ['a trade is kept from the tape', withTrades(2, without('Trade', 0))],
  [
    'an order ends before it is filled',
    withTrades(1, (events) => events.filter((event) => event.type !== 'Trade' && event.type !== 'OrderClosed')),
  ],
  [
    'an order rests that would trade',
    (events) => {
      const accepted = events.find((event) => event.type === 'OrderAccepted');
      if (trades(events).length === 0 || accepted?.type !== 'OrderAccepted' || accepted.orderType !== 'limit') return undefined;
      const { orderId: id, account, market, side, price, size } = accepted;
      const none = { filled: lots(0), filledNotional: atoms(0n) };
      return [accepted, { type: 'OrderRested', orderId: id, account, market, side, price, remaining: size, ...none }];
    },
  ],
])(`O3: in a spot market the naive book finds that %s (seed ${SEED})`, (_what, tamper) => {
  for (const complaint of spotComplaints(tamper, 10)) expect(complaint).toMatch(/^O[1346]: /);
});
