/** Random commands of the OTC desk against its naive twin: with prices that jump, are missing and grow old, timers that are late, and restarts in between. */
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { seq, type Millis } from '@orrery/units';
import type { Command, Event, Sequenced } from '@orrery/protocol';
import { createEngine, decodeState, type Engine } from './engine.ts';
import { decodeSnapshot } from './snapshot/snapshot-codec.ts';
import { assertSound } from './testing/assert-sound.ts';
import { Chance } from './testing/chance.ts';
import { Meters } from './testing/meters.ts';
import { NaiveDesk } from './testing/naive-desk.ts';
import { DECIMALS, opening, RandomDesk } from './testing/random-desk.ts';
import { withoutFigures } from './testing/twins.ts';

const COMMANDS = Number(process.env['ORRERY_OTC_COMMANDS'] ?? 20_000);
/** Less than this cannot be expected to reach everything. */
const FULL_DOSE = 100_000;
const EPISODE = 2_000;
const RESTART_EVERY = 250;
/** How many commands of timers stand before one at most, as the sequencer places them. */
const DUE_AT_ONCE = 3;

const FACTS = [
  'OtcTermsSet',
  'AssistPricesSet',
  'AdvertisementPublished',
  'AdvertisementChanged',
  'OtcOrderCreated',
  'OtcDisputeDecided',
  'OtcDecisionAppealed',
  'OtcDeadlinesMoved',
  'MerchantDeposited',
  'MerchantDepositReturned',
  'MerchantDepositPaid',
  'CommandRepeated',
  'WithdrawnInternally',
];
const REFUSALS = [
  'UnknownAdvertisement',
  'UnknownOtcOrder',
  'UnknownMerchant',
  'NotPartyOfOrder',
  'OwnAdvertisement',
  'AdvertisementNotOpen',
  'AdvertisementVersionStale',
  'OtcOrderNotInState',
  'OtcTooSoon',
  'OtcPaused',
  'TooManyOtcOrders',
  'OtcNotIdle',
  'AssistPriceStale',
  'OtcPriceMoved',
  'OtcTotalOutside',
  'OtcCoinsHeld',
  'InsufficientBalance',
  'KeyConflict',
  'DepositInSuspense',
  'AccountBlocked',
  'TermsNotAccepted',
  'NotWhitelisted',
  'InvalidAmount',
  'InvalidField',
  'InvalidCombination',
].map((reason) => `rejected ${reason}`);
const STEPS = [
  ...['PAID', 'DISPUTED', 'RELEASED', 'CANCELLED'].map((status) => `by a side: ${status}`),
  ...['DISPUTED', 'RELEASED', 'RETURNED', 'EXPIRED'].map((status) => `by a timer or an arbiter: ${status}`),
];

test('OT1: orders of the desk are released once or returned once, as the naive desk says', { timeout: 3_600_000 }, () => {
  const seed = Number(process.env['ORRERY_SEED'] ?? Math.floor(Math.random() * 1_000_000_000));
  const seen = new Set<string>();
  const meters = new Meters();
  for (let episode = 0; episode * EPISODE < COMMANDS; episode += 1) {
    try {
      playEpisode((seed + episode) | 0, (command, events) => {
        meters.follow(command, events);
        for (const event of events)
          if (event.type === 'OtcOrderStepped') seen.add(`by a ${event.by === 0 ? 'timer or an arbiter' : 'side'}: ${event.status}`);
      });
    } catch (error) {
      throw new Error(`ORRERY_SEED=${(seed + episode) | 0}`, { cause: error });
    }
  }
  console.log(meters.print());
  if (COMMANDS < FULL_DOSE) return;
  expect(meters.zeros([...FACTS, ...REFUSALS])).toEqual([]);
  expect(STEPS.filter((step) => !seen.has(step))).toEqual([]);
});

function playEpisode(seed: number, follow: (command: Sequenced, events: readonly Event[]) => void): void {
  const chance = new Chance(seed ^ 0x5eed);
  const twin = new NaiveDesk(DECIMALS);
  const random = new RandomDesk(seed, twin);
  const history: Sequenced[] = [];
  let engine = createEngine();
  const apply = (at: Millis, command: Command): readonly Event[] => {
    const sequenced = { seq: seq(history.length + 1), at, command };
    history.push(sequenced);
    return engine.apply(sequenced);
  };
  const give = (at: Millis, command: Command): readonly Event[] => {
    const events = apply(at, command).map(withoutFigures);
    const expected = twin.apply(at, command);
    if (!isDeepStrictEqual(events, expected)) expect(events, print(history.slice(-5))).toEqual(expected);
    follow(history.at(-1)!, events);
    return events;
  };
  const versioned: Command[] = [];
  const start = random.nextAt();
  for (const command of opening()) {
    if (NaiveDesk.knows(command)) give(start, command);
    else apply(start, command);
  }
  let now = start;
  for (let index = 0; index < EPISODE; index += 1) {
    const at = random.nextAt();
    for (const heard of random.heard(now, at)) give(heard.at, heard.command);
    now = at;
    // A clock that stands still leaves what is due to the next command.
    for (let step = 0; step < DUE_AT_ONCE && !chance.oneIn(8); step += 1) {
      const due = engine.due(at);
      if (due !== undefined) give(at, due);
    }
    const command = random.next();
    if (isOfVersion(command) && give(at, command).some(isChange)) versioned.push(command);
    else if (!isOfVersion(command)) give(at, command);
    // However late it comes again, what orders took since is not made available once more.
    if (versioned.length > 0 && chance.oneIn(20)) expect(give(at, chance.pick(versioned)).filter(isChange)).toEqual([]);
    if (index % RESTART_EVERY === 0) engine = restarted(engine, twin);
  }
  const replayed = createEngine();
  for (const command of history) replayed.apply(command);
  expect(replayed.encodeState()).toEqual(engine.encodeState());
  expect(replayed.facts()).toEqual(engine.facts());
  expect(engine.imbalance()).toBeUndefined();
}

const isOfVersion = (command: Command): boolean => command.type === 'UpdateAdvertisement' && command.version !== undefined;
const isChange = ({ type }: Event): boolean => type === 'AdvertisementChanged';

/** Goes on with an engine restored from the bytes, whose escrow is what the naive desk adds up. */
function restarted(engine: Engine, twin: NaiveDesk): Engine {
  const bytes = engine.encodeState();
  const snapshot = decodeSnapshot(bytes);
  assertSound(snapshot);
  for (const asset of [1, 2, 3]) {
    const escrow = snapshot.systemBalances.find((one) => one.system === 'OTC_ESCROW' && one.asset === asset);
    expect(escrow?.free ?? 0n).toBe(twin.escrow(asset));
  }
  const restored = decodeState(bytes);
  expect(restored.encodeState()).toEqual(bytes);
  expect(restored.facts()).toEqual(engine.facts());
  return restored;
}

const print = (commands: readonly Sequenced[]): string =>
  JSON.stringify(commands, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value), 1);
