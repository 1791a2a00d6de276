import { expect, test } from 'vitest';
import { assert, seq } from '@orrery/units';
import type { Event, Sequenced } from '@orrery/protocol';
import { FILLS_PER_COMMAND } from '@orrery/rules';
import { boundedEngine, decodeBounded } from '../testing/bounded-engine.ts';
import { NaiveProtection } from '../testing/naive-protection.ts';
import { RandomFutures } from '../testing/random-futures.ts';

/** The whole run is a million commands; a part of it runs with every test. */
const COMMANDS = Number(process.env['ORRERY_PROTECTION_COMMANDS'] ?? 8_000);
const EPISODE = 2_000;
/** Orders that one command meets, by turns: what is left of one goes on between other commands. */
const FILLS = [FILLS_PER_COMMAND, 1, 2];
const CONTINUATIONS_MAX = 10_000;
const seed = Number(process.env['ORRERY_SEED'] ?? Math.floor(Math.random() * 1_000_000_000));

/** What a run of some length has seen. */
const WANTED = [
  ...['noLiquidity', 'slippageBound', 'priceOutOfBand', 'selfTrade', 'marginMissing'].map((reason) => `stalled ${reason}`),
  ...['filled', 'positionClosed', 'groupTriggered', 'replaced', 'canceledByAccount', 'reduceOnly'].map((reason) => `ended ${reason}`),
  'stalled at a round',
  'cut',
  'cut in the book',
  'command PlaceOrders',
  'command SetProtection',
  'command CloseAllPositions',
  'command reverse',
  'command most',
  'liquidations',
  'deleveraged',
];

/**
 * By the events alone, a second time: whatever closes, turns, amends, liquidates and reprices, on books that are empty or thin and after restarts, a position that had a
 * stop has one until it is flat or turned, until its owner took it away, or until it has filled.
 */
test('O8, M1, R1: what protects a position ends with the position', { timeout: 7_200_000 }, () => {
  console.log(`ORRERY_SEED=${seed}`);
  const seen = new Map<string, number>();
  for (let episode = 0; episode * EPISODE < COMMANDS; episode += 1)
    playEpisode((seed + episode) | 0, seen, FILLS[episode % FILLS.length] ?? FILLS_PER_COMMAND);
  console.log([...seen].map(([what, count]) => `${what} ${count}`).join(', '));
  if (COMMANDS >= 100_000) expect(WANTED.filter((what) => !seen.has(what))).toEqual([]);
});

function playEpisode(episodeSeed: number, seen: Map<string, number>, fills: number): void {
  const random = new RandomFutures(episodeSeed);
  const protection = new NaiveProtection();
  const history: Sequenced[] = [];
  const count = (what: string, times = 1): void => void seen.set(what, (seen.get(what) ?? 0) + times);
  let engine = boundedEngine(fills);
  const give = ({ at, command }: Pick<Sequenced, 'at' | 'command'>): readonly Event[] => {
    const sequenced = { seq: seq(history.length + 1), at, command };
    history.push(sequenced);
    const events = engine.apply(sequenced);
    random.follow(events);
    protection.follow(command, events);
    const imbalance = engine.imbalance();
    assert(imbalance === undefined, `M1: ${imbalance}`);
    for (const { type } of events) if (type === 'LiquidationStep') count('liquidations');
    for (const { type } of events) if (type === 'PositionDeleveraged') count('deleveraged');
    if (events[0]?.type !== 'CommandRejected') count(`command ${('sizing' in command ? command.sizing : undefined) ?? command.type}`);
    return events;
  };
  try {
    for (const timed of random.opening()) give(timed);
    for (let index = 0; index < EPISODE; index += 1) {
      const timed = random.next();
      give(timed);
      const last = history.length + CONTINUATIONS_MAX;
      for (let next = engine.continuation(); next !== undefined; next = engine.continuation()) {
        give({ at: timed.at, command: next });
        assert(history.length < last, 'what a command leaves over ends');
      }
      if (timed.command.type === 'SubmitPrices') protection.checkRound(timed.command.market);
      if (index % 97 === 0) engine = decodeBounded(engine.encodeState(), fills);
    }
    const replayed = boundedEngine(fills);
    for (const command of history) replayed.apply(command);
    expect(replayed.encodeState()).toEqual(engine.encodeState());
    for (const [what, times] of protection.seen) count(what, times);
  } catch (error) {
    throw new Error(`episode seed ${episodeSeed}, command ${history.length}: ${JSON.stringify(history.at(-1), bigText)}`, { cause: error });
  }
}

const bigText = (_key: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);
