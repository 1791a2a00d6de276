import { expect, test } from 'vitest';
import { assert, millis, seq } from '@orrery/units';
import type { Command, Event, PlaceContractOrder, PositionSide, Sequenced } from '@orrery/protocol';
import { createEngine, decodeState } from './engine.ts';
import { decodeSnapshot } from './snapshot/snapshot-codec.ts';
import type { Snapshot } from './snapshot/snapshot.ts';
import { assertSound } from './testing/assert-sound.ts';
import { Chance } from './testing/chance.ts';
import { openingOfContracts } from './testing/futures-table.ts';
import { availableOf, initialOf, marginsOf } from './testing/naive-margin.ts';
import { NaiveBooks } from './testing/naive-books.ts';
import { NaivePerpetuals } from './testing/naive-perpetuals.ts';
import { OrderAuditor } from './testing/order-auditor.ts';
import { RandomContractCommands } from './testing/random-contract-commands.ts';

const COMMANDS = Number(process.env['ORRERY_CONTRACT_COMMANDS'] ?? 6_000);
const EPISODE = 600;
const seed = Number(process.env['ORRERY_SEED'] ?? Math.floor(Math.random() * 1_000_000_000));

test(
  'P1, P3, P9, M1, M3, M4, O1, O4, O5, R1, R11: random commands of contracts leave positions, margin and money sound',
  { timeout: 300_000 },
  () => {
    console.log(`ORRERY_SEED=${seed}`);
    for (let episode = 0; episode * EPISODE < COMMANDS; episode += 1) playEpisode((seed + episode) | 0);
  },
);

function playEpisode(episodeSeed: number): void {
  const random = new RandomContractCommands(new Chance(episodeSeed));
  const naive = new NaivePerpetuals();
  const books = new NaiveBooks();
  const auditor = new OrderAuditor();
  const history: Sequenced[] = [];
  let engine = createEngine();
  const give = (command: Command): void => {
    const sequenced = { seq: seq(history.length + 1), at: millis(1_000_000 + history.length * 100), command };
    history.push(sequenced);
    const before = engine.encodeState();
    const events = engine.apply(sequenced);
    const bytes = engine.encodeState();
    if (events[0]?.type === 'CommandRejected') expect(bytes).toEqual(before);
    auditor.follow(events);
    naive.follow(events);
    books.follow(command, events);
    random.follow(events);
    const snapshot = decodeSnapshot(bytes);
    assertSound(snapshot);
    naive.compare(snapshot);
    books.compare(snapshot);
    if (command.type === 'PlaceContractOrder' && events[0]?.type === 'OrderAccepted')
      assertOpening(command, { before: decodeSnapshot(before), after: snapshot, events });
    if (history.length % 50 === 0) engine = decodeState(bytes);
  };
  try {
    // Without a round of prices, which rules 7 do not trade without.
    for (const command of openingOfContracts(6)) give(command);
    for (let index = 0; index < EPISODE; index += 1) give(random.next());
  } catch (error) {
    throw new Error(`episode seed ${episodeSeed}, command ${history.length}: ${print(history.at(-1))}`, { cause: error });
  }
  const replayed = createEngine();
  for (const command of history) replayed.apply(command);
  expect(replayed.encodeState()).toEqual(engine.encodeState());
}

interface Opening {
  readonly before: Snapshot;
  readonly after: Snapshot;
  readonly events: readonly Event[];
}

/**
 * An account that opens has the initial margin of all its positions and orders of the payoff, or needs no more than before: of an isolated contract what it
 * opened is posted. Fees of several fills round up by an atom each more than the fee of their sum, and what opens rounds up for each position.
 */
function assertOpening({ account, market, contract }: PlaceContractOrder, { before, after, events }: Opening): void {
  const { payoff } = after.contracts.find(({ terms }) => terms.market === market)!.terms;
  const [was, is] = [before, after].map((snapshot) => sizeOf(snapshot, { account, market, positionSide: contract.positionSide }));
  const [size, held] = [is ?? 0, was ?? 0];
  const rests = events.some((event) => event.type === 'OrderRested' && event.account === account);
  const grows = Math.abs(size) > Math.abs(held) || Math.sign(size) * Math.sign(held) === -1;
  if (!rests && !grows) return;
  const rounding = BigInt(events.filter(({ type }) => type === 'Trade').length + after.positions.length);
  const own = marginsOf(after, account).find(({ key }) => key === `${account} ${market} ${contract.positionSide}`);
  if (own !== undefined && held === 0)
    assert(own.worth + rounding >= own.initial, `account ${account} opened with a margin of ${own.worth}, not ${own.initial}`);
  const available = availableOf(after, account, payoff, 0) ?? 0n;
  if (available + rounding >= 0n) return;
  const [needed, needs] = [before, after].map((snapshot) => initialOf(snapshot, account, payoff, 0));
  assert(needs! <= needed!, `account ${account} has ${available} available, and needs ${needs} instead of ${needed}`);
}

interface PositionName {
  readonly account: number;
  readonly market: number;
  readonly positionSide: PositionSide;
}

const sizeOf = ({ positions }: Snapshot, { account, market, positionSide }: PositionName): number =>
  positions.find((one) => one.account === account && one.market === market && one.positionSide === positionSide)?.size ?? 0;

const print = (value: unknown): string => JSON.stringify(value, (_, field: unknown) => (typeof field === 'bigint' ? `${field}n` : field));
