/** Market data. Single letters are the wire names of the older API. */
import { Type, type Static } from 'typebox';
import { Coin, Decimal, DecimalInput, Interval, Millis, Symbol, nullable, strict } from './fields.ts';
import { routes } from './route.ts';

export const DEPTH_LEVELS_MAX = 1000;
export const DEPTH_LEVELS_DEFAULT = 100;
export const DEALS_MAX = 500;
export const KLINES_MAX = 1500;

/** `[price, size]`. */
export const Level = Type.Tuple([Decimal, Decimal]);
export type Level = Static<typeof Level>;

/** The whole depth of a market. Levels best first. */
export const Depth = Type.Object({
  s: Symbol,
  t: Millis,
  id: Type.Integer({ description: 'number of the last level change that is in it' }),
  seq: Type.Integer({ description: 'number of the last command that is in it' }),
  c: Type.Optional(Type.Integer({ description: 'checksum, when the depth is not merged and has 25 levels or more' })),
  a: Type.Array(Level, { description: 'asks' }),
  b: Type.Array(Level, { description: 'bids' }),
});
export type Depth = Static<typeof Depth>;

/** Prices are null before the first trade, or where one side of the book is empty. */
export const Ticker = Type.Object({
  s: Symbol,
  t: Millis,
  o: nullable(Decimal),
  h: nullable(Decimal),
  l: nullable(Decimal),
  c: nullable(Type.String({ description: 'last price' })),
  a: Type.String({ description: 'base volume of 24 h' }),
  v: Type.String({ description: 'quote volume of 24 h' }),
  r: Type.String({ description: 'change of 24 h as a ratio, four decimals' }),
  bp: nullable(Type.String({ description: 'best bid' })),
  ap: nullable(Type.String({ description: 'best ask' })),
  i: nullable(Type.String({ description: 'index price' })),
});
export type Ticker = Static<typeof Ticker>;

export const Deal = Type.Object({
  id: Type.String(),
  s: Symbol,
  t: Millis,
  p: Decimal,
  a: Decimal,
  m: Type.Enum([1, 2], { description: 'who took: 1 a buyer, 2 a seller' }),
});
export type Deal = Static<typeof Deal>;

export const Kline = Type.Object({
  s: Symbol,
  i: Interval,
  t: Type.Integer({ description: 'when the candle opened' }),
  o: Decimal,
  h: Decimal,
  l: Decimal,
  c: Decimal,
  a: Type.String({ description: 'base volume' }),
  v: Type.String({ description: 'quote volume' }),
  closed: Type.Boolean({ description: 'whether its interval is over; until then it changes. The stream sends each once more when it is' }),
  outside: Type.Boolean({ description: 'of prices of other exchanges, from before the first trade here' }),
});
export type Kline = Static<typeof Kline>;

export const IndexPrice = Type.Object({ s: Symbol, t: Millis, p: nullable(Decimal) });
export type IndexPrice = Static<typeof IndexPrice>;

const symbolOnly = strict({ symbol: Symbol });

export const AssistPrice = Type.Object({
  coin: Coin,
  currency: Type.Enum(['usd', 'cny']),
  price: nullable(Decimal),
  source: Type.String({ description: 'whose price it is, in words' }),
  ageMs: nullable(Type.Integer({ minimum: 0, description: 'milliseconds since the price was set; null where it has no time' })),
});
export type AssistPrice = Static<typeof AssistPrice>;

export const quotationRoutes = routes({
  time: {
    method: 'GET',
    path: '/spot/v1/p/time',
    aliases: ['/pro/p/time'],
    access: 'public',
    rate: 'public',
    summary: 'The clock of the server.',
    response: Millis,
  },
  tickers: {
    method: 'GET',
    path: '/pro/p/quotation/tickers',
    aliases: ['/spot/v1/p/quotation/tickers'],
    access: 'public',
    rate: 'public',
    summary: 'The last 24 hours of every market.',
    response: Type.Array(Ticker),
  },
  ticker: {
    method: 'GET',
    path: '/pro/p/quotation/ticker',
    aliases: ['/spot/v1/p/quotation/ticker', '/spot/v1/p/quotation/trend/ticker'],
    access: 'public',
    rate: 'public',
    summary: 'The last 24 hours of one market.',
    query: symbolOnly,
    response: Ticker,
  },
  depth: {
    method: 'GET',
    path: '/pro/p/quotation/depth',
    aliases: ['/spot/v1/p/quotation/depth'],
    access: 'public',
    rate: 'public',
    summary: "The order book by price level; `merge` is one of the market's depthMergeSteps.",
    query: strict({
      symbol: Symbol,
      level: Type.Optional(Type.Integer({ minimum: 1, maximum: DEPTH_LEVELS_MAX, default: DEPTH_LEVELS_DEFAULT })),
      merge: Type.Optional(DecimalInput),
    }),
    response: Depth,
  },
  deals: {
    method: 'GET',
    path: '/pro/p/quotation/deal',
    aliases: ['/spot/v1/p/quotation/deal'],
    access: 'public',
    rate: 'public',
    summary: 'The latest trades, newest first.',
    query: strict({ symbol: Symbol, num: Type.Optional(Type.Integer({ minimum: 1, maximum: DEALS_MAX, default: 50 })) }),
    response: Type.Array(Deal),
  },
  klines: {
    method: 'GET',
    path: '/pro/p/quotation/kline',
    aliases: ['/spot/v1/p/quotation/kline'],
    access: 'public',
    rate: 'public',
    summary: 'Candles, oldest first; times include both ends.',
    query: strict({
      symbol: Symbol,
      interval: Interval,
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: KLINES_MAX, default: 500 })),
      startTime: Type.Optional(Millis),
      endTime: Type.Optional(Millis),
    }),
    response: Type.Array(Kline),
  },
  assistPrices: {
    method: 'GET',
    path: '/pro/p/assist-price',
    access: 'public',
    rate: 'public',
    summary:
      'What a coin is worth in US dollars and in yuan, for showing values: nobody trades at it. With its source and the age of the price.',
    response: Type.Array(AssistPrice),
  },
  indexPrice: {
    method: 'GET',
    path: '/pro/p/quotation/index',
    aliases: ['/spot/v1/p/quotation/index'],
    access: 'public',
    rate: 'public',
    summary: 'The outside price of a market.',
    query: symbolOnly,
    response: IndexPrice,
  },
});

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value >>> 0;
});

/** Levels of each side that the checksum covers. */
export const CHECKSUM_LEVELS = 25;

/**
 * CRC-32 (IEEE) of the best 25 levels a side: `price:size` of bid 1, ask 1, bid 2, ask 2 and so on, joined by `:`;
 * a side that has ended is left out.
 */
export function depthChecksum(depth: { readonly b: readonly Level[]; readonly a: readonly Level[] }): number {
  const parts: string[] = [];
  for (let rank = 0; rank < CHECKSUM_LEVELS; rank += 1) {
    for (const level of [depth.b[rank], depth.a[rank]]) if (level !== undefined) parts.push(level[0], level[1]);
  }
  const text = parts.join(':');
  let crc = 0xffffffff;
  for (let index = 0; index < text.length; index += 1) {
    crc = (crc >>> 8) ^ (CRC_TABLE[(crc ^ text.charCodeAt(index)) & 0xff] ?? 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}
