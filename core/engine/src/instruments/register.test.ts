import { describe, expect, test } from 'vitest';
import type { Command, Market } from '@orrery/protocol';
import { assetId, atoms, lots, marketId, millis, ppm, seq, ticks } from '@orrery/units';
import { createEngine } from '../engine.ts';

const USDC: Command = { type: 'RegisterAsset', asset: assetId(1), code: 'USDC', decimals: 6, kind: 'chain' };
const BTC: Command = { type: 'RegisterAsset', asset: assetId(2), code: 'BTC', decimals: 8, kind: 'chain' };
const market: Market = {
  market: marketId(1),
  symbol: 'BTC_USDC',
  base: assetId(2),
  quote: assetId(1),
  pricePrecision: 1,
  sizePrecision: 5,
  lotAtoms: atoms(1_000n),
  tickLotAtoms: atoms(1n),
  minPrice: ticks(1),
  maxPrice: ticks(100),
  minSize: lots(1),
  maxSize: lots(100),
  minNotional: atoms(1n),
  maxNotional: atoms(100n),
  makerFeePpm: ppm(500),
  takerFeePpm: ppm(1_000),
  limitBandPpm: ppm(100_000),
  marketBandPpm: ppm(50_000),
  maxOpenOrders: 200,
};

function eventsOf(...commands: readonly Command[]): ReturnType<ReturnType<typeof createEngine>['apply']> {
  const engine = createEngine();
  const all = commands.map((command, index) => engine.apply({ seq: seq(index + 1), at: millis(0), command }));
  return all.at(-1) ?? [];
}

describe('registering a market', () => {
  test('emits the market and that it trades', () => {
    expect(eventsOf(USDC, BTC, { type: 'RegisterMarket', ...market })).toEqual([
      { type: 'MarketRegistered', ...market },
      { type: 'MarketStateChanged', market: marketId(1), state: 'TRADING' },
    ]);
  });

  test('R3: comes twice and is done once', () => {
    const again = eventsOf(USDC, BTC, { type: 'RegisterMarket', ...market }, { type: 'RegisterMarket', ...market });
    expect(again).toEqual([{ type: 'CommandRepeated', key: 'BTC_USDC' }]);
  });

  test.each([
    ['AlreadyRegistered', 'market', { maxSize: lots(50) }],
    ['AlreadyRegistered', 'symbol', { market: marketId(2) }],
    ['UnknownAsset', 'base', { base: assetId(9) }],
    ['UnknownAsset', 'quote', { quote: assetId(9) }],
    ['InvalidField', 'market', { market: marketId(1_024) }],
    ['InvalidField', 'symbol', { symbol: 'USDC_BTC' }],
    ['InvalidField', 'pricePrecision', { pricePrecision: 0.5 }],
    ['InvalidField', 'sizePrecision', { sizePrecision: 19 }],
    ['InvalidField', 'lotAtoms', { lotAtoms: atoms(999n) }],
    ['InvalidField', 'lotAtoms', { sizePrecision: 9 }],
    ['InvalidField', 'tickLotAtoms', { tickLotAtoms: atoms(10n) }],
    ['InvalidField', 'tickLotAtoms', { pricePrecision: 2 }],
    ['InvalidField', 'minPrice', { minPrice: ticks(0) }],
    ['InvalidField', 'maxPrice', { maxPrice: ticks(0) }],
    ['InvalidField', 'maxPrice', { maxPrice: ticks(2 ** 30) }],
    ['InvalidField', 'minSize', { minSize: lots(0) }],
    ['InvalidField', 'maxSize', { maxSize: lots(10 ** 12 + 1) }],
    ['InvalidField', 'minNotional', { minNotional: atoms(-1n) }],
    ['InvalidField', 'maxNotional', { maxNotional: atoms(0n) }],
    ['InvalidField', 'makerFeePpm', { makerFeePpm: ppm(100_001) }],
    ['InvalidField', 'takerFeePpm', { takerFeePpm: ppm(100_001) }],
    ['InvalidField', 'limitBandPpm', { limitBandPpm: ppm(1_000_000) }],
    ['InvalidField', 'marketBandPpm', { marketBandPpm: ppm(1_000_000) }],
    ['InvalidField', 'maxOpenOrders', { maxOpenOrders: 0 }],
  ] as const)('is refused as %s %s', (reason, field, change) => {
    const events = eventsOf(USDC, BTC, { type: 'RegisterMarket', ...market }, { type: 'RegisterMarket', ...market, ...change });
    expect(events).toEqual([{ type: 'CommandRejected', reason, field }]);
  });
});

describe('registering an asset', () => {
  test.each([
    ['CommandRepeated', USDC],
    ['InvalidField asset', { ...USDC, asset: assetId(256) }],
    ['InvalidField code', { ...USDC, asset: assetId(3), code: 'usdc' }],
    ['InvalidField decimals', { ...USDC, asset: assetId(3), decimals: 19 }],
    ['AlreadyRegistered asset', { ...USDC, decimals: 5 }],
    ['AlreadyRegistered code', { ...USDC, asset: assetId(3) }],
  ] as const)('again is answered %s', (answer, command) => {
    const [event] = eventsOf(USDC, command);
    expect(event?.type === 'CommandRejected' ? `${event.reason} ${event.field}` : event?.type).toBe(answer);
  });
});

describe('an index price', () => {
  test.each([
    ['IndexPriceSet', marketId(1), ticks(50)],
    ['UnknownMarket', marketId(2), ticks(50)],
    ['InvalidPrice', marketId(1), ticks(0)],
    ['InvalidPrice', marketId(1), ticks(101)],
  ] as const)('%s', (answer, id, price) => {
    const [event] = eventsOf(USDC, BTC, { type: 'RegisterMarket', ...market }, { type: 'SetIndexPrice', market: id, price });
    expect(event?.type === 'CommandRejected' ? event.reason : event?.type).toBe(answer);
  });
});
