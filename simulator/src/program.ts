/** One life of the exchange's program: the production classes, started on what the disk has, until it dies. */
import { LIMITS, type Authenticator } from '@orrery/gateway';
import { openIndexer, type Indexer, type IndexerTables } from '@orrery/indexer';
import { assetIdOf, type Listing, registerListing, USUAL_LISTING } from '@orrery/exchange/listing';
import { History, startProjector, type Projector, type ProjectorTables } from '@orrery/projector';
import type { Applied, Contract, Heart, HeartError } from '@orrery/protocol';
import { AssertionError, atoms, seq } from '@orrery/units';
import { followFolder, HistoryDamaged, openSequencer, type EngineFactory, type Sequencer, type SequencerLimits } from '@orrery/sequencer';
import { load, MarketsView } from '@orrery/views';
import type { Kysely } from 'kysely';
import { resetPrices } from '../../exchange/src/start-heart.ts';
import { Floor } from '../../services/gateway/src/floor.ts';
import { localLeases, type Timer } from '@orrery/foundation';
import { Door } from './door.ts';
import { Durable } from './durable.ts';
import type { DiskFaults } from './disk/disk-faults.ts';
import type { Platter } from './disk/platter.ts';
import { SimDisk } from './disk/sim-disk.ts';
import { OPERATOR, type ChainSite } from './chain/chain-site.ts';
import { DatabaseLost } from './database/sim-database.ts';
import type { Life } from './life.ts';
import type { Witness } from './oracle/witness.ts';
import { plantedHeart, type Plant } from './plant.ts';
import { Violation } from './violation.ts';

export const DIRECTORY = '/exchange/history';

/** Caps of one coin that a few withdrawals reach. */
const SMALL_CAPS = { asset: assetIdOf('WSOSO'), hourly: atoms(5n * 10n ** 17n), daily: atoms(4n * 10n ** 18n) };
const LISTING: Listing = {
  ...USUAL_LISTING,
  withdrawalCaps: USUAL_LISTING.withdrawalCaps.map((caps) => (caps.asset === SMALL_CAPS.asset ? SMALL_CAPS : caps)),
};

export interface ProgramParts {
  readonly life: Life;
  readonly platter: Platter;
  readonly diskFaults: DiskFaults;
  readonly engines: EngineFactory;
  readonly limits: SequencerLimits;
  readonly wallMs: () => number;
  readonly monotonicMs: () => number;
  readonly witness: Witness;
  readonly authenticator: Authenticator;
  readonly db: Kysely<ProjectorTables>;
  readonly log: (line: string) => void;
  readonly plant: Plant | undefined;
  /** None where spot is all that is traded: then no collateral is listed either. */
  readonly contracts: readonly Contract[];
  readonly chain: { readonly site: ChainSite; readonly sql: Kysely<IndexerTables> } | undefined;
  /** Whether the damage is known of: then it is put right, and the program started again. */
  readonly onDamage: (error: HistoryDamaged) => boolean;
  readonly onTrouble: (what: 'database' | 'chain', error: unknown) => void;
  /** The program cannot continue: its supervisor restarts it. */
  readonly onFatal: (error: unknown) => void;
  /** Something that must hold did not. */
  readonly onViolation: (error: unknown) => void;
}

export class Program {
  readonly heart: Sequencer;
  readonly projector: Projector;
  readonly indexer: Indexer | undefined;
  readonly door: Door;
  readonly #life: Life;

  private constructor(parts: { life: Life; heart: Sequencer; projector: Projector; indexer: Indexer | undefined; door: Door }) {
    this.#life = parts.life;
    this.heart = parts.heart;
    this.projector = parts.projector;
    this.indexer = parts.indexer;
    this.door = parts.door;
  }

  /** Never resolves when the program dies meanwhile. */
  static async start(parts: ProgramParts): Promise<Program> {
    const { life, wallMs, authenticator, plant, onFatal } = parts;
    const timer: Timer = (act, ms) => life.after(ms, act);
    const { heart, durable } = await openHeart(parts);
    const seen = plantedHeart(heart, plant, life);
    await registerListing(heart, { ...LISTING, contracts: parts.contracts, ...(parts.contracts.length === 0 ? { collaterals: [] } : {}) });
    const projector = await openProjector(parts, { durable, timer });
    const indexer = openChain(parts, { heart: seen, timer });
    const markets = new MarketsView();
    const view = heart.open();
    view.close();
    load(view, markets);
    const contracts = new Map(view.facts.flatMap((fact) => (fact.type === 'ContractRegistered' ? [[fact.market, fact] as const] : [])));
    const history = new History({ db: parts.db, markets, contractOf: (market) => contracts.get(market), projector });
    const floor = await Floor.open({
      heart: seen,
      marketHistory: {
        minutes: (of) => history.minutes(of),
        contractMinutes: async (of) => ({ common: [], trades: await history.minutes(of), mark: [], index: [] }),
        trades: (of) => history.trades(of),
      },
      pastReaches: (at) => Promise.race([history.reached(at), life.sleep(LIMITS.http.pastWaitMs)]),
      onFailure: onFatal,
      timer,
    });
    const door = new Door({ heart: seen, floor, history, contractHistory: history.contracts, authenticator, now: wallMs, timer });
    return new Program({ life, heart, projector, indexer, door });
  }

  get isAlive(): boolean {
    return this.#life.isAlive;
  }
}

/** Its events are recorded before any reader can act on them. */
async function openHeart(parts: ProgramParts): Promise<{ heart: Sequencer; durable: Durable }> {
  const { life, engines, limits, wallMs, monotonicMs, witness, log, onFatal } = parts;
  const durable = new Durable();
  const heart = await openSequencer({
    directory: DIRECTORY,
    engines,
    disk: diskOf(parts),
    clock: { wallMs, monotonicMs },
    onFatal: (error: HeartError) => onFatal(error),
    opening: resetPrices,
    onDurable: (at) => durable.report(at),
    log,
    limits,
    lockFolder: async () => ({ release: async () => undefined }),
  });
  life.mustBeAlive();
  witness.started(heart.status());
  durable.report(heart.status().seq);
  if (parts.plant !== 'tellsBeforeDurable') void listen(heart.subscribe(seq(witness.seq)), parts);
  return { heart, durable };
}

/** The processors are wanted by others now and then, and history waits. */
const BUSY_EVERY_MS = 60_000;
const BUSY_FOR_MS = 15_000;

/** Reads the folder, as it does in production in a separate thread. */
function openProjector(parts: ProgramParts, { durable, timer }: { durable: Durable; timer: Timer }): Promise<Projector> {
  const { life, engines, log, db, wallMs, onTrouble, onViolation } = parts;
  const source = followFolder({ disk: diskOf(parts), directory: DIRECTORY, engines, log, end: durable });
  return startProjector({
    source,
    db,
    timer,
    isBusy: () => wallMs() % BUSY_EVERY_MS < BUSY_FOR_MS,
    onTrouble: (error) => {
      if (!life.isAlive) return;
      if (error instanceof HistoryDamaged && parts.onDamage(error)) return;
      if (isOfTheDatabase(error)) onTrouble('database', error);
      else onViolation(new Violation('J1', `the projector stumbled: ${String(error)}`, error));
    },
  });
}

const POLL_MS = 3_000;

function openChain(
  { chain, life, plant, wallMs, onTrouble, onViolation }: ProgramParts,
  { heart, timer }: { heart: Heart; timer: Timer },
): Indexer | undefined {
  if (chain === undefined) return undefined;
  const { site, sql } = chain;
  return openIndexer({
    heart,
    leases: localLeases(),
    sql,
    reads: sql,
    client: site.node.connect(life),
    deployment: site.chain.deployment,
    operator: OPERATOR,
    confirmations: plant === 'creditsEarly' ? 1 : site.confirmations,
    payableSeconds: site.payableSeconds,
    pollMs: POLL_MS,
    now: wallMs,
    windowNow: wallMs,
    timer,
    onTrouble: (error) => {
      if (!life.isAlive) return;
      if (error instanceof AssertionError) onViolation(new Violation('D4', `the indexer stumbled: ${error.message}`, error));
      else onTrouble('chain', error);
    },
  });
}

/** It is away, or it lost commits that this projector made: then the offset is not where it was left. */
const isOfTheDatabase = (error: unknown): boolean =>
  error instanceof DatabaseLost || (error instanceof Error && error.message.startsWith('the offset of history is not at'));

const diskOf = ({ platter, life, diskFaults }: ProgramParts): SimDisk => new SimDisk({ platter, life, faults: diskFaults });

async function listen(history: AsyncIterable<readonly Applied[]>, { life, witness, onViolation }: ProgramParts): Promise<void> {
  try {
    for await (const batch of history) {
      if (!life.isAlive) return;
      witness.hear(batch);
    }
  } catch (error) {
    if (life.isAlive) onViolation(error);
  }
}
