/** Outside prices, submitted as commands. */
import { join } from 'node:path';
import {
  anchorFile,
  type AnchorStore,
  CollateralRounds,
  ContractRounds,
  openPrices,
  OutsidePrices,
  type Moves,
  PriceMoves,
  type OpenPricesOptions,
  type OutsideMarket,
  type PriceSource,
} from '@orrery/prices';
import type { Changes, LeasePort } from '@orrery/foundation';
import type { Collateral, Contract, Heart, Market } from '@orrery/protocol';
import { isPracticeContract } from '@orrery/rules';
import { millis } from '@orrery/units';
import type { Kysely } from 'kysely';
import type { Config } from '../config.ts';
import { assetIdOf } from '../listing.ts';
import { type AnchorTables, sharedAnchor } from '../shared-anchor.ts';
import { type MoveTables, SharedMoves } from '../shared-moves.ts';
import { troubleOf } from '../surroundings.ts';
import { type Ground, serve } from './service.ts';

interface RunningPrices {
  readonly source: PriceSource;
  /** For trying things out. */
  readonly moves: Moves;
  readonly handlers: Readonly<Record<string, never>>;
  stop(): Promise<void>;
}

interface PricesPorts extends OpenPricesOptions {
  readonly heart: Heart;
  readonly contracts: readonly OutsideMarket[];
  readonly collaterals: readonly Collateral[];
  /** Of all processes on the database one submits prices. */
  readonly leases: LeasePort;
  /** Where other processes may be on the database. */
  readonly shared: { readonly db: Kysely<MoveTables>; readonly changes: Changes; readonly onTrouble: (error: unknown) => void } | undefined;
}

async function open({ heart, contracts, collaterals, leases, shared, ...options }: PricesPorts): Promise<RunningPrices> {
  const { markets, now, log } = options;
  const source = await openPrices({ ...options, markets: [...markets, ...contracts] });
  const lease = await leases.open('outside prices');
  const prices = new OutsidePrices({ source, markets, heart, lease, now, publish: () => undefined, log });
  const sharedMoves = shared && new SharedMoves({ ...shared, lease });
  const moves: Moves = sharedMoves ?? new PriceMoves();
  const rounds = new ContractRounds({ source, contracts, moves, heart, lease, now, log });
  const worth = new CollateralRounds({ source, collaterals, heart, lease, now, log });
  const stop = async (): Promise<void> => {
    prices.stop();
    rounds.stop();
    worth.stop();
    source.close();
    await sharedMoves?.stop();
  };
  try {
    await sharedMoves?.load();
    await prices.start();
    await worth.start();
    await rounds.start();
  } catch (error) {
    await stop();
    throw error;
  }
  return { source, moves, handlers: {}, stop };
}

/** The recorded month is in dollars: a market with another quote asset has outside prices from a live feed only. */
const pricedMarkets = ({ priceFeeds, installation: { listing } }: Config): readonly Market[] =>
  priceFeeds === undefined ? listing.markets.filter(({ quote }) => quote === assetIdOf('USDC')) : listing.markets;

/** Outside a coin is traded by its own size, whatever a lot of the contract is. */
const INVERSE_SIZE_PRECISION = 5;
function outsideOf(contract: Contract): OutsideMarket {
  // Practised for the contract of the same coin: by its outside prices, until a tester moves them.
  if (isPracticeContract(contract)) return { ...contract, symbol: `${contract.baseCode}_USDC` };
  return contract.payoff === 'linear' ? contract : { ...contract, sizePrecision: INVERSE_SIZE_PRECISION };
}

export const pricesService = { name: 'prices', routes: {}, migrations: {}, open };

/** Processes on one database replay the recorded month from the same minute: prices go on where another one takes over. */
function anchorIn({ dataDirectory }: Pick<Config, 'dataDirectory'>, database: Ground['database']): AnchorStore {
  const path = join(dataDirectory, 'price-anchor.json');
  return database.changes === undefined ? anchorFile(path) : sharedAnchor(database.of<AnchorTables>(), path);
}

export const pricesEntry = serve(pricesService, ({ surroundings, surroundings: { config, log }, heart, leases, database }) => ({
  heart,
  leases,
  shared: database.changes && { db: database.of<MoveTables>(), changes: database.changes, onTrouble: troubleOf(surroundings, 'prices') },
  markets: pricedMarkets(config),
  contracts: [...config.installation.listing.contracts, ...config.installation.listing.practice].map(outsideOf),
  collaterals: config.installation.listing.collaterals,
  feeds: config.priceFeeds,
  anchor: anchorIn(config, database),
  now: () => millis(Date.now()),
  monotonicMs: () => performance.now(),
  log: (line: string) => log.info({ part: 'prices' }, line),
}));
