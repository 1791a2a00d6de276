/** One source of outside prices of three is silent, wrong or mad, on each market in another way; and all of them are silent. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Command, Event, PricesSet } from '@orrery/protocol';
import { createClient } from '@orrery/sdk';
import { followFolder, nodeDisk } from '@orrery/sequencer';
import { verifyFolder } from '@orrery/sequencer/verify';
import { seq } from '@orrery/units';
import { Chance } from '../../../core/engine/src/testing/chance.ts';
import { startProgram, type Program } from '../../../exchange/e2e/program.ts';
import { until } from '../../../exchange/e2e/until.ts';
import { ENGINES } from '../../../exchange/src/engines.ts';
import { DurableSeq } from '../../../exchange/src/history/durable-seq.ts';
import { CONTRACTS, MARKETS } from '../../../exchange/src/listing.ts';
import { historyDirectory } from '../../../exchange/src/start-heart.ts';
import type { Context, Experiment, Findings } from '../experiment.ts';
import { inFolder } from '../folder.ts';
import { PriceFeed, type Report, type Reporting } from '../instruments/price-feed.ts';
import { shuffled } from '../instruments/shuffled.ts';
import { Verdict } from '../instruments/verdict.ts';

const SOURCES = 3;
const SPOT_SYMBOLS = MARKETS.map(({ symbol }) => symbol);
/** A contract is fed by the symbol that it has: where the spot market has it too, by the same quotes. */
const CONTRACT_SYMBOLS = CONTRACTS.map(({ symbol }) => symbol);
const SYMBOLS = [...new Set([...SPOT_SYMBOLS, ...CONTRACT_SYMBOLS])];
/**
 * What a source strays is a hundred ticks and more, so that a good price hardly ever repeats: an unchanged one is submitted every nine seconds only,
 * longer than a round.
 */
const FAIR: Readonly<Record<string, number>> = {
  BTC_USDC: 64_000,
  ETH_USDC: 3_000,
  SOL_USDC: 1_500,
  BNB_USDC: 6_000,
  WSOSO_USDC: 50,
  DOGE_USDC: 16,
  BTC_USD: 64_000,
};
/** How far a good source strays, and what a price may be away from the fair one. */
const STRAY = 0.002;
const SANE = 0.005;
/** How far the mark of a contract may be from its index beside that. */
const MARK_BOUND = 0.005;
/** Longer than the interval of prices, three seconds. */
const ROUND_MS = 5_000;
/** An older price is not fresh, and no command may carry it. */
const STALE_MS = 10_000;
const GRACE_MS = 2_000;
/** Until a source that was cut off is connected again. */
const SETTLE_MS = 2_000;
/** X4: before them nothing is liquidated. */
const FRESH_ROUNDS_MIN = 3;
const SILENCE_EVERY = 10;
/** An unchanged price is repeated every nine seconds: a silence lasts longer. */
const SILENCE_MS = 14_000;
const ROUNDS = { small: 3, large: 60 } as const;

export const wrongPrices: Experiment = {
  id: 'E22',
  title: 'sources of outside prices frozen, wrong, mad or silent',
  mustHold:
    'no command carries a price that is not sane, and no contract has an index or a mark that is not; one bad source of three stops nothing; ' +
    'without a fresh source there is no price, and a contract is degraded; after kill -9 the rounds of a contract count from the first',
  waits: true,
  run: (context) => inFolder((dataDirectory) => run(dataDirectory, context)),
};

const both = (value: unknown): Reporting => ({ bid: value, ask: value });

/** On one market in every round: the one that would be seen if only this source were believed. */
const TENFOLD: Report = (fair) => both(String(fair * 10));

const WRONG: Readonly<Record<string, Report>> = {
  silent: () => undefined,
  'ten times the price': TENFOLD,
  'a tenth of the price': (fair) => both(String(fair / 10)),
  zero: () => both('0'),
  'not a number': () => both('NaN'),
  infinite: () => both('Infinity'),
  negative: (fair) => both(String(-fair)),
  'an exponent': (fair) => both(fair.toExponential()),
  'a number in place of text': (fair) => both(fair),
  'no ask': (fair) => ({ bid: String(fair), ask: null }),
  'bid above ask': (fair) => ({ bid: String(fair * 1.01), ask: String(fair * 0.99) }),
  'more digits than there are atoms': () => both('9'.repeat(60)),
  'a tail of digits': (fair) => both(`${fair}.${'3'.repeat(80)}`),
  'half a message': () => '{"s":"BTC_USDC","b":"6',
  'a list of lists': () => '[[[[]]]]',
  'a megabyte': () => `"${'x'.repeat(1_000_000)}"`,
  'from the future': (fair) => ({ bid: String(fair * 2), ask: String(fair * 2), time: 9e15 }),
};

interface Span {
  readonly from: number;
  readonly to: number;
}

interface Silence extends Span {
  readonly symbol: string;
}

async function run(dataDirectory: string, { dose, seed, say }: Context): Promise<Findings> {
  const chance = new Chance(seed);
  /** What is wrong now, by source and symbol. */
  const wrong = new Map<string, Report>();
  const feeds = await openFeeds(wrong, chance);
  const env = { ORRERY_PRICE_FEEDS: JSON.stringify(feeds.map(({ config }) => config)), ORRERY_MARKET_MAKER: 'off' };
  let program = await startProgram({ dataDirectory, env });
  await opened(program);
  const rounds: Span[] = [];
  const silences: Silence[] = [];
  const verdict = new Verdict(say);
  const sources = shuffled(
    Array.from({ length: SOURCES }, (_, source) => source),
    chance,
  );
  try {
    for (let round = 0; round < ROUNDS[dose]; round += 1) {
      // One source at a time, each in its turn: of the other two at least one price must come.
      const source = sources[round % SOURCES] ?? 0;
      const faults = shuffled([TENFOLD, ...shuffled(Object.values(WRONG), chance).slice(1, SYMBOLS.length)], chance);
      for (const [index, symbol] of SYMBOLS.entries()) wrong.set(`${source} ${symbol}`, faults[index] ?? (() => undefined));
      if (chance.oneIn(3)) feeds[source]?.drop();
      const from = Date.now();
      await pause(ROUND_MS);
      rounds.push({ from, to: Date.now() });
      wrong.clear();
      await pause(SETTLE_MS);
      if (round % SILENCE_EVERY !== 0) continue;
      say(`round ${round}: all sources of a market are silent`);
      silences.push(await silence(chance.pick(SYMBOLS), wrong));
    }
    await program.kill();
    program = await startProgram({ dataDirectory, env });
    await pause(ROUND_MS);
    verdict.same('exit code', await program.stop(), 0);
  } finally {
    await program.stop();
    for (const feed of feeds) await feed.close();
  }
  const { reported, rounds: contractRounds, resets, early } = await journaled(historyDirectory(dataDirectory));
  verdict.same('starts on a history with contracts', resets, 1);
  for (const violation of early) verdict.check(false, violation);
  checkPrices(reported, { rounds, silences, verdict });
  checkContracts(contractRounds, { rounds, silences, verdict });
  return {
    trials: rounds.length * SYMBOLS.length + silences.length,
    facts: { 'prices reported': reported.length, 'rounds of contracts': contractRounds.length },
    violations: verdict.violations,
  };
}

/** A contract opens with its third round of fresh prices: how long after the program is ready, depends on how quickly it started. */
const opened = ({ url }: Program): Promise<unknown> =>
  until('every contract is open', async () =>
    (await createClient({ baseUrl: url }).futuresSymbols()).every(({ isDegraded }) => !isDegraded),
  );

function openFeeds(wrong: ReadonlyMap<string, Report>, chance: Chance): Promise<readonly PriceFeed[]> {
  const well: Report = (fair) => {
    const price = fair * (1 - STRAY + (2 * STRAY * chance.below(1_000)) / 1_000);
    return { bid: (price * 0.9999).toFixed(6), ask: (price * 1.0001).toFixed(6) };
  };
  return Promise.all(
    Array.from({ length: SOURCES }, (_, source) =>
      PriceFeed.open({ symbols: SYMBOLS, report: (symbol) => (wrong.get(`${source} ${symbol}`) ?? well)(FAIR[symbol] ?? 1) }),
    ),
  );
}

async function silence(symbol: string, wrong: Map<string, Report>): Promise<Silence> {
  for (let source = 0; source < SOURCES; source += 1) wrong.set(`${source} ${symbol}`, () => undefined);
  await pause(STALE_MS + GRACE_MS);
  const from = Date.now();
  await pause(SILENCE_MS);
  const to = Date.now();
  wrong.clear();
  await pause(SETTLE_MS);
  return { symbol, from, to };
}

interface ReportedPrice {
  readonly symbol: string;
  readonly price: number;
  readonly at: number;
}

/** The prices of a contract after a round. */
interface ContractRound {
  readonly symbol: string;
  readonly isReady: boolean;
  readonly index: number;
  readonly mark: number;
  readonly at: number;
}

interface Journaled {
  readonly reported: readonly ReportedPrice[];
  readonly rounds: readonly ContractRound[];
  /** How often the prices of contracts began again. */
  readonly resets: number;
  /** X4: rounds that count more than there were since the last start, and liquidations or openings before the third. */
  readonly early: readonly string[];
}

/** Every price that was made history. */
async function journaled(directory: string): Promise<Journaled> {
  const durable = new DurableSeq();
  const end = verifyFolder(directory, ENGINES).seq;
  durable.report(seq(end));
  const reported: ReportedPrice[] = [];
  const rounds: ContractRound[] = [];
  const sinceStart = new SinceStart();
  const source = followFolder({ directory, disk: nodeDisk, engines: ENGINES, end: durable, log: () => undefined });
  for await (const batch of source.subscribe(seq(0))) {
    for (const { command, at, events } of batch) {
      sinceStart.follow(command, events);
      for (const event of events) {
        const contract = event.type === 'PricesSet' ? CONTRACTS.find(({ market }) => market === event.market) : undefined;
        if (event.type !== 'PricesSet' || contract === undefined) continue;
        const tick = 10 ** contract.pricePrecision;
        rounds.push({ symbol: contract.symbol, isReady: event.state === 'READY', index: event.index / tick, mark: event.mark / tick, at });
      }
      if (command.type !== 'SetIndexPrice') continue;
      const market = MARKETS.find((candidate) => candidate.market === command.market);
      if (market !== undefined) reported.push({ symbol: market.symbol, at, price: command.price / 10 ** market.pricePrecision });
    }
    if (batch.at(-1)?.seq === end) break;
  }
  const { resets, early } = sinceStart;
  return { reported, rounds, resets, early };
}

/** The rounds of each contract since the last start: none is READY before its third. */
class SinceStart {
  readonly early: string[] = [];
  resets = 0;
  #rounds = new Map<number, number>();

  follow({ type }: Command, events: readonly Event[]): void {
    if (type === 'ResetPrices') {
      this.resets += 1;
      this.#rounds = new Map();
    }
    for (const event of events) {
      if (event.type === 'PricesSet') this.#followRound(event, type === 'SubmitPrices');
      else if (event.type === 'LiquidationStep' && this.#of(event.market) < FRESH_ROUNDS_MIN)
        this.early.push(`account ${event.account} is liquidated after ${this.#of(event.market)} rounds`);
    }
  }

  #followRound({ market, freshRounds, state }: PricesSet, isRound: boolean): void {
    if (isRound) this.#rounds.set(market, this.#of(market) + 1);
    if (state === 'READY' && this.#of(market) < FRESH_ROUNDS_MIN)
      this.early.push(`contract ${market} is open after ${this.#of(market)} rounds`);
    if (freshRounds > this.#of(market)) this.early.push(`contract ${market} counts ${freshRounds} rounds of ${this.#of(market)}`);
  }

  #of(market: number): number {
    return this.#rounds.get(market) ?? 0;
  }
}

interface Course {
  readonly rounds: readonly Span[];
  readonly silences: readonly Silence[];
  readonly verdict: Verdict;
}

/** X1, X3: one bad source of three moves no contract and stops none; without fresh sources it is degraded. */
function checkContracts(reported: readonly ContractRound[], { rounds, silences, verdict }: Course): void {
  const ready = reported.filter(({ isReady }) => isReady);
  for (const { symbol, index, mark } of ready) {
    const fair = FAIR[symbol] ?? 0;
    verdict.check(Math.abs(index - fair) <= fair * SANE, `the contract ${symbol} has the index ${index}, the fair price is ${fair}`);
    verdict.check(
      Math.abs(mark - fair) <= fair * (SANE + MARK_BOUND),
      `the contract ${symbol} has the mark ${mark}, the fair price is ${fair}`,
    );
  }
  const isReadyIn = (symbol: string, { from, to }: Span): boolean =>
    ready.some((one) => one.symbol === symbol && one.at >= from && one.at <= to);
  for (const [index, { from, to }] of rounds.entries())
    for (const symbol of CONTRACT_SYMBOLS)
      verdict.check(
        isReadyIn(symbol, { from, to: to + SETTLE_MS }),
        `the contract ${symbol} is degraded in round ${index}, with two good sources`,
      );
  for (const span of silences)
    verdict.check(!isReadyIn(span.symbol, span), `the contract ${span.symbol} is ready, and has no fresh source`);
}

function checkPrices(reported: readonly ReportedPrice[], { rounds, silences, verdict }: Course): void {
  for (const { symbol, price } of reported) {
    const fair = FAIR[symbol] ?? 0;
    verdict.check(Math.abs(price - fair) <= fair * SANE, `${symbol} was reported at ${price}, the fair price is ${fair}`);
  }
  const isReportedIn = (symbol: string, { from, to }: Span): boolean =>
    reported.some((one) => one.symbol === symbol && one.at >= from && one.at <= to);
  for (const [index, { from, to }] of rounds.entries())
    for (const symbol of SPOT_SYMBOLS)
      verdict.check(isReportedIn(symbol, { from, to: to + SETTLE_MS }), `${symbol} has no price in round ${index}, and two good sources`);
  for (const span of silences) verdict.check(!isReportedIn(span.symbol, span), `${span.symbol} has a price, and no fresh source`);
}
