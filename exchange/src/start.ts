/** Puts the program together: each part gets what it needs from the ones before it, and is stopped before them. */
import { type Accounts, accountsService } from '@orrery/accounts';
import { campaignService } from '@orrery/campaign';
import { historyService } from './services/history.ts';
import { atPort, type Lease, type Peers } from '@orrery/foundation';
import { operatorsService } from '@orrery/operators';
import { otcService } from '@orrery/otc';
import type { Moves } from '@orrery/prices';
import { type Heart, HeartError } from '@orrery/protocol';
import type { AccountId } from '@orrery/units';
import { beginProcess, type StartOptions, startOrStop } from './begin-process.ts';
import { checkOffsets } from './check-offsets.ts';
import type { Config } from './config.ts';
import { startContractHouse } from './start-contracts.ts';
import { leasesOfDuties } from './duties.ts';
import { manageFunds } from './fund-managers.ts';
import { fundService } from '@orrery/fund';
import { startFundWatch } from './fund-watch.ts';
import { handsOf } from './services/fund-hands.ts';
import { startHouseFunds } from './house-funds.ts';
import { MarketMakerPart, startLiquidity } from './liquidity.ts';
import { leasedHeart } from './leased-heart.ts';
import { guardedHeart } from './leased-part.ts';
import type { FollowedHeart } from './link/follow-heart.ts';
import { registerListing } from './listing.ts';
import type { WatchedProgram } from './metrics/start-metrics.ts';
import { openDoor } from './open-door.ts';
import { tryPort } from './port.ts';
import type { ProgramHeart } from './program-heart.ts';
import { RatePort } from './rate-port.ts';
import { startChain } from './start-chain.ts';
import { type StartedDatabase, startDatabase } from './start-database.ts';
import { startHistoryLives } from './history-lives.ts';
import { startJournalArchive } from './journal-archive.ts';
import { startSharedArchive } from './shared-archive.ts';
import { StartError } from './start-error.ts';
import { startLeases } from './start-leases.ts';
import { historyDirectory, resetPrices, startHeart, type StartedHeart } from './start-heart.ts';
import { pricesService } from './services/prices.ts';
import { MIGRATIONS, SERVICES, startServices } from './services/services.ts';
import { troubleOf, type Surroundings } from './surroundings.ts';
import { startTimers } from './timers.ts';
import { tracedHeart } from './traced-heart.ts';

const LIQUIDITY_PATIENCE_MS = 30_000;

export interface RunningProgram {
  readonly url: string;
  /** For programs that embed this one, such as the benchmarks. */
  readonly heart: Heart;
  readonly accounts: Accounts;
  /** Falls and rises of outside prices of contracts, for trying things out. */
  readonly moves: Moves;
}

/** @throws StartError with one sentence for the person who runs the program; what was started by then is stopped. */
export const startExchange = (options: StartOptions): Promise<RunningProgram> => startOrStop(options.closing, () => startParts(options));

async function startParts(options: StartOptions): Promise<RunningProgram> {
  const { config, closing } = options;
  const { duties } = config;
  if (duties.has('gateway')) await tryPort(config);
  const { surroundings, watched, say } = await beginProcess(options, { isHeld: true });
  say('opening the journal');
  const { heart, durableSeq, standbys } = await openHeart(surroundings, watched, say);
  // The journal has one writer: from here on what ran before takes no calls.
  const startedAt = Date.now();
  await registerConfigured(heart, surroundings, say);
  say('starting the database and the chain');
  const opening = startDatabase(surroundings, MIGRATIONS);
  const [database, chain] = await together(opening, startChain(surroundings, opening, say));
  await checkOffsets(database, { directory: historyDirectory(config.dataDirectory), last: () => heart.status().seq });
  const cnyRate = new RatePort({ stated: config.cnyRate, url: config.cnyRateUrl, log: surroundings.log });
  cnyRate.start();
  closing.add({ name: 'the rate in yuan', stop: () => cnyRate.stop() });
  const leased = leasedHeart(heart);
  const all = startLeases(surroundings, database);
  const leases = leasesOfDuties(all, duties);
  const peers = await openAccountPeers(surroundings, database);
  const services = await startServices({ surroundings, heart: leased, durableSeq, database, leases, chain, peers, cnyRate }, SERVICES);
  await services.of(historyService).projector.started;
  // Once every service is open.
  services.of(accountsService).inviteCodes.use((account) => services.of(campaignService).inviteCodeOf(account));
  services
    .of(accountsService)
    .erasures.begin([
      (person) => services.of(campaignService).erase(person),
      (person) => services.of(historyService).exports.erase(person),
      (person) => services.of(otcService).erase(person),
    ]);
  await startTimers(surroundings, { heart: leased, leases });
  const isWorking = config.accepts === 'everything';
  if (isWorking) startJournalArchive(surroundings);
  if (isWorking) await startSharedArchive(surroundings, leases);
  if (isWorking) await startHistoryLives(surroundings, { database, leases });
  if (isWorking) await startContractHouse(surroundings, { heart: leased, chain, leases, services });
  const isQuoting = isWorking && duties.has('market-maker');
  const marketMaker = isQuoting && config.marketMaker === 'on' && chain.liquidity !== undefined ? new MarketMakerPart() : undefined;
  const onAnswer = watched?.metrics.onAnswer;
  const guarded = new Map<AccountId, Lease>();
  const house = { heart: guardedHeart(heart, guarded), marketMaker, chain, database, services, cnyRate, leases, startedAt, onAnswer };
  const { gateway, url } = await openDoor(surroundings, house);
  const held = { held: () => [...all.held(), ...services.of(historyService).projector.held()] };
  watched?.begin({ heart, standbys, gateway, database, leases: held, services, onTrouble: troubleOf(surroundings, 'metrics') });
  const { firstCode } = services.of(operatorsService);
  if (firstCode !== undefined && duties.has('gateway'))
    say(`the console has no operator yet: the code for the first one is ${firstCode}, at ${consoleOf(url, config)}`);
  const accounts = services.of(accountsService);
  if (marketMaker !== undefined && chain.liquidity !== undefined) {
    say('bringing in the first liquidity');
    const lease = await leases.open('market-maker');
    const parts = { heart: leased, accounts, addresses: chain.liquidity, baseUrl: url, part: marketMaker, lease, guarded };
    const liquidity = startLiquidity(surroundings, parts);
    await liquidity.stocked;
    await Promise.race([liquidity.ready, patience(LIQUIDITY_PATIENCE_MS)]);
  }
  // After the market-maker has taken its money to spot: a part of that is the stake of the funds.
  if (isQuoting && chain.liquidity !== undefined) {
    const lease = await leases.open('managers of funds');
    const parts = { heart: leased, accounts, leader: chain.liquidity.quoter };
    const manage = (signal: AbortSignal): Promise<void> => manageFunds(surroundings, { ...parts, baseUrl: url, lease, guarded }, signal);
    startHouseFunds(surroundings, parts, { lease, isManaged: config.fundManager === 'on', manage });
  }
  const handOf = handsOf({ campaign: services.of(campaignService), directory: accounts.directory, ours: chain.ours });
  await startFundWatch(surroundings, { funds: services.of(fundService), leases, handOf });
  const { moves } = services.of(pricesService);
  return { url, heart, accounts, moves };
}

/** @throws StartError where nothing may change, and the configuration names what is not registered */
async function registerConfigured(heart: Heart, { config }: Surroundings, say: (line: string) => void): Promise<void> {
  const heartIs = config.duties.has('heart') ? 'ours' : 'other';
  try {
    for (const change of await registerListing(heart, config.installation.listing, heartIs)) say(change);
  } catch (error) {
    if (config.accepts === 'everything' || !(error instanceof HeartError)) throw error;
    const why = 'the data folder is new, or the listing of the configuration has changed';
    throw new StartError(`${error.message}, but ${why}: start once with ORRERY_ACCEPTS=everything`, { cause: error });
  }
}

/** What speaks to other processes is loaded where there are any. */
async function openHeart(
  surroundings: Surroundings,
  watched: WatchedProgram | undefined,
  say: (line: string) => void,
): Promise<FollowedHeart & Pick<StartedHeart, 'standbys'>> {
  const { duties, events } = surroundings.config;
  if (!duties.has('heart')) {
    const { followHeart } = await import('./link/follow-heart.ts');
    const followed = await followHeart(surroundings);
    return { ...followed, heart: tracedWhereWanted(followed.heart, surroundings), standbys: () => undefined };
  }
  const started = await startHeart(surroundings, { opening: resetPrices, onGroup: watched?.metrics.onGroup, say });
  if (events !== undefined) {
    const { serveHeart } = await import('./link/serve-heart.ts');
    await serveHeart(surroundings, started);
  }
  return { ...started, heart: tracedWhereWanted(started.heart, surroundings) };
}

async function openAccountPeers(surroundings: Surroundings, { changes }: StartedDatabase): Promise<Peers | undefined> {
  if (surroundings.config.events === undefined || changes === undefined) return undefined;
  return (await import('./link/peers.ts')).openPeers(surroundings, 'ended');
}

const tracedWhereWanted = (heart: ProgramHeart, { traces }: Surroundings): ProgramHeart =>
  traces === undefined ? heart : tracedHeart(heart, traces);

/** Passkeys are for names of hosts, never for numbers. */
const consoleOf = (url: string, { consoleOrigin, publicOrigins }: Config): string =>
  `${atPort(consoleOrigin ?? publicOrigins[0] ?? url.replace('127.0.0.1', 'localhost'), Number(new URL(url).port))}/console`;

/** Both settle before a failure of one is reported: a part that is still starting would outlive the program. */
async function together<First, Second>(first: Promise<First>, second: Promise<Second>): Promise<[First, Second]> {
  await Promise.allSettled([first, second]);
  return Promise.all([first, second]);
}

const patience = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms).unref());
