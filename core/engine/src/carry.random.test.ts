import { expect, test } from 'vitest';
import { assert, atoms, type AccountId } from '@orrery/units';
import type { Command, Event, PositionSide, Side, Trade } from '@orrery/protocol';
import { decodeSnapshot } from './snapshot/snapshot-codec.ts';
import type { Snapshot } from './snapshot/snapshot.ts';
import { Chance } from './testing/chance.ts';
import { ContractScene, USDC, usdc } from './testing/contract-scene.ts';
import { carry } from './testing/naive-carry.ts';
import { NaiveBooks, type Unpaid } from './testing/naive-books.ts';
import { addressOf } from './testing/tape-people.ts';

const SCENES = Number(process.env['ORRERY_CARRY_SCENES'] ?? 400);
const START = 600_000;
const seed = Number(process.env['ORRERY_SEED'] ?? Math.floor(Math.random() * 1_000_000_000));

/**
 * An account has a position and a few orders, the mark moves against them, and money is added until the first order is a few atoms above or below what the
 * account can bear. Both answers of the engine are the ones of a second reckoning to the atom, whatever the price.
 */
test('P6: a resting order trades when its account can bear it, and only then', { timeout: 600_000 }, () => {
  console.log(`ORRERY_SEED=${seed}`);
  const seen = new Map<string, number>();
  for (let index = 0; index < SCENES; index += 1) {
    try {
      playScene((seed + index) | 0, seen);
    } catch (error) {
      throw new Error(`scene seed ${seed + index}`, { cause: error });
    }
  }
  console.log([...seen].map(([what, count]) => `${what} ${count}`).join(', '));
  const wanted = [
    'cross carried',
    'cross refused',
    'cross refused, closing',
    'cross carried at the edge',
    'cross refused at the edge',
    'isolated refused',
    'hedge refused',
    'hedge carried',
    'at the mark or better refused',
    'at the mark or better carried',
  ];
  if (SCENES >= 2_000) expect(wanted.filter((what) => !seen.has(what))).toEqual([]);
});

interface Drawn {
  readonly chance: Chance;
  readonly scene: ContractScene;
  readonly books: NaiveBooks;
  readonly owner: AccountId;
  readonly house: AccountId;
  readonly isolated: boolean;
  /** Both sides of the contract: what buys closes a short, and opens a long beside it. */
  readonly hedge: boolean;
}

function playScene(sceneSeed: number, seen: Map<string, number>): void {
  const drawn = draw(new Chance(sceneSeed));
  const { chance, scene, owner, house } = drawn;
  const side: Side = chance.below(2) === 0 ? 'buy' : 'sell';
  const closes = chance.below(3) === 0;
  // Orders that the mark does not reach, behind a position that loses what would carry them.
  const deep = !closes && chance.below(3) === 0;
  const opensOther = closes || drawn.hedge || (!deep && chance.below(2) === 0);
  if (closes || deep || drawn.hedge || chance.below(3) > 0) open(drawn, opensOther ? opposite(side) : side);
  for (let count = 1 + chance.below(3); count > 0; count -= 1)
    give(drawn, rests(drawn, { side, deep, closes: closes || (drawn.hedge && chance.below(2) === 0) }));
  const against = side === 'buy' ? -1 : 1;
  // Against the orders, or against a position that they only close, and less far than to a liquidation.
  const away = closes ? -1 - chance.below(7_000) : 1 + chance.below(deep ? 3_000 : 36_000);
  hear(drawn, scene.walk(START, START + against * away, 40_000));
  const size = 1_000 * (1 + chance.below(150));
  toTheEdge(drawn, { side, size });
  const taker = scene.order(house, opposite(side), size, START + against * 4_000);
  const before = snapshotOf(scene);
  const events = scene.give(taker);
  const unpaid = drawn.books.follow(taker, events);
  for (const one of unpaid) check(drawn, { before, one, engine: 'refused' }, seen);
  const trades: Trade[] = [];
  const closed: number[] = [];
  for (const trade of events) {
    if (trade.type === 'OrderClosed' && trade.reason === 'marginMissing') closed.push(trade.orderId);
    if (trade.type !== 'Trade') continue;
    const { order } = before.orders.find((open) => open.order.orderId === trade.makerOrderId)!;
    if (order.account === owner)
      check(
        drawn,
        { before, one: { order, size: trade.size, trades: [...trades], closed: [...closed], isFirst: true }, engine: 'carried' },
        seen,
      );
    trades.push(trade);
  }
}

interface Checked {
  readonly before: Snapshot;
  readonly one: Unpaid;
  readonly engine: 'carried' | 'refused';
}

function check({ isolated, hedge, scene }: Drawn, { before, one, engine }: Checked, seen: Map<string, number>): void {
  const { beyond, isWorse, opens } = carry(before, one, scene.at);
  const isLookedAt = isWorse || opens;
  const mode = isolated ? 'isolated' : 'cross';
  const isEdge = beyond !== undefined && beyond >= -2n && beyond <= 2n;
  for (const what of [
    `${mode} ${engine}`,
    ...(opens ? [] : [`${mode} ${engine}, closing`]),
    ...(isEdge ? [`${mode} ${engine} at the edge`] : []),
    ...(hedge ? [`hedge ${engine}`] : []),
    ...(opens && !isWorse ? [`at the mark or better ${engine}`] : []),
  ])
    seen.set(what, (seen.get(what) ?? 0) + 1);
  const what = `order ${one.order.orderId} is ${engine} with ${beyond} beyond what its account must keep`;
  if (engine === 'refused') assert(beyond === undefined || (isLookedAt && beyond < 0n), what);
  else assert(beyond !== undefined && (!isLookedAt || beyond >= 0n), what);
}

function draw(chance: Chance): Drawn {
  const scene = new ContractScene();
  scene.insurance(usdc(1_000_000));
  const owner = scene.person('owner', atoms(usdc(300) + BigInt(chance.below(1_200_000_000))));
  const house = scene.person('house', usdc(10_000_000));
  const books = new NaiveBooks();
  const drawn = { chance, scene, books, owner, house, isolated: chance.below(3) === 0, hedge: chance.below(4) === 0 };
  const { market } = scene;
  // The scene has listed it before anybody could hear of it.
  hear(drawn, [{ type: 'ContractRegistered', ...snapshotOf(scene).contracts[0]!.terms }]);
  scene.must({ type: 'CreditDeposit', key: 'more', address: addressOf('owner'), asset: USDC, amount: usdc(1_000_000) });
  if (drawn.hedge) give(drawn, { type: 'SetPositionMode', account: owner, payoff: 'linear', mode: 'hedge' });
  for (const positionSide of drawn.hedge ? (['long', 'short'] as const) : (['both'] as const))
    give(drawn, { type: 'SetLeverage', account: owner, market, positionSide, leverage: chance.pick([10, 20, 40, 40]) });
  if (drawn.isolated) give(drawn, { type: 'SetMarginMode', account: owner, market, mode: 'isolated' });
  if (chance.below(3) === 0) give(drawn, { type: 'SetFeeTier', account: owner, tier: chance.below(7), rebateTier: chance.below(4) });
  for (let round = 0; round < 3; round += 1) hear(drawn, scene.prices(START));
  return drawn;
}

/** A position at the mark: of some size, or the largest that there is money for, but for a tenth. */
function open(drawn: Drawn, side: Side): void {
  const { chance, scene, owner, house, books } = drawn;
  give(drawn, scene.order(house, opposite(side), 120_000, START));
  for (let size = chance.below(3) > 0 ? 120_000 : 1_000 * (1 + chance.below(60)); size > 1_000; size = Math.floor(size * 0.9)) {
    const plain = scene.order(owner, side, size, START);
    const order = { ...plain, contract: { ...plain.contract, positionSide: sideOf(drawn, side, false) } };
    const events = scene.give(order);
    books.follow(order, events);
    if (events[0]?.type !== 'CommandRejected') break;
  }
  give(drawn, { type: 'CancelAllOrders', account: house, market: 0 });
}

interface Resting {
  readonly side: Side;
  readonly deep: boolean;
  readonly closes: boolean;
}

/** Near the mark, or what only reduces at a price so bad that what is left may not pay it. */
function rests(drawn: Drawn, { side, deep, closes }: Resting): Command {
  const { chance, scene, owner } = drawn;
  const bad = chance.below(30_001) * (side === 'buy' ? 1 : -1);
  const size = 1_000 * (1 + chance.below(closes ? 120 : 60));
  const near = deep ? (3_000 + chance.below(1_000)) * (side === 'buy' ? -1 : 1) : chance.below(8_001) - 4_000;
  const order = scene.order(owner, side, size, START + (closes ? bad : near));
  return { ...order, contract: { ...order.contract, positionSide: sideOf(drawn, side, closes), reduceOnly: closes && !drawn.hedge } };
}

/** Of the position that an order is for. */
function sideOf({ hedge }: Drawn, side: Side, closes: boolean): PositionSide {
  if (!hedge) return 'both';
  return (side === 'buy') === closes ? 'short' : 'long';
}

/** Adds what the first order lacks, but for an atom or two. */
function toTheEdge(drawn: Drawn, { side, size }: { readonly side: Side; readonly size: number }): void {
  const { chance, scene, owner, isolated } = drawn;
  const before = snapshotOf(scene);
  const [first] = before.contracts[0]!.resting.map((id) => before.orders.find(({ order }) => order.orderId === id)!);
  if (first === undefined || first.order.side !== side || chance.below(4) === 0) return;
  const unpaid = { order: first.order, size: Math.min(size, first.remaining), trades: [], closed: [], isFirst: true };
  const { beyond } = carry(before, unpaid, scene.at);
  const lacks = BigInt(chance.below(5) - 2) - (beyond ?? 0n);
  if (lacks <= 0n) return;
  const amount = atoms(lacks);
  const positionSide = first.order.contract?.positionSide ?? 'both';
  const adjust = { account: owner, market: scene.market, positionSide, direction: 'add', amount, key: 'edge' } as const;
  give(drawn, scene.transfer(owner, 'in', isolated ? usdc(100_000) : amount));
  if (isolated) give(drawn, { type: 'AdjustMargin', ...adjust });
}

const opposite = (side: Side): Side => (side === 'buy' ? 'sell' : 'buy');

const give = (drawn: Drawn, command: Command): void => void drawn.books.follow(command, drawn.scene.give(command));

/** What is heard of prices. */
const hear = ({ books }: Drawn, events: readonly Event[]): void => void books.follow({ type: 'RunTimers' }, events);

const snapshotOf = ({ engine }: ContractScene): Snapshot => decodeSnapshot(engine.encodeState());
