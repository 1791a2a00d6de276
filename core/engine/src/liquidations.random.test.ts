import { expect, test } from 'vitest';
import { assert, seq } from '@orrery/units';
import { LATEST_RULES, type RulesVersion } from '@orrery/rules';
import type { Event, Sequenced } from '@orrery/protocol';
import { FILLS_PER_COMMAND } from '@orrery/rules';
import { boundedEngine, decodeBounded } from './testing/bounded-engine.ts';
import { Chance } from './testing/chance.ts';
import { decodeSnapshot } from './snapshot/snapshot-codec.ts';
import { CurrentState, sameBytes } from './testing/current-state.ts';
import { checkSizing } from './testing/check-sizing.ts';
import { check, checkEvents, checkFund, checkLeverage, checkUnpaid, checkUnpaidLosses, Openings } from './testing/futures-checks.ts';
import { NaiveFunding, withFundingPaid } from './testing/naive-funding.ts';
import { NaiveBooks } from './testing/naive-books.ts';
import { NaiveProtection } from './testing/naive-protection.ts';
import { NaivePerpetuals } from './testing/naive-perpetuals.ts';
import { CONTRACTS, RandomFutures } from './testing/random-futures.ts';

/** The whole run is a million commands; a part of it runs with every test. */
const COMMANDS = Number(process.env['ORRERY_FUTURES_COMMANDS'] ?? 6_000);
const EPISODE = 2_000;
/** After every this many commands margin is recomputed from scratch, where a round of prices, a transfer or a leverage asks for it: 1 is after each. */
const CHECK_EVERY = Number(process.env['ORRERY_FUTURES_CHECK_EVERY'] ?? 1);
/** Between two comparisons of all that a snapshot shows, in commands. */
const SOUND_EVERY = 10 * CHECK_EVERY;
/** Far more than what one round of prices could leave over. */
const FILLS = [FILLS_PER_COMMAND, 1, 2];
const CONTINUATIONS_MAX = 10_000;
const seed = Number(process.env['ORRERY_SEED'] ?? Math.floor(Math.random() * 1_000_000_000));

/** What a run of some length has seen. */
const WANTED = [
  ...['orderBook', 'takeover', 'adl'].map((stage) => `step ${stage}`),
  'PositionDeleveraged',
  'DeficitShared',
  'uncovered',
  'FundingPaid',
  'CollateralSold',
  'OrderTriggered',
  'MarginAdjusted',
  'TwapClosed',
  'PositionsClosed',
  'settled profit',
  ...['long', 'short', 'both'].map((side) => `trade ${side}`),
  'automatic margin',
  'isolated',
  'closed pricesDegraded',
  ...['PricesDegraded', 'PricesUnreliable'].map((reason) => `rejected ${reason}`),
  ...['lowered', 'raised'].map((way) => `leverage ${way}`),
  ...['noLiquidity', 'slippageBound', 'selfTrade'].map((reason) => `protection: stalled ${reason}`),
  ...['filled', 'positionClosed', 'groupTriggered', 'replaced', 'canceledByAccount'].map((reason) => `protection: ended ${reason}`),
  'protection: stalled at a round',
  'protection: cut',
  ...['reversed', 'whole', 'less', 'refused'].map((what) => `sizing: ${what}`),
  'orders together',
];

/** Here a liquidation traded where the loss took the whole margin, and nobody paid its fee. */
test.each([20_000_505, 30_000_524])('P6: the margin pays the fee of a liquidation too, seed %i', { timeout: 300_000 }, (episode) => {
  playEpisode(episode, new Map(), { rules: 6 });
});

/** Here the liquidator was bankrupt itself, took a short over and closed a part of it, at a loss that nobody could pay, against the long that came next. */
test('P6: a bankrupt liquidator takes nothing over, seed 23000515', { timeout: 300_000 }, () => {
  playEpisode(23_000_515, new Map(), { rules: 6 });
});

/** Here the second reckoning let the margin of what an isolated position opens pay for the loss of what it had closed. */
test('P6: an isolated position that would be turned round pays its loss by the margin it has, seed 27000013', { timeout: 300_000 }, () => {
  playEpisode(27_000_013, new Map(), { rules: 6 });
});

/** Here an order opened without the initial margin, because what the orders against the position needed became less by it. */
test('P6: an order that trades and opens is carried by what is there, seed 380472471', { timeout: 300_000 }, () => {
  playEpisode(380_472_471, new Map(), { settlesOften: false, fills: FILLS[0] });
});

/** Here a counterpart owed more funding than the margin of its isolated position, and the fund was empty. */
test('P6: what a counterpart cannot pay of its funding is no loss of a deleveraging, seed 58', { timeout: 300_000 }, () => {
  playEpisode(58, new Map(), { settlesOften: true, fills: FILLS[0] });
});

/** Positions, orders, plan orders and liquidations that began under rules 6 go on under the latest. */
test.each([51_000_021, 52_000_046])(
  'X4: after an upgrade a contract opens with its third round, whatever READY said before, seed %i',
  { timeout: 300_000 },
  (episode) => {
    playEpisode(episode, new Map(), { rules: 6, upgradedAt: EPISODE / 4 });
  },
);

test('P1, P3, P6, M1: rules are upgraded among open positions', { timeout: 7_200_000 }, () => {
  console.log(`ORRERY_SEED=${seed}`);
  for (let episode = 0; episode * EPISODE < COMMANDS / 3; episode += 1)
    playEpisode((seed + episode) | 0, new Map(), { rules: 6, upgradedAt: EPISODE / 4 });
});

test(
  'O1, O2, O5, O8, P1, P3, P4, P5, P6, P7, P8, P9, X4, M1, M3, M4, R1, R11: whatever traders and prices do, positions and money add up, and who is liquidated is who has to be',
  { timeout: 7_200_000 },
  () => {
    console.log(`ORRERY_SEED=${seed}`);
    const seen = new Map<string, number>();
    for (let episode = 0; episode * EPISODE < COMMANDS; episode += 1)
      playEpisode((seed + episode) | 0, seen, { settlesOften: episode % 2 === 1, fills: FILLS[episode % FILLS.length] });
    console.log([...seen].map(([what, count]) => `${what} ${count}`).join(', '));
    if (COMMANDS >= 100_000) expect(WANTED.filter((what) => !seen.has(what))).toEqual([]);
  },
);

interface EpisodeOptions {
  readonly settlesOften?: boolean;
  readonly rules?: RulesVersion;
  /** Before which command the latest rules begin, where `rules` are older. */
  readonly upgradedAt?: number;
  /** How many orders a command meets. */
  readonly fills?: number | undefined;
}

function playEpisode(
  episodeSeed: number,
  seen: Map<string, number>,
  { settlesOften = false, fills = FILLS_PER_COMMAND, rules = LATEST_RULES, upgradedAt }: EpisodeOptions = {},
): void {
  const random = new RandomFutures(episodeSeed, rules);
  const openings = new Openings();
  if (rules === LATEST_RULES) openings.begin();
  const history: Sequenced[] = [];
  const naive = new NaivePerpetuals();
  const books = new NaiveBooks();
  const funding = new NaiveFunding();
  const protection = new NaiveProtection();
  const sweeps = new Chance(episodeSeed);
  let engine = boundedEngine(fills);
  const state = new CurrentState(() => engine.encodeState());
  const give = ({ at, command }: Pick<Sequenced, 'at' | 'command'>): readonly Event[] => {
    const sequenced = { seq: seq(history.length + 1), at, command };
    history.push(sequenced);
    // In what else an order acts in, something else has happened before.
    const isActing = ['PlaceContractOrder', 'PlaceOrders', 'AmendOrder', 'CloseAllPositions', 'SetLeverage'].includes(command.type);
    const before = isActing || history.length % SOUND_EVERY === 0 ? state.bytes : undefined;
    const events = engine.apply(sequenced);
    state.changed();
    random.follow(events);
    naive.follow(events);
    funding.follow(events);
    protection.follow(command, events);
    const unpaid = books.follow(command, events, at);
    if (isActing && before !== undefined && unpaid.length > 0) checkUnpaid(withFundingPaid(decodeSnapshot(before)), unpaid, at, seen);
    if (before !== undefined && events[0]?.type === 'CommandRejected')
      assert(sameBytes(state.bytes, before), 'R11: a refused command changes nothing');
    if (before !== undefined) checkSizing({ bytes: before, sequenced, fills }, events, seen);
    const imbalance = engine.imbalance();
    assert(imbalance === undefined, `M1: ${imbalance}`);
    checkEvents(events);
    checkFund(command, events);
    if (events.some((event) => event.type === 'LiquidationStep' && event.uncovered > 0n)) checkUnpaidLosses(state.snapshot, events, seen);
    openings.follow(events, at);
    if (before !== undefined && events[0]?.type === 'LeverageSet')
      checkLeverage(withFundingPaid(decodeSnapshot(before)), withFundingPaid(state.snapshot), { command, at }, seen);
    for (const event of events) count(seen, event);
    if (command.type === 'PlaceOrders' && command.orders.length > 1 && events[0]?.type === 'OrderAccepted')
      seen.set('orders together', (seen.get('orders together') ?? 0) + 1);
    return events;
  };
  try {
    for (const timed of random.opening()) {
      const [refused] = give(timed).filter(({ type }) => type === 'CommandRejected');
      assert(refused === undefined, `the opening takes ${timed.command.type}`);
    }
    for (let index = 0; index < EPISODE; index += 1) {
      if (index === upgradedAt) {
        give(random.upgrade());
        openings.begin();
      }
      const timed = random.next();
      if (settlesOften && sweeps.below(25) === 0) {
        const { market } = sweeps.pick(CONTRACTS);
        give({ at: timed.at, command: { type: 'ForceFunding', market, interval: timed.at } });
      }
      const events = [...give(timed)];
      const last = history.length + CONTINUATIONS_MAX;
      for (let next = engine.continuation(); next !== undefined; next = engine.continuation()) {
        // The sweep of a settlement goes on between other commands: here sometimes much later.
        if (next.type === 'ContinueFunding' && settlesOften && sweeps.below(8) > 0) break;
        events.push(...give({ at: timed.at, command: next }));
        assert(history.length < last, 'what a command leaves over ends');
      }
      if (timed.command.type === 'SubmitPrices' && engine.continuation() === undefined) protection.checkRound(timed.command.market);
      if (index % CHECK_EVERY === 0) check(state, timed, events, { isSoundDue: index % SOUND_EVERY === 0, seen });
      if (index % SOUND_EVERY === 0) {
        naive.compare(state.snapshot);
        books.compare(state.snapshot);
        funding.compare(state.snapshot);
      }
      // An engine restored from its bytes has no bounds, and decides the same.
      if (index % 97 === 0) {
        engine = decodeBounded(state.bytes, fills);
        state.changed();
      }
    }
    const replayed = boundedEngine(fills);
    for (const command of history) replayed.apply(command);
    expect(replayed.encodeState()).toEqual(engine.encodeState());
    for (const [what, times] of protection.seen) seen.set(`protection: ${what}`, (seen.get(`protection: ${what}`) ?? 0) + times);
    for (const [what, times] of books.seen) seen.set(`book: ${what}`, (seen.get(`book: ${what}`) ?? 0) + times);
  } catch (error) {
    throw new Error(
      `episode seed ${episodeSeed}, command ${history.length}: ${JSON.stringify(history.at(-1), (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))}`,
      { cause: error },
    );
  }
}

function count(seen: Map<string, number>, event: Event): void {
  for (const what of namesOf(event)) seen.set(what, (seen.get(what) ?? 0) + 1);
}

/** By what coverage counts an event. */
function namesOf(event: Event): readonly string[] {
  switch (event.type) {
    case 'LiquidationStep':
      return [`step ${event.stage}`];
    case 'CommandRejected':
      return [`rejected ${event.reason}`];
    case 'OrderClosed':
      return [`closed ${event.reason}`];
    case 'PositionChanged':
      return [`trade ${event.positionSide}`, ...(event.margin > 0n ? ['isolated'] : [])];
    case 'PositionReduced':
      return [event.size === 0 ? 'settled profit' : `reduced by ${event.cause}`];
    case 'MarginAdjusted':
      return [event.key === '' ? 'automatic margin' : event.type];
    case 'BalanceChanged':
    case 'OrderAccepted':
      return [];
    default:
      return [event.type];
  }
}
