/** Everything between the heart and the door: people, history, the chain's ear and hand, campaign, outside prices. */
import { join } from 'node:path';
import { openAccounts, TEST_BLOCKED_ADDRESSES, type Accounts } from '@orrery/accounts';
import { openCampaign, type Campaign, type WhitelistPolicy } from '@orrery/campaign';
import { CHAIN_ID, TEST_ASSETS } from '@orrery/contracts';
import { openIndexer, type Indexer } from '@orrery/indexer';
import { openPrices, OutsidePrices, type PriceSource } from '@orrery/prices';
import { startProjector, type Projector } from '@orrery/projector';
import type { Heart } from '@orrery/protocol';
import { atoms, millis, printAtoms } from '@orrery/units';
import type { Config } from './config.ts';
import type { Database } from './database.ts';
import { MARKETS } from './listing.ts';
import type { RunningChain } from './start-chain.ts';
import type { Tables } from './start-database.ts';
import { troubleOf, type Surroundings } from './surroundings.ts';
import { TERMS } from './terms.ts';

export interface Services {
  readonly accounts: Accounts;
  readonly projector: Projector;
  readonly indexer: Indexer;
  readonly campaign: Campaign;
  readonly prices: PriceSource;
}

export interface Ground {
  readonly heart: Heart;
  readonly database: Database<Tables>;
  readonly chain: RunningChain;
}

/** What one claim brings, in the coins' own words. */
const FAUCET_AMOUNTS = TEST_ASSETS.map(({ code, faucetGrant, decimals }) => ({
  coin: code,
  amount: printAtoms(atoms(faucetGrant), decimals),
}));

export async function startServices(surroundings: Surroundings, ground: Ground): Promise<Services> {
  const { closing } = surroundings;
  const { heart, database } = ground;
  const accounts = await startAccounts(surroundings, ground);
  const projector = await startProjector({ heart, db: database.sql, onTrouble: troubleOf(surroundings, 'projector') });
  closing.add({ name: 'the projector', stop: () => projector.stop() });
  const indexer = startIndexer(surroundings, ground);
  const campaign = await startCampaign(surroundings, { ...ground, projector, indexer });
  const prices = await startPrices(surroundings, heart);
  return { accounts, projector, indexer, campaign, prices };
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
  return indexer;
}

interface CampaignGround extends Ground {
  readonly projector: Projector;
  readonly indexer: Indexer;
}

async function startCampaign(surroundings: Surroundings, { heart, database, projector, indexer }: CampaignGround): Promise<Campaign> {
  const { config, closing } = surroundings;
  const campaign = await openCampaign({
    heart,
    db: database.sql,
    whitelist: whitelistPolicy(config),
    deeds: projector.history,
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
