/** Outside prices, submitted as commands. */
import { join } from 'node:path';
import { openPrices, OutsidePrices, type PriceSource, type OpenPricesOptions } from '@orrery/prices';
import type { Heart, Market } from '@orrery/protocol';
import { millis } from '@orrery/units';
import type { Config } from '../config.ts';
import { assetIdOf } from '../listing.ts';
import { serve } from './service.ts';

interface RunningPrices {
  readonly source: PriceSource;
  readonly handlers: Readonly<Record<string, never>>;
  stop(): Promise<void>;
}

async function open({ heart, ...options }: OpenPricesOptions & { readonly heart: Heart }): Promise<RunningPrices> {
  const source = openPrices(options);
  const { markets, now, log } = options;
  const prices = new OutsidePrices({ source, markets, heart, now, publish: () => undefined, log });
  const stop = (): Promise<void> => {
    prices.stop();
    source.close();
    return Promise.resolve();
  };
  try {
    await prices.start();
  } catch (error) {
    await stop();
    throw error;
  }
  return { source, handlers: {}, stop };
}

/** The recorded month is in dollars: a market with another quote asset has outside prices from a live feed only. */
const pricedMarkets = ({ priceFeeds, installation: { listing } }: Config): readonly Market[] =>
  priceFeeds === undefined ? listing.markets.filter(({ quote }) => quote === assetIdOf('USDC')) : listing.markets;

export const pricesService = { name: 'prices', routes: {}, migrations: {}, open };

export const pricesEntry = serve(pricesService, ({ surroundings: { config, log }, heart }) => ({
  heart,
  markets: pricedMarkets(config),
  feeds: config.priceFeeds,
  anchorPath: join(config.dataDirectory, 'price-anchor.json'),
  now: () => millis(Date.now()),
  monotonicMs: () => performance.now(),
  log: (line: string) => log.info({ part: 'prices' }, line),
}));
