/**
 * Every writer to the database, while the database takes what it is sent and never answers: a call that needs it fails by name within its time, other
 * calls go on, and the program closes. A service with tables and without a row fails.
 */
import { type AccountsTables } from '@orrery/accounts';
import { type CampaignTables, openCampaign } from '@orrery/campaign';
import { openAccount, localLeases } from '@orrery/foundation';
import { type FundTables, openFunds } from '@orrery/fund';
import { type IndexerTables, indexerService } from '@orrery/indexer';
import { type OperatorsTables } from '@orrery/operators';
import { type OtcTables } from '@orrery/otc';
import { type ProjectorTables, startProjector, History } from '@orrery/projector';
import type { GatewayTables } from '@orrery/gateway';
import { accountId, type Address } from '@orrery/units';
import { privateKeyToAccount } from 'viem/accounts';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Browser, openTown, person, refusalOf } from '../../services/accounts/src/testing/town.ts';
import { noLuck } from '../../services/campaign/src/testing/lucky-chain.ts';
import { noBoards } from '../../services/campaign/src/testing/no-boards.ts';
import { noActivity } from '../../services/campaign/src/testing/no-activity.ts';
import { owners } from '../../services/campaign/src/testing/owners.ts';
import { DayCounts } from '../../services/gateway/src/limits/day-counts.ts';
import { SharedCounts } from '../../services/gateway/src/limits/shared-counts.ts';
import { openOffice, people } from '../../services/operators/src/testing/office.ts';
import { openMarket } from '../../services/otc/src/testing/market.ts';
import { Closing } from './closing.ts';
import type { Database } from './database.ts';
import { followMarkets } from './history/follow-markets.ts';
import { registerListing } from './listing.ts';
import { MIGRATIONS, SERVICES } from './services/services.ts';
import { hangingServer, type HangingDatabase, type HangingServer } from './testing/hanging-database.ts';
import { MemoryHeart } from './testing/memory-heart.ts';

const NOW = 1_795_000_000_000;
const SILENT = 'Upstream the database';
const DAY_MS = 86_400_000;

/** Calls that need the database at once: more than there are connections. */
const NEEDING = 25;
/** Calls and facts that go on meanwhile. */
const GOING_ON = 200;
/** How often timers ask while the calls wait. */
const BY_TIMERS = 25;

interface OpenWriter {
  /** A call that reads or writes the database. @returns the refusal. */
  needsIt(): Promise<string | undefined>;
  /** A call that is answered from memory, or a fact that is written later. */
  goesOn(): unknown;
  stop(): Promise<void>;
}

interface Outcome {
  readonly refusals: ReadonlySet<string | undefined>;
  /** Parts that were left behind. */
  readonly left: readonly string[];
  /** How often a connection was asked for: by the calls, by the stop, and by what has stopped once the database answers again. */
  readonly asked: { readonly byCalls: number; readonly byStop: number; readonly afterStop: number };
}

const onTrouble = (): void => undefined;

const of = <Tables>(database: Database): Database<Tables> => database as unknown as Database<Tables>;

/** What followers of the heart write. */
let opened = 0;
const happen = (heart: MemoryHeart) => openAccount(heart, `0x${(0xfee1_0000 + (opened += 1)).toString(16).padStart(40, '0')}` as Address);

async function newHeart(): Promise<MemoryHeart> {
  const heart = new MemoryHeart(() => NOW);
  await registerListing(heart);
  return heart;
}

/** By the name of the service; `gateway` writes its counts. */
const WRITERS: Readonly<Record<string, (database: Database) => Promise<OpenWriter>>> = {
  async accounts(database) {
    const town = await openTown({ db: of<AccountsTables>(database) });
    const browser = new Browser(town);
    await browser.login(person(0x4a96));
    return {
      needsIt: () => refusalOf(browser.call(town.accounts.handlers.collection.addCollection, { body: { symbol: 'BTC_USDC' } })),
      goesOn: () => browser.principal(),
      stop: () => town.close(),
    };
  },
  async campaign(database) {
    const heart = await newHeart();
    const db = of<CampaignTables>(database).sql;
    const campaign = await openCampaign({
      leases: localLeases(),
      heart,
      ...owners,
      db,
      reads: db,
      whitelist: { mode: 'open' },
      now: () => NOW,
      onTrouble,
      faucet: { claimsPerDay: 100, amounts: [], transactionOf: () => Promise.resolve(undefined) },
      activity: noActivity,
      leaderboard: noBoards,
      rewards: { pointsPerDay: 1_000 },
      lucky: noLuck,
    });
    return {
      needsIt: () => refusalOf(Promise.resolve(campaign.operations.budgets.list())),
      goesOn: () => happen(heart),
      stop: () => campaign.stop(),
    };
  },
  async fund(database) {
    const heart = await newHeart();
    const { sql } = of<FundTables>(database);
    const funds = await openFunds({ leases: localLeases(), heart, db: sql, plans: [], now: () => NOW, onTrouble });
    const { fundMine } = funds.handlers.fund;
    return {
      needsIt: () => refusalOf(Promise.resolve(fundMine({ principal: { account: accountId(1) }, query: {} } as never))),
      goesOn: () => happen(heart),
      stop: () => funds.stop(),
    };
  },
  async otc(database) {
    const market = await openMarket(of<OtcTables>(database));
    const alice = await market.newcomer('alice');
    return {
      needsIt: () => refusalOf(market.call(alice, market.otc.handlers.otcOrder.otcOrders)),
      goesOn: () => happen(market.heart),
      stop: () => market.otc.stop(),
    };
  },
  async indexer(database) {
    const heart = await newHeart();
    const sql = of<IndexerTables>(database).sql;
    const noChain = new Proxy({}, { get: () => () => Promise.reject(new Error('there is no chain here')) });
    const address = `0x${'1'.repeat(40)}`;
    const indexer = indexerService.open({
      leases: localLeases(),
      heart,
      sql,
      reads: sql,
      client: noChain as never,
      deployment: { vault: address, faucet: address, tokens: [], fromBlock: 0 } as never,
      operator: privateKeyToAccount(`0x${'2'.repeat(64)}`),
      confirmations: 1,
      now: () => NOW,
      windowNow: () => NOW,
      onTrouble,
    });
    return {
      needsIt: () => refusalOf(indexer.reviews.waiting({ page: 1, size: 10 })),
      goesOn: () => happen(heart),
      stop: () => indexer.stop(),
    };
  },
  async operators(database) {
    const office = await openOffice(of<OperatorsTables>(database));
    const { alice } = await people(office);
    return {
      needsIt: () => refusalOf(alice.call(office.operators.handlers.operator.operators)),
      goesOn: () => office.operators.handlers.notice.notices({ query: {} } as never),
      stop: () => office.close(),
    };
  },
  async projector(database) {
    const heart = await newHeart();
    const db = of<ProjectorTables>(database).sql;
    const source = {
      seq: () => heart.status().seq,
      covers: () => true,
      present: () => heart.open(),
      subscribe: heart.subscribe.bind(heart),
    };
    const projector = await startProjector({ source, db, onTrouble });
    const history = new History({ db, ...followMarkets(heart, onTrouble), projector });
    return {
      needsIt: () => refusalOf(history.transfers({ account: accountId(1), page: 1, size: 10 })),
      goesOn: () => happen(heart),
      stop: async () => {
        heart.stop();
        await projector.stop();
      },
    };
  },
  gateway(database) {
    const counts = new SharedCounts({ store: of<GatewayTables>(database).counts, key: Buffer.alloc(32, 7), now: () => NOW });
    const days = new DayCounts(counts, () => NOW);
    return Promise.resolve({
      needsIt: () => refusalOf(counts.take({ name: 'faucet day', owner: '192.0.2.1', most: 3, perMs: DAY_MS })),
      goesOn: () => days.take('order day', 7, 1_000, 1),
      stop: async () => {
        await days.close();
        counts.close();
      },
    });
  },
};

let server: HangingServer;
const databases: HangingDatabase<unknown>[] = [];
const outcomes = new Map<string, Outcome>();

/** All of them hang at once, so that their waits pass together. */
beforeAll(async () => {
  server = await hangingServer(MIGRATIONS);
  const watched: (() => Promise<() => void>)[] = [];
  for (const [name, open] of Object.entries(WRITERS)) {
    const database = await server.open();
    databases.push(database);
    const writer = await open(database);
    expect(await writer.needsIt()).toBeUndefined();
    watched.push(() => whileItHangs(name, writer, database));
  }
  server.hang();
  const finish = await Promise.all(watched.map((watch) => watch()));
  server.answer();
  // What is chained behind the stop comes through now.
  await pause(1_000);
  for (const each of finish) each();
});
afterAll(async () => {
  for (const database of databases) await database.close();
  await server.close();
});

async function whileItHangs(name: string, writer: OpenWriter, { asked }: HangingDatabase<unknown>) {
  const begun = asked();
  const needing = Array.from({ length: NEEDING }, () => writer.needsIt());
  for (let call = 0; call < GOING_ON; call += 1) await writer.goesOn();
  const refusals = new Set(await Promise.all(needing));
  const calledAt = asked();
  const left: string[] = [];
  const closing = new Closing((part) => left.push(part));
  closing.add({ name, stop: () => writer.stop() });
  await closing.run();
  const stoppedAt = asked();
  return () => {
    const counts = { byCalls: calledAt - begun, byStop: stoppedAt - calledAt, afterStop: asked() - stoppedAt };
    outcomes.set(name, { refusals, left, asked: counts });
  };
}

test('every service that has tables is a writer here', () => {
  const withTables = SERVICES.flatMap(({ name, migrations }) => (Object.keys(migrations).length > 0 ? [name] : []));
  expect(Object.keys(WRITERS).toSorted()).toEqual([...withTables, 'gateway'].toSorted());
});

describe.each(Object.keys(WRITERS))('[A3] while the database hangs, %s', (name) => {
  const outcome = (): Outcome => outcomes.get(name) ?? expect.fail('it was not watched to its end');

  test('refuses by name what needs it, and stops within its limit', () => {
    expect(outcome().refusals).toEqual(new Set([SILENT]));
    expect(outcome().left).toEqual([]);
  });

  test('chains nothing: neither calls nor facts wait for one another, the stop asks twice at most, and what has stopped once more at most', () => {
    const { asked } = outcome();
    expect(asked.byCalls).toBeLessThanOrEqual(NEEDING + BY_TIMERS);
    expect(asked.byStop).toBeLessThanOrEqual(2);
    expect(asked.afterStop).toBeLessThanOrEqual(1);
  });
});
