import { expect, test } from 'vitest';
import { assert, millis, seq, type Millis } from '@orrery/units';
import type { Command, Event } from '@orrery/protocol';
import { createEngine, decodeState, type Engine } from '../engine.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { decodeSnapshot } from '../snapshot/snapshot-codec.ts';
import { assertSound } from '../testing/assert-sound.ts';
import { Chance } from '../testing/chance.ts';
import { CONTRACTS, RandomFutures, type Timed } from '../testing/random-futures.ts';

const COMMANDS = Number(process.env['ORRERY_FUNDING_COMMANDS'] ?? 1_500);
const EPISODE = 1_000;
/** On average, in commands. */
const TRIAL_EVERY = 15;
/** The most commands between a settlement and its sweep. */
const UNPAID_MAX = 12;
const seed = Number(process.env['ORRERY_SEED'] ?? Math.floor(Math.random() * 1_000_000_000));

test(
  'P2, P4: while funding is unpaid every command is answered as if everybody had paid at once, and leaves the same state after the sweep',
  { timeout: 600_000 },
  () => {
    console.log(`ORRERY_SEED=${seed}`);
    const counts: Counts = { compared: 0, accepted: 0, lacking: 0 };
    for (let episode = 0; episode * EPISODE < COMMANDS; episode += 1) playEpisode((seed + episode) | 0, counts);
    console.log(counts);
    expect(counts.accepted).toBeGreaterThan(COMMANDS / 40);
    expect(counts.compared).toBeGreaterThan(counts.lacking);
  },
);

interface Counts {
  /** Pairs of states that were compared. */
  compared: number;
  /** Commands that were accepted while funding was unpaid. */
  accepted: number;
  /** Pairs of which an account had not the free money for its funding: what pays instead depends on when it is paid. */
  lacking: number;
}

function playEpisode(episodeSeed: number, counts: Counts): void {
  const random = new RandomFutures(episodeSeed);
  const chance = new Chance(episodeSeed);
  let paidAtOnce = new Pair(createEngine());
  for (const { at, command } of random.opening()) random.follow(paidAtOnce.give(command, at, 'sweep'));
  for (let index = 0; index < EPISODE; index += 1) {
    const { at, command } = random.next();
    random.follow(paidAtOnce.give(command, at, 'sweep'));
    if (chance.below(TRIAL_EVERY) > 0) continue;
    try {
      paidAtOnce = compare(random, chance, { paidAtOnce, at, counts });
    } catch (error) {
      throw new Error(`episode seed ${episodeSeed}, command ${index}`, { cause: error });
    }
  }
}

interface Trial {
  readonly paidAtOnce: Pair;
  readonly at: Millis;
  readonly counts: Counts;
}

/** Settles the funding of every contract, and gives the same commands to an engine that has paid it and to one that has not. */
function compare(random: RandomFutures, chance: Chance, { paidAtOnce, at, counts }: Trial): Pair {
  const unpaid = new Pair(decodeState(paidAtOnce.engine.encodeState()));
  const owed = uncoveredOf(snapshotOf(paidAtOnce));
  const owesMore = (pair: Pair): boolean => uncoveredOf(snapshotOf(pair)) !== owed;
  for (const { market } of CONTRACTS) {
    const settle: Command = { type: 'ForceFunding', market, interval: millis(at) };
    unpaid.give(settle, at, 'wait');
    paidAtOnce.give(settle, at, 'sweep');
  }
  let isLacking = paidAtOnce.isLacking || unpaid.isLacking || owesMore(paidAtOnce);
  for (const timed of commandsOf(random, chance, paidAtOnce)) {
    const answer = paidAtOnce.give(timed.command, timed.at, 'sweep');
    random.follow(answer);
    const other = unpaid.give(timed.command, timed.at, 'wait');
    isLacking ||= paidAtOnce.isLacking || unpaid.isLacking || owesMore(unpaid);
    if (isLacking) break;
    expect(other.filter(isDecision), JSON.stringify(timed.command, print)).toEqual(answer.filter(isDecision));
    if (other[0]?.type !== 'CommandRejected') counts.accepted += 1;
    // What is unpaid goes on after a snapshot too.
    if (chance.below(4) === 0) unpaid.restart();
    assertSound(snapshotOf(unpaid));
  }
  unpaid.sweep(at);
  isLacking ||= unpaid.isLacking || owesMore(unpaid);
  if (isLacking) counts.lacking += 1;
  else {
    counts.compared += 1;
    expect(snapshotOf(unpaid)).toEqual(snapshotOf(paidAtOnce));
  }
  paidAtOnce.isLacking = false;
  return paidAtOnce;
}

function* commandsOf(random: RandomFutures, chance: Chance, paidAtOnce: Pair): Generator<Timed> {
  for (let index = chance.below(UNPAID_MAX); index > 0; index -= 1) {
    const timed = random.next();
    // A round looks at those whom funding has brought below their maintenance once they have paid; an index price values what was sold; what is placed together waits.
    if (['SubmitPrices', 'SetIndexPrice', 'SettleFunding', 'ForceFunding', 'PlaceOrders'].includes(timed.command.type)) continue;
    const edge = EDGES[timed.command.type];
    if (edge !== undefined) yield* edgesOf(paidAtOnce, timed, edge);
    else yield timed;
  }
}

/** The field of a command whose largest value that is accepted depends on money to the atom. */
const EDGES: Partial<Record<Command['type'], 'amount' | 'size' | 'leverage'>> = {
  Transfer: 'amount',
  AdjustMargin: 'amount',
  PlaceContractOrder: 'size',
  SetLeverage: 'leverage',
};

/** The command with the first value that is refused once everybody has paid, then with the last that is taken. */
function* edgesOf({ engine }: Pair, { at, command }: Timed, field: 'amount' | 'size' | 'leverage'): Generator<Timed> {
  const bytes = engine.encodeState();
  const withValue = (value: number, key: string): Command => {
    const made = { ...command, [field]: field === 'amount' ? BigInt(value) : value } as Command;
    return made.type === 'Transfer'
      ? { ...made, transferId: made.transferId + key }
      : made.type === 'AdjustMargin'
        ? { ...made, key: made.key + key }
        : made;
  };
  const isTaken = (value: number): boolean =>
    decodeState(bytes).apply({ seq: seq(1), at, command: withValue(value, '') })[0]?.type !== 'CommandRejected';
  let [taken, refused] = [0, field === 'leverage' ? 41 : field === 'size' ? 10_000_000 : 1e11];
  while (refused - taken > 1) {
    const middle = Math.floor((taken + refused) / 2);
    if (isTaken(middle)) taken = middle;
    else refused = middle;
  }
  yield { at, command: withValue(refused, '!') };
  if (taken > 0) yield { at, command: withValue(taken, '') };
}

class Pair {
  engine: Engine;
  /** Whether somebody paid by something else than free money or margin. */
  isLacking = false;
  #seq = 0;

  constructor(engine: Engine) {
    this.engine = engine;
  }

  /** Gives a command and what it leaves over; the sweep of funding with it or not. */
  give(command: Command, at: Millis, funding: 'sweep' | 'wait'): readonly Event[] {
    const events = [...this.#apply(command, at)];
    for (let next = this.engine.continuation(); next !== undefined; next = this.engine.continuation()) {
      if (next.type === 'ContinueFunding' && funding === 'wait') break;
      events.push(...this.#apply(next, at));
    }
    return events;
  }

  sweep(at: Millis): void {
    for (let next = this.engine.continuation(); next !== undefined; next = this.engine.continuation()) this.#apply(next, at);
  }

  restart(): void {
    this.engine = decodeState(this.engine.encodeState());
  }

  #apply(command: Command, at: Millis): readonly Event[] {
    this.#seq += 1;
    const events = this.engine.apply({ seq: seq(this.#seq), at, command });
    const imbalance = this.engine.imbalance();
    assert(imbalance === undefined, `M1: ${imbalance}`);
    this.isLacking ||= events.some(isLack);
    return events;
  }
}

const snapshotOf = ({ engine }: Pair): Snapshot => decodeSnapshot(engine.encodeState());

/** What nobody could pay, of each asset: where the fund has nothing either, no event says that somebody lacked money. */
const uncoveredOf = ({ systemBalances }: Snapshot): string =>
  systemBalances
    .filter(({ system }) => system === 'UNCOVERED')
    .map(({ asset, free }) => `${asset} ${free}`)
    .join();

const isLack = (event: Event): boolean =>
  event.type === 'CollateralSold' ||
  event.type === 'LiquidationStep' ||
  (event.type === 'PositionReduced' && event.size === 0) ||
  (event.type === 'InsuranceChanged' && event.change < 0n);

/** What a command does but for money: that depends on when funding is paid until the sweep is over. */
const isDecision = ({ type }: Event): boolean => type !== 'FundingPaid' && type !== 'BalanceChanged' && type !== 'PositionChanged';

const print = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);
