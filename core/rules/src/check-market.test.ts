import { describe, expect, test } from 'vitest';
import { assetId, atoms, lots, marketId, ppm, ticks } from '@orrery/units';
import type { Asset, Market } from '@orrery/protocol';
import { invalidAssetField, invalidMarketField } from './check-market.ts';
import { BTC_USDC } from './testing/orders.ts';

const USDC: Asset = { asset: assetId(1), code: 'USDC', decimals: 6, kind: 'chain' };
const BTC: Asset = { asset: assetId(2), code: 'BTC', decimals: 8, kind: 'chain' };

const asset = (change: Partial<Asset>): string => invalidAssetField({ ...BTC, ...change }) ?? 'sound';
const market = (change: Partial<Market>, base: Asset = BTC, quote: Asset = USDC): string =>
  invalidMarketField({ ...BTC_USDC, ...change }, base, quote) ?? 'sound';

describe('an asset', () => {
  test.each([
    ['sound', { asset: assetId(255) }],
    ['asset', { asset: assetId(256) }],
    ['sound', { code: 'A' }],
    ['sound', { code: 'A123456789012345' }],
    ['code', { code: 'A1234567890123456' }],
    ['code', { code: '' }],
    ['code', { code: 'btc' }],
    ['code', { code: '1BTC' }],
    ['code', { code: 'xBTC' }],
    ['code', { code: 'BTC-' }],
    ['sound', { decimals: 0 }],
    ['sound', { decimals: 18 }],
    ['decimals', { decimals: 19 }],
    ['decimals', { decimals: -1 }],
    ['decimals', { decimals: 0.5 }],
  ] as const)('%s: %j', (answer, change) => {
    expect(asset(change)).toBe(answer);
  });
});

describe('a market', () => {
  test.each([
    ['sound', {}],
    ['sound', { market: marketId(1_023) }],
    ['market', { market: marketId(1_024) }],
    ['symbol', { symbol: 'BTCUSDC' }],
    ['pricePrecision', { pricePrecision: -1 }],
    ['sizePrecision', { sizePrecision: 1.5 }],
    ['lotAtoms', { lotAtoms: atoms(1_001n) }],
    ['tickLotAtoms', { tickLotAtoms: atoms(2n) }],
    ['minPrice', { minPrice: ticks(0) }],
    ['sound', { minPrice: ticks(1) }],
    ['sound', { minPrice: ticks(100), maxPrice: ticks(100) }],
    ['maxPrice', { minPrice: ticks(100), maxPrice: ticks(99) }],
    ['sound', { maxPrice: ticks(2 ** 30 - 1) }],
    ['maxPrice', { maxPrice: ticks(2 ** 30) }],
    ['minSize', { minSize: lots(0) }],
    ['sound', { minSize: lots(1) }],
    ['sound', { minSize: lots(7), maxSize: lots(7) }],
    ['maxSize', { minSize: lots(7), maxSize: lots(6) }],
    ['sound', { maxSize: lots(10 ** 12) }],
    ['maxSize', { maxSize: lots(10 ** 12 + 1) }],
    ['sound', { minNotional: atoms(0n) }],
    ['sound', { minNotional: atoms(5n), maxNotional: atoms(5n) }],
    ['maxNotional', { minNotional: atoms(5n), maxNotional: atoms(4n) }],
    ['sound', { makerFeePpm: ppm(100_000), takerFeePpm: ppm(100_000) }],
    ['makerFeePpm', { makerFeePpm: ppm(100_001) }],
    ['takerFeePpm', { takerFeePpm: ppm(100_001) }],
    ['sound', { limitBandPpm: ppm(999_999), marketBandPpm: ppm(999_999) }],
    ['limitBandPpm', { limitBandPpm: ppm(1_000_000) }],
    ['marketBandPpm', { marketBandPpm: ppm(1_000_000) }],
    ['sound', { maxOpenOrders: 1 }],
    ['maxOpenOrders', { maxOpenOrders: 0 }],
    ['maxOpenOrders', { maxOpenOrders: 1.5 }],
  ] as const)('%s: %o', (answer, change) => {
    expect(market(change)).toBe(answer);
  });

  test('of an asset in itself is none', () => {
    expect(market({ symbol: 'USDC_USDC' }, USDC)).toBe('quote');
  });
});
