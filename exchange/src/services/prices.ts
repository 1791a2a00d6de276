/** Outside prices, submitted as commands. */
import { join } from 'node:path';
import { openPrices, OutsidePrices, type PriceSource, type OpenPricesOptions } from '@orrery/prices';
import type { Heart } from '@orrery/protocol';
import { millis } from '@orrery/units';
import { MARKETS } from '../listing.ts';
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

export const pricesService = { name: 'prices', routes: {}, migrations: {}, open };

export const pricesEntry = serve(pricesService, ({ surroundings: { config, log }, heart }) => ({
  heart,
  markets: MARKETS,
  feeds: config.priceFeeds,
  anchorPath: join(config.dataDirectory, 'price-anchor.json'),
  now: () => millis(Date.now()),
  monotonicMs: () => performance.now(),
  log: (line: string) => log.info({ part: 'prices' }, line),
}));
