/** Puts the program together: each part gets what it needs from the ones before it, and is stopped before them. */
import { accessSync, constants, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { migrations as accountsMigrations, openAccounts, TEST_BLOCKED_ADDRESSES, type Accounts, type AccountsTables } from '@orrery/accounts';
import {
  agreementRoutes, apiKeyRoutes, authRoutes, collectionRoutes, depositRoutes, explorerRoutes, faucetRoutes, sessionRoutes, taskRoutes, whitelistRoutes,
} from '@orrery/api';
import { migrations as campaignMigrations, openCampaign, type CampaignTables, type WhitelistPolicy } from '@orrery/campaign';
import { CHAIN_ID, TEST_ASSETS } from '@orrery/contracts';
import { createGateway, mount } from '@orrery/gateway';
import { migrations as indexerMigrations, openIndexer, type IndexerTables } from '@orrery/indexer';
import type { Heart } from '@orrery/protocol';
import { openPrices, OutsidePrices } from '@orrery/prices';
import { migrations as projectorMigrations, startProjector, type ProjectorTables } from '@orrery/projector';
import { atoms, millis, parseAddress, printAtoms, type Address } from '@orrery/units';
import { pino } from 'pino';
import { clientConfig } from './client-config.ts';
import type { Closing } from './closing.ts';
import type { Config } from './config.ts';
import { migrate, openDatabase, type Database } from './database.ts';
import { startPostgres } from './embedded/postgres/postgres.ts';
import { startLiquidity } from './liquidity.ts';
import { MARKETS, registerListing } from './listing.ts';
import { MarketHistory } from './market-history.ts';
import { StartError } from './start-error.ts';
import { startChain, type RunningChain } from './start-chain.ts';
import { startHeart } from './start-heart.ts';
import { TERMS } from './terms.ts';
import { version } from './version.ts';

const TERMINAL = fileURLToPath(new URL('../../clients/terminal/dist', import.meta.url));
const LIQUIDITY_PATIENCE_MS = 30_000;

export interface StartOptions {
  readonly config: Config;
  /** One line for each step on the way. */
  readonly say: (line: string) => void;
  /** Gets each part as it comes up, so that a program that is still starting can be stopped too. */
  readonly closing: Closing;
  /** Something without which the program can not go on has failed. */
  readonly onFatal: (error: Error) => void;
}

export interface RunningProgram {
  readonly url: string;
  /** For programs that embed this one, such as the benchmarks. */
  readonly heart: Heart;
  readonly accounts: Accounts;
}

type Tables = AccountsTables & CampaignTables & IndexerTables & ProjectorTables;

const now = () => millis(Date.now());

/** What one claim brings, in the coins' own words. */
const FAUCET_AMOUNTS = TEST_ASSETS.map(({ code, faucetGrant, decimals }) => ({ coin: code, amount: printAtoms(atoms(faucetGrant), decimals) }));

const whitelistPolicy = ({ whitelistMode, whitelistWeekly }: Config): WhitelistPolicy =>
  whitelistMode === 'open' ? { mode: 'open' } : { mode: 'weekly', admittedEachWeek: whitelistWeekly };

/** @throws StartError with one sentence for the person who runs the program; what was started by then is stopped. */
export async function startExchange(options: StartOptions): Promise<RunningProgram> {
  try {
    return await startParts(options);
  } catch (error) {
    await options.closing.run();
    throw error;
  }
}

async function startParts({ config, say, closing, onFatal }: StartOptions): Promise<RunningProgram> {
  const { dataDirectory } = config;
  const log = pino({ level: config.logLevel, base: null }, pino.destination(2));
  makeWritable(dataDirectory);
  const onTrouble = (part: string) => (error: unknown) => log.error({ part, error: String(error) }, 'trouble');

  say('opening the journal');
  const heart = await startHeart({ dataDirectory, onFatal, log: (line) => log.info({ part: 'sequencer' }, line) });
  closing.add({ name: 'the journal', stop: () => heart.stop() });
  await registerListing(heart);

  say('starting the database and the chain');
  const [database, chain] = await Promise.all([
    startDatabase(config, closing),
    startChain({ config, onFailure: onFatal }).then((started) => {
      closing.add({ name: 'the chain', stop: () => started.stop() });
      return started;
    }),
  ]);

  const accounts = await openAccounts({
    heart, db: database.sql, chain: chain.client, chainId: CHAIN_ID, blockedAddresses: TEST_BLOCKED_ADDRESSES, terms: TERMS,
    keyFile: join(dataDirectory, 'api-keys.key'), onTrouble: onTrouble('accounts'),
  });
  closing.add({ name: 'the accounts', stop: () => accounts.stop() });
  const projector = await startProjector({ heart, db: database.sql, onTrouble: onTrouble('projector') });
  closing.add({ name: 'the projector', stop: () => projector.stop() });

  const indexer = openIndexer({
    heart, sql: database.sql, client: chain.client, deployment: chain.deployment, operator: chain.operator, confirmations: config.confirmations,
    onTrouble: onTrouble('indexer'),
  });
  closing.add({ name: 'the indexer', stop: () => indexer.stop() });
  const campaign = await openCampaign({
    heart, db: database.sql, whitelist: whitelistPolicy(config), deeds: projector.history, onTrouble: onTrouble('campaign'),
    faucet: {
      claimsPerDay: config.faucetClaimsPerDay,
      amounts: FAUCET_AMOUNTS,
      transactionOf: async (claimId) => (await indexer.claimProgress(claimId))?.txHash,
    },
  });
  closing.add({ name: 'the campaign', stop: () => campaign.stop() });

  const source = openPrices({
    markets: MARKETS, feeds: config.priceFeeds, anchorPath: join(dataDirectory, 'price-anchor.json'), now, monotonicMs: () => performance.now(),
    log: (line) => log.info({ part: 'prices' }, line),
  });
  closing.add({ name: 'the price source', stop: () => source.close() });
  const prices = new OutsidePrices({ source, markets: MARKETS, heart, now, publish: () => undefined, log: (line) => log.info({ part: 'prices' }, line) });
  closing.add({ name: 'the prices', stop: () => prices.stop() });
  await prices.start();

  // The gateway's candles and tapes begin with what history tells: no trade may be missing between the two.
  await projector.reached(heart.status().seq).catch(onTrouble('projector'));
  const gateway = await createGateway({
    heart,
    authenticator: accounts.authenticator,
    history: projector.history,
    marketHistory: new MarketHistory({ prices: source, history: projector.history, now }),
    rpc: { handle: chain.handleRpc },
    mounts: [
      ...mount(authRoutes, accounts.handlers.auth),
      ...mount(sessionRoutes, accounts.handlers.session),
      ...mount(agreementRoutes, accounts.handlers.agreement),
      ...mount(apiKeyRoutes, accounts.handlers.apiKey),
      ...mount(collectionRoutes, accounts.handlers.collection),
      ...mount(whitelistRoutes, campaign.handlers.whitelist),
      ...mount(faucetRoutes, campaign.handlers.faucet),
      ...mount(taskRoutes, campaign.handlers.task),
      ...mount(depositRoutes, indexer.handlers.deposit),
      ...mount(explorerRoutes, indexer.handlers.explorer),
    ],
    config: clientConfig(config),
    version,
    parts: [
      { name: 'history', unready: () => projector.status().failure },
      { name: 'deposits and withdrawals', unready: () => indexer.unready() },
    ],
    contracts: contractsOf(chain),
    terminalDirectory: TERMINAL,
    connectSources: [],
    origins: config.publicOrigins,
    proxyHops: config.proxyHops,
    logger: log,
    onFailure: (error) => onFatal(error instanceof Error ? error : new Error(String(error))),
  });
  closing.add({ name: 'the gateway', stop: () => gateway.close() });
  const { port } = await gateway.listen({ host: config.host, port: config.port }).catch(explainPort(config));
  const url = `http://${config.host}:${port}`;

  if (config.marketMaker === 'on' && chain.liquidity !== undefined) {
    say('bringing in the first liquidity');
    const liquidity = await startLiquidity({
      heart, accounts, addresses: chain.liquidity, baseUrl: url, log: (line) => log.info({ part: 'market-maker' }, line),
    });
    closing.add({ name: 'the market-maker', stop: () => liquidity.stop() });
    await Promise.race([liquidity.ready, patience(LIQUIDITY_PATIENCE_MS)]);
  }
  return { url, heart, accounts };
}

/** The folder is made when missing, and tried before anything is believed. */
function makeWritable(directory: string): void {
  try {
    mkdirSync(directory, { recursive: true });
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new StartError(`The data folder ${directory} can not be written: choose another in ORRERY_DATA.`, { cause });
  }
}

async function startDatabase(config: Config, closing: Closing): Promise<Database<Tables>> {
  const address = config.databaseUrl === undefined ? await embeddedDatabase(config, closing) : { url: config.databaseUrl };
  const database = await openDatabase<Tables>(address, { connections: 10 });
  closing.add({ name: 'the database connections', stop: () => database.close() });
  await migrate(database, { ...accountsMigrations, ...campaignMigrations, ...indexerMigrations, ...projectorMigrations });
  return database;
}

async function embeddedDatabase({ dataDirectory }: Config, closing: Closing): Promise<{ host: string; user: string; database: string }> {
  const server = await startPostgres({ directory: join(dataDirectory, 'postgres') });
  closing.add({ name: 'the database', stop: () => server.stop() });
  return server.connection;
}

function contractsOf({ deployment }: RunningChain): ReadonlySet<Address> {
  const all = [deployment.vault, deployment.faucet, ...deployment.tokens.map(({ address }) => address)];
  return new Set(all.map((text) => parseAddress(text)).filter((address) => address !== undefined));
}

function explainPort({ host, port }: Config): (cause: NodeJS.ErrnoException) => never {
  return (cause) => {
    if (cause.code === 'EADDRINUSE') throw new StartError(`Port ${port} on ${host} is in use: choose another in ORRERY_PORT, or 0 for any.`, { cause });
    if (cause.code === 'EACCES') throw new StartError(`Port ${port} on ${host} may not be opened by this person: choose one above 1023 in ORRERY_PORT.`, { cause });
    if (cause.code === 'EADDRNOTAVAIL') throw new StartError(`${host} is no address of this machine: choose another in ORRERY_HOST.`, { cause });
    throw cause;
  };
}

const patience = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms).unref());
