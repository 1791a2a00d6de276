import { expect, test } from 'vitest';
import { assert, seq, type Millis } from '@orrery/units';
import type { Event, Sequenced } from '@orrery/protocol';
import { createEngine, decodeState, type Engine } from './engine.ts';
import { decodeSnapshot } from './snapshot/snapshot-codec.ts';
import type { Snapshot } from './snapshot/snapshot.ts';
import { equityOf, marginsOf } from './testing/naive-margin.ts';
import { CONTRACTS, LIQUIDATOR, RandomFutures } from './testing/random-futures.ts';

/** The whole run is a million commands; a part of it runs with every test. */
const COMMANDS = Number(process.env['ORRERY_FUTURES_COMMANDS'] ?? 6_000);
const EPISODE = 2_000;
const seed = Number(process.env['ORRERY_SEED'] ?? Math.floor(Math.random() * 1_000_000_000));

test(
  'P1, P3, P5, P6, P7, P8, X4, R1: whatever traders and prices do, positions and money add up, and who is liquidated is who has to be',
  { timeout: 3_600_000 },
  () => {
    console.log(`ORRERY_SEED=${seed}`);
    const seen = new Map<string, number>();
    for (let episode = 0; episode * EPISODE < COMMANDS; episode += 1) playEpisode((seed + episode) | 0, seen);
    console.log([...seen].map(([what, count]) => `${what} ${count}`).join(', '));
  },
);

function playEpisode(episodeSeed: number, seen: Map<string, number>): void {
  const random = new RandomFutures(episodeSeed);
  const history: Sequenced[] = [];
  let engine = createEngine();
  const give = ({ at, command }: Pick<Sequenced, 'at' | 'command'>): readonly Event[] => {
    const sequenced = { seq: seq(history.length + 1), at, command };
    history.push(sequenced);
    const events = engine.apply(sequenced);
    const imbalance = engine.imbalance();
    assert(imbalance === undefined, `M1: ${imbalance}`);
    checkEvents(events);
    for (const event of events) count(seen, event);
    return events;
  };
  try {
    for (const timed of random.opening()) give(timed);
    for (let index = 0; index < EPISODE; index += 1) {
      const timed = random.next();
      const events = [...give(timed)];
      for (let next = engine.continuation(); next !== undefined; next = engine.continuation())
        events.push(...give({ at: timed.at, command: next }));
      if (events.some(({ type }) => type === 'PricesSet' || type === 'Trade' || type === 'FundingSettled')) check(engine, timed.at, events);
      // An engine restored from its bytes has no bounds, and decides the same.
      if (index % 97 === 0) engine = decodeState(engine.encodeState());
    }
    const replayed = createEngine();
    for (const command of history) replayed.apply(command);
    expect(replayed.encodeState()).toEqual(engine.encodeState());
  } catch (error) {
    throw new Error(
      `episode seed ${episodeSeed}, command ${history.length}: ${JSON.stringify(history.at(-1), (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))}`,
      { cause: error },
    );
  }
}

function count(seen: Map<string, number>, event: Event): void {
  const what = event.type === 'LiquidationStep' ? event.stage : event.type === 'CommandRejected' ? 'rejected' : event.type;
  if (['orderBook', 'takeover', 'adl', 'PositionDeleveraged', 'FundingSettled', 'Trade', 'MarginAdjusted', 'rejected'].includes(what))
    seen.set(what, (seen.get(what) ?? 0) + 1);
}

/** P5: a liquidation only below maintenance. P7: what is deleveraged is exactly what was bankrupt. */
function checkEvents(events: readonly Event[]): void {
  let deleveraged = 0;
  for (const event of events) {
    if (event.type === 'PositionDeleveraged') deleveraged += event.size;
    if (event.type !== 'LiquidationStep') continue;
    assert(event.equity < event.maintenance, `P5: account ${event.account} is below its maintenance`);
    assert(event.uncovered === 0n, 'P6: no loss is left uncovered');
    if (event.stage !== 'adl') continue;
    assert(deleveraged === event.size, `P7: ${event.size} lots are deleveraged, not ${deleveraged}`);
    deleveraged = 0;
  }
}

function check(engine: Engine, at: Millis, events: readonly Event[]): void {
  const snapshot = decodeSnapshot(engine.encodeState());
  checkPositions(snapshot);
  // Whom the round itself has changed the next one looks at.
  const changed = new Set(events.map((event) => (event.type === 'PositionChanged' || event.type === 'BalanceChanged' ? event.account : 0)));
  if (events[0]?.type === 'PricesSet') checkWhoIsLiquidated(snapshot, at, { market: events[0].market, changed });
}

/** P1: longs are as many as shorts. P3: CLEARING and the signed cost of all positions sum to zero. M3: nothing is below zero. */
function checkPositions({ positions, systemBalances, balances }: Snapshot): void {
  for (const { market, settle, payoff } of CONTRACTS) {
    const own = positions.filter((position) => position.market === market);
    assert(own.reduce((sum, { size }) => sum + size, 0) === 0, `P1: contract ${market} has as many longs as shorts`);
    const signed = own.reduce((sum, { size, cost }) => sum + (size > 0 ? cost : 0n - cost), 0n) * (payoff === 'linear' ? 1n : -1n);
    const clearing = systemBalances.find((one) => one.system === 'CLEARING' && one.asset === settle)?.free ?? 0n;
    assert(clearing + signed === 0n, `P3: contract ${market}: CLEARING ${clearing} and cost ${signed}`);
  }
  for (const { account, free, held } of balances) assert(free >= 0n && held >= 0n, `M3: account ${account} has nothing below zero`);
  for (const { system, free } of systemBalances)
    assert(free >= 0n || system === 'EXTERNAL' || system === 'CLEARING' || system === 'UNCOVERED', `M10: ${system} is not below zero`);
}

interface Round {
  readonly market: number;
  readonly changed: ReadonlySet<number>;
}

/** A second reckoning of every account, from scratch: after a round each one below its maintenance is being liquidated. */
function checkWhoIsLiquidated(snapshot: Snapshot, at: Millis, { market: round, changed }: Round): void {
  const isValid = (market: number): boolean => {
    const { prices } = snapshot.contracts.find(({ terms }) => terms.market === market)!;
    return prices.state === 'READY' && prices.freshRounds >= 3 && at - prices.freshAt <= 30_000;
  };
  if (!isValid(round)) return;
  const liquidated = new Set(snapshot.liquidations.map(({ key }) => key));
  for (const margin of marginsOf(snapshot)) {
    const { account, key, maintenance, markets } = margin;
    if (changed.has(account)) continue;
    const least = account === LIQUIDATOR ? 0n : maintenance;
    const equity = equityOf(margin);
    if (equity < least && markets.every(isValid)) assert(liquidated.has(key), `P5: ${key} with ${equity} of ${least} is found`);
  }
}
