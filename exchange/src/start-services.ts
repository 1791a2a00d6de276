/** Everything between the heart and the door: people, history, the chain's ear and hand, campaign, outside prices. */
import { join } from 'node:path';
import { openAccounts, TEST_BLOCKED_ADDRESSES, type Accounts } from '@orrery/accounts';
import { openCampaign, type Campaign, type WhitelistPolicy } from '@orrery/campaign';
import { CHAIN_ID, TEST_ASSETS } from '@orrery/contracts';
import { openIndexer, type Indexer } from '@orrery/indexer';
import { openOperators, type Operators } from '@orrery/operators';
import { openPrices, OutsidePrices, type PriceSource } from '@orrery/prices';
import { History } from '@orrery/projector';
import type { Heart } from '@orrery/protocol';
import type { Sequencer } from '@orrery/sequencer';
import { type Address, assert, atoms, millis, parseAddress, printAtoms } from '@orrery/units';
import type { Config } from './config.ts';
import type { DurableSeq } from './history/durable-seq.ts';
import { type HistoryInThread, startHistoryThread } from './history/history-thread.ts';
import { followMarkets } from './history/follow-markets.ts';
import { leaderboardTerms } from './leaderboard-terms.ts';
import { MARKETS } from './listing.ts';
import type { RunningChain } from './start-chain.ts';
import type { StartedDatabase } from './start-database.ts';
import { historyDirectory } from './start-heart.ts';
import { troubleOf, type Surroundings } from './surroundings.ts';
import { TERMS } from './terms.ts';

export interface Services {
  readonly accounts: Accounts;
  readonly projector: HistoryInThread;
  readonly history: History;
  readonly indexer: Indexer;
  readonly campaign: Campaign;
  readonly operators: Operators;
  readonly prices: PriceSource;
}

export interface Ground {
  readonly heart: Sequencer;
  readonly durableSeq: DurableSeq;
  readonly database: StartedDatabase;
  readonly chain: RunningChain;
}

/** What one claim brings, in the coins' own words. */
const FAUCET_AMOUNTS = TEST_ASSETS.map(({ code, faucetGrant, decimals }) => ({
  coin: code,
  amount: printAtoms(atoms(faucetGrant), decimals),
}));

/** A tenth of a claim: a payer joins nobody with less, and joining strangers costs this for each of them. */
const FUNDING_MINIMUMS = TEST_ASSETS.map(({ code, faucetGrant }) => ({ coin: code, atoms: faucetGrant / 10n }));

export async function startServices(surroundings: Surroundings, ground: Ground): Promise<Services> {
  const { heart, database } = ground;
  const accounts = await startAccounts(surroundings, ground);
  const projector = await startProjector(surroundings, ground);
  const markets = followMarkets(heart, troubleOf(surroundings, 'history'));
  const history = new History({ db: database.sql, markets, projector });
  const indexer = startIndexer(surroundings, ground);
  const campaign = await startCampaign(surroundings, { ...ground, history, indexer, traces: accounts.traces });
  const operators = await startOperators(surroundings, { ...ground, campaign });
  const prices = await startPrices(surroundings, heart);
  return { accounts, projector, history, indexer, campaign, operators, prices };
}

async function startProjector(surroundings: Surroundings, { heart, database, durableSeq }: Ground): Promise<HistoryInThread> {
  const { closing, config, log } = surroundings;
  const projector = await startHistoryThread({
    directory: historyDirectory(config.dataDirectory),
    database: database.address,
    durableSeq,
    onProof: (proof) => heart.acceptProof(proof),
    onDiverged: surroundings.onFatal,
    onTrouble: troubleOf(surroundings, 'projector'),
    log: (line) => log.info({ part: 'projector' }, line),
  });
  closing.add({ name: 'the projector', stop: () => projector.stop() });
  return projector;
}

async function startAccounts(surroundings: Surroundings, { heart, database, chain }: Ground): Promise<Accounts> {
  const accounts = await openAccounts({
    heart,
    db: database.sql,
    chain: chain.client,
    chainId: CHAIN_ID,
    blockedAddresses: TEST_BLOCKED_ADDRESSES,
    terms: TERMS,
    keyFile: join(surroundings.config.dataDirectory, 'api-keys.key'),
    onTrouble: troubleOf(surroundings, 'accounts'),
  });
  surroundings.closing.add({ name: 'the accounts', stop: () => accounts.stop() });
  return accounts;
}

function startIndexer(surroundings: Surroundings, { heart, database, chain }: Ground): Indexer {
  const indexer = openIndexer({
    heart,
    sql: database.sql,
    client: chain.client,
    deployment: chain.deployment,
    operator: chain.operator,
    confirmations: surroundings.config.confirmations,
    onTrouble: troubleOf(surroundings, 'indexer'),
  });
  surroundings.closing.add({ name: 'the indexer', stop: () => indexer.stop() });
  const { clearHalt } = surroundings.config;
  if (clearHalt !== undefined) indexer.clearHalt(clearHalt).catch(troubleOf(surroundings, 'indexer'));
  return indexer;
}

interface CampaignGround extends Ground {
  readonly history: History;
  readonly indexer: Indexer;
  readonly traces: Accounts['traces'];
}

async function startCampaign(
  surroundings: Surroundings,
  { heart, database, chain, history, indexer, traces }: CampaignGround,
): Promise<Campaign> {
  const { config, closing } = surroundings;
  const campaign = await openCampaign({
    heart,
    db: database.sql,
    whitelist: whitelistPolicy(config),
    deeds: history,
    rewards: { pointsPerDay: config.rewardPointsPerDay },
    lucky: {
      finds: indexer.luckyBlocks,
      trades: history,
      announcedAt: config.luckyAt,
      excluded: chain.ours.map(addressOf),
      chain: chain.kind === 'embedded' ? 'ours' : 'foreign',
    },
    leaderboard: {
      terms: leaderboardTerms(config),
      money: { payments: () => indexer.payments(), fundingMoves: (query) => history.fundingMoves(query) },
      fundingMinimums: FUNDING_MINIMUMS,
      traces,
      houseAddresses: chain.ours.map(addressOf),
    },
    onTrouble: troubleOf(surroundings, 'campaign'),
    faucet: {
      claimsPerDay: config.faucetClaimsPerDay,
      amounts: FAUCET_AMOUNTS,
      transactionOf: async (claimId) => (await indexer.claimProgress(claimId))?.txHash,
    },
  });
  closing.add({ name: 'the campaign', stop: () => campaign.stop() });
  return campaign;
}

function addressOf(text: string): Address {
  const address = parseAddress(text);
  assert(address !== undefined, `not an address: ${text}`);
  return address;
}

async function startOperators(
  surroundings: Surroundings,
  { heart, database, campaign }: Ground & { campaign: Campaign },
): Promise<Operators> {
  const { config, closing, log } = surroundings;
  const operators = await openOperators({
    heart,
    db: database.sql,
    campaign: campaign.operations,
    blockedAddresses: TEST_BLOCKED_ADDRESSES,
    firstCode: config.consoleCode,
    timelockMs: config.timelockSeconds * 1_000,
    onTrouble: troubleOf(surroundings, 'operators'),
  });
  closing.add({ name: 'the operators', stop: () => operators.stop() });
  const { auditBrokenAt } = operators;
  if (auditBrokenAt === undefined) log.info({ part: 'operators' }, 'the audit log is as it was written');
  else log.error({ part: 'operators', row: auditBrokenAt }, 'the audit log is not as it was written');
  return operators;
}

const whitelistPolicy = ({ whitelistMode, whitelistWeekly }: Config): WhitelistPolicy =>
  whitelistMode === 'open' ? { mode: 'open' } : { mode: 'weekly', admittedEachWeek: whitelistWeekly };

async function startPrices({ config, closing, log }: Surroundings, heart: Heart): Promise<PriceSource> {
  const now = () => millis(Date.now());
  const source = openPrices({
    markets: MARKETS,
    feeds: config.priceFeeds,
    anchorPath: join(config.dataDirectory, 'price-anchor.json'),
    now,
    monotonicMs: () => performance.now(),
    log: (line) => log.info({ part: 'prices' }, line),
  });
  closing.add({ name: 'the price source', stop: () => source.close() });
  const prices = new OutsidePrices({
    source,
    markets: MARKETS,
    heart,
    now,
    publish: () => undefined,
    log: (line) => log.info({ part: 'prices' }, line),
  });
  closing.add({ name: 'the prices', stop: () => prices.stop() });
  await prices.start();
  return source;
}
