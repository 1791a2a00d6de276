import { expect, test } from 'vitest';
import { assert, seq } from '@orrery/units';
import type { Event, Sequenced } from '@orrery/protocol';
import { FILLS_PER_COMMAND } from '@orrery/rules';
import { decodeSnapshot } from '../snapshot/snapshot-codec.ts';
import { boundedEngine, decodeBounded } from '../testing/bounded-engine.ts';
import { Chance } from '../testing/chance.ts';
import { assertFundsSound } from '../testing/funds-sound.ts';
import { NaiveFunds } from '../testing/naive-funds.ts';
import { RandomFunds, type TimedCommand } from '../testing/random-funds.ts';

/** The whole run is a million commands; a part of it runs with every test. */
const COMMANDS = Number(process.env['ORRERY_FUND_COMMANDS'] ?? 8_000);
const EPISODE = 4_000;
/** Orders that one command meets, by turns. */
const FILLS = [FILLS_PER_COMMAND, 2];
const seed = Number(process.env['ORRERY_SEED'] ?? Math.floor(Math.random() * 1_000_000_000));

/** What a run of some length has seen. */
const WANTED = [
  'opened',
  'valued',
  'stale',
  'subscribed',
  'redeemed',
  'redeemed with a fee',
  'redeemed in part',
  'reducing',
  'monthly fee',
  'ended',
  'ended with coins',
  'full by its capacity',
  'full beside its leader',
  'round',
  'round with positions',
  ...['capacity', 'leaderShare', 'closing'].map((reason) => `subscription returned ${reason}`),
  'redemption returned closing',
  ...['halted', 'blocked', 'silent', 'liquidated'].map((reason) => `closing ${reason}`),
];

test('M1, R1: funds are worth, sell, pay and end as their naive twin says', { timeout: 7_200_000 }, () => {
  console.log(`ORRERY_SEED=${seed}`);
  const seen = new Map<string, number>();
  for (let episode = 0; episode * EPISODE < COMMANDS; episode += 1)
    playEpisode((seed + episode) | 0, seen, FILLS[episode % FILLS.length] ?? FILLS_PER_COMMAND);
  console.log([...seen].map(([what, count]) => `${what} ${count}`).join(', '));
  if (COMMANDS >= 200_000) expect(WANTED.filter((what) => !seen.has(what))).toEqual([]);
});

function playEpisode(episodeSeed: number, seen: Map<string, number>, fills: number): void {
  const chance = new Chance(episodeSeed);
  const random = new RandomFunds(chance);
  const naive = new NaiveFunds();
  const history: Sequenced[] = [];
  let engine = boundedEngine(fills);
  const give = ({ at, command }: TimedCommand): readonly Event[] => {
    const sequenced = { seq: seq(history.length + 1), at, command };
    history.push(sequenced);
    const events = engine.apply(sequenced);
    random.follow(events);
    naive.follow(at, command, events);
    return events;
  };
  const drain = (at: TimedCommand['at']): void => {
    for (let next = engine.continuation(); next !== undefined; next = engine.continuation()) give({ at, command: next });
    naive.drained(at);
  };
  try {
    for (let index = 0; index < EPISODE; index += 1) {
      const timed = random.next();
      for (let due = engine.due(timed.at); due !== undefined; due = engine.due(timed.at)) {
        give({ at: timed.at, command: due });
        // Now and then something comes between two steps.
        if (!chance.oneIn(8)) drain(timed.at);
      }
      give(timed);
      drain(timed.at);
      if (index % 97 !== 0) continue;
      const bytes = engine.encodeState();
      const imbalance = engine.imbalance();
      assert(imbalance === undefined, `M1: ${imbalance}`);
      assertFundsSound(decodeSnapshot(bytes));
      engine = decodeBounded(bytes, fills);
    }
    const replayed = boundedEngine(fills);
    for (const command of history) replayed.apply(command);
    expect(replayed.encodeState()).toEqual(engine.encodeState());
    for (const [what, times] of naive.seen) seen.set(what, (seen.get(what) ?? 0) + times);
  } catch (error) {
    throw new Error(`episode seed ${episodeSeed}, command ${history.length}: ${JSON.stringify(history.at(-1), bigText)}`, { cause: error });
  }
}

const bigText = (_key: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);
