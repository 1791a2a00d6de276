import { expect, test } from 'vitest';
import { CLOSE_REASONS, REJECT_REASONS, SELF_TRADE_PREVENTIONS, type Sequenced } from '@orrery/protocol';
import { FILLS_PER_COMMAND } from '@orrery/rules';
import type { Engine } from './engine.ts';
import { decodeSnapshot } from './snapshot/snapshot-codec.ts';
import { assertSound } from './testing/assert-sound.ts';
import { boundedEngine, decodeBounded } from './testing/bounded-engine.ts';
import { Meters } from './testing/meters.ts';
import { NaiveBooks } from './testing/naive-books.ts';
import { NaiveExchange } from './testing/naive-exchange.ts';
import { OrderAuditor } from './testing/order-auditor.ts';
import { RandomCommands } from './testing/random-commands.ts';
import { compareOne, shrink, type Difference } from './testing/twins.ts';

const FULL_DOSE = 400_000;
const COMMANDS = Number(process.env['ORRERY_COMMANDS'] ?? FULL_DOSE);
const EPISODE = 2_000;
const CHECK_EVERY = 200;
const FILLS = [1, 2, 3];
const seed = Number(process.env['ORRERY_SEED'] ?? Math.floor(Math.random() * 1_000_000_000));

/** Refusals that these commands cannot cause: tables show them instead. */
const ELSEWHERE = [
  'AlreadyRegistered',
  'InternalReject',
  // Of contracts, which these commands do not trade.
  'InvalidLeverage',
  'UnknownPosition',
  'UnknownTwap',
  'PositionSideMismatch',
  'PositionOpen',
  'OrdersOpen',
  'PricesDegraded',
  'ReduceOnlyRefused',
  'OpenInterestExceeded',
  'PositionTooLarge',
  'CollateralCapExceeded',
  'TooManyTriggers',
  'ScheduleTooSoon',
  'FundingNotDue',
  'InsufficientMargin',
  'MarginNotRemovable',
  'PracticeAsset',
  'PricesUnreliable',
  'UnderLiquidation',
  // Of the OTC desk.
  'UnknownAdvertisement',
  'UnknownOtcOrder',
  'UnknownMerchant',
  'OtcClosed',
  'NotPartyOfOrder',
  'OwnAdvertisement',
  'AdvertisementNotOpen',
  'AdvertisementVersionStale',
  'OtcOrderNotInState',
  'OtcTooSoon',
  'OtcPaused',
  'TooManyAdvertisements',
  'TooManyOtcOrders',
  'OtcNotIdle',
  'AssistPriceStale',
  'OtcPriceMoved',
  'OtcTotalOutside',
  'OtcCoinsHeld',
  'UnknownFund',
  'FundAccount',
  'FundShare',
  'FundMarketRefused',
  'FundNotOpen',
  'FundAccountInUse',
  'TooManyFunds',
  'SubscriptionTooSmall',
  'FundFull',
  'SharesLocked',
  'LeaderShareTooSmall',
  'TooManyFundRequests',
  'FundLeverageExceeded',
  'FundContractExceeded',
  'FundNotDue',
];
/** No order of a spot market closes for these. */
const UNUSED = [
  'marketClosed',
  'marginMissing',
  'reduceOnly',
  'liquidation',
  'scheduledCancel',
  'positionClosed',
  'parentClosed',
  'closeAll',
  'pricesDegraded',
];

const WANTED = [
  ...REJECT_REASONS.filter((reason) => !ELSEWHERE.includes(reason)).map((reason) => `rejected ${reason}`),
  ...CLOSE_REASONS.filter((reason) => !UNUSED.includes(reason)).map((reason) => `closed ${reason}`),
  ...SELF_TRADE_PREVENTIONS.map((mode) => `selfTrade ${mode}`),
  ...['rested', 'filled', 'selfTrade', 'canceledByAccount', 'replaced', 'expired', 'accountBlocked'].map(
    (outcome) => `limit GTC ${outcome}`,
  ),
  ...['filled', 'remainderNotFilled', 'selfTrade'].map((outcome) => `limit IOC ${outcome}`),
  'limit FOK filled',
  'limit GTX rested',
  'limit GTX filled',
  'market FOK filled',
  ...['filled', 'remainderNotFilled', 'slippageBound', 'selfTrade'].map((outcome) => `market IOC ${outcome}`),
  ...['triggered', 'rested', 'filled', 'canceledByAccount'].map((outcome) => `stopLimit GTC ${outcome}`),
  ...['triggered', 'filled', 'remainderNotFilled'].map((outcome) => `stopLimit IOC ${outcome}`),
  ...['filled', 'refusedAtTrigger'].map((outcome) => `stopLimit FOK ${outcome}`),
  ...['rested', 'refusedAtTrigger'].map((outcome) => `stopLimit GTX ${outcome}`),
  ...['triggered', 'filled', 'slippageBound', 'refusedAtTrigger', 'selfTrade'].map((outcome) => `stopMarket IOC ${outcome}`),
  ...['filled', 'refusedAtTrigger'].map((outcome) => `stopMarket FOK ${outcome}`),
  'triggers continued',
  'matching continued',
  'OrderPaused',
  'OrderReduced',
  'OrderAmended',
  'placed together',
  'cancelled together',
  'a batch refused',
  'closed amendedToFilled',
  'OrderRepeated',
  'CommandRepeated',
  'DepositWrittenOff',
  'WriteOffRepaid',
  'InsuranceChanged',
];

test(
  'O3, M1, M3, M4, M5, M6, M10, O1, O2, O4, O5, O6, O7, O10, R1, R11: random commands tell the same as the naive exchange',
  { timeout: 1_800_000 },
  () => {
    console.log(`ORRERY_SEED=${seed}`);
    const meters = new Meters();
    for (let episode = 0; episode * EPISODE < COMMANDS; episode += 1) playEpisode((seed + episode) | 0, meters);
    console.log(meters.print());
    // A shorter run, such as the mutation run makes, cannot reach everything.
    if (COMMANDS >= FULL_DOSE) expect(meters.zeros(WANTED)).toEqual([]);
  },
);

function playEpisode(episodeSeed: number, meters: Meters): void {
  const random = new RandomCommands(episodeSeed);
  // Three in four episodes meet the bound of a command often.
  const fills = FILLS[episodeSeed & 3] ?? FILLS_PER_COMMAND;
  const naive = new NaiveExchange(fills);
  const books = new NaiveBooks();
  const auditor = new OrderAuditor();
  const history: Sequenced[] = [];
  let engine = boundedEngine(fills);
  for (let index = 0; index < EPISODE; index += 1) {
    const command = random.next();
    history.push(command);
    const before = index % CHECK_EVERY < 4 ? engine.encodeState() : undefined;
    const difference = compareOne(engine, naive, command, index);
    if (difference !== undefined) fail({ episodeSeed, fills }, history, difference);
    // R11: a refused command changes nothing.
    if (before !== undefined && naive.events[0]?.type === 'CommandRejected') expect(engine.encodeState()).toEqual(before);
    random.follow(command, naive.events);
    auditor.follow(naive.events);
    books.follow(command.command, naive.events);
    meters.follow(command, naive.events);
    if (index % CHECK_EVERY === 0) {
      engine = checked(engine, fills);
      books.compare(decodeSnapshot(engine.encodeState()));
    }
  }
  const replayed = boundedEngine(fills);
  for (const command of history) replayed.apply(command);
  expect(replayed.encodeState()).toEqual(engine.encodeState());
  expect(replayed.facts()).toEqual(engine.facts());
}

/** Goes on with an engine restored from the bytes, which must be as good as the one they came from. */
function checked(engine: Engine, fills: number): Engine {
  const bytes = engine.encodeState();
  assertSound(decodeSnapshot(bytes));
  const restored = decodeBounded(bytes, fills);
  expect(restored.encodeState()).toEqual(bytes);
  return restored;
}

function fail(
  { episodeSeed, fills }: { episodeSeed: number; fills: number },
  history: readonly Sequenced[],
  difference: Difference,
): never {
  const print = (value: unknown): string => JSON.stringify(value, (_, field: unknown) => (typeof field === 'bigint' ? `${field}n` : field));
  const fewest = shrink(history, () => boundedEngine(fills), fills)
    .map(print)
    .join('\n');
  throw new Error(
    `episode seed ${episodeSeed}, ${fills} fills a command, fewest commands:\n${fewest}\n\nengine:\n${difference.engine}\n\nnaive:\n${difference.naive}`,
  );
}
