/** Topics of the stream of contracts, as they are written: `depth@btc_usdc,20`, `order@<listen key>`. */
import {
  ApiError,
  DEPTH_TOPIC_LEVELS,
  INTERVALS,
  KLINE_SOURCES,
  PRIVATE_FUTURES_TOPICS,
  type Interval,
  type KlineSource,
  type PrivateFuturesTopic,
} from '@orrery/api';
import type { MarketId } from '@orrery/units';
import type { Floor } from '../floor.ts';
import { contractNamed } from '../futures/contract-listing.ts';

export type PublicFuturesTopic = { readonly event: string } & (
  | { readonly kind: 'tickers' | 'agg_tickers' }
  | { readonly kind: 'ticker' | 'agg_ticker' | 'trade' | 'depth_update' | 'mark' | 'index' | 'funding'; readonly market: MarketId }
  | { readonly kind: 'depth'; readonly market: MarketId; readonly levels: number }
  | { readonly kind: 'kline'; readonly market: MarketId; readonly interval: Interval; readonly source: KlineSource }
);

export type ParsedTopic =
  | { readonly isPrivate: false; readonly topic: PublicFuturesTopic }
  | { readonly isPrivate: true; readonly topic: PrivateFuturesTopic; readonly listenKey: string };

const OF_MARKET = ['ticker', 'agg_ticker', 'trade', 'depth_update', 'mark', 'index', 'funding'] as const;
/** Symbols have an underscore, listen keys have none. */
const LISTEN_KEY = /^[0-9a-f]{32}$/;

/** Throws when there is no such topic. */
export function futuresTopicOf(floor: Floor, text: string): ParsedTopic {
  const [name = '', rest] = text.split('@');
  if (rest === undefined) {
    if (name === 'tickers' || name === 'agg_tickers') return { isPrivate: false, topic: { kind: name, event: name } };
    throw unknown();
  }
  const isPrivate = PRIVATE_FUTURES_TOPICS.find((each) => each === name);
  if (isPrivate !== undefined && LISTEN_KEY.test(rest)) return { isPrivate: true, topic: isPrivate, listenKey: rest };
  const [symbol = '', ...args] = rest.split(',');
  const { contract } = contractNamed(floor, symbol.toUpperCase());
  return { isPrivate: false, topic: ofContract({ name, symbol: contract.symbol.toLowerCase(), market: contract.market, args }) };
}

function ofContract(named: { name: string; symbol: string; market: MarketId; args: readonly string[] }): PublicFuturesTopic {
  const { name, symbol, market, args } = named;
  const [first, second, ...more] = args;
  const kind = OF_MARKET.find((each) => each === name);
  if (kind !== undefined && first === undefined) return { kind, market, event: `${name}@${symbol}` };
  const levels = DEPTH_TOPIC_LEVELS.find((each) => String(each) === first);
  if (name === 'depth' && levels !== undefined && second === undefined)
    return { kind: 'depth', market, levels, event: `depth@${symbol},${levels}` };
  const interval = INTERVALS.find((each) => each === first);
  const source = second === undefined ? 'LAST' : KLINE_SOURCES.find((each) => each === second.toUpperCase());
  if (name === 'kline' && interval !== undefined && source !== undefined && more.length === 0) {
    const ofSource = source === 'LAST' ? '' : `,${source.toLowerCase()}`;
    return { kind: 'kline', market, interval, source, event: `kline@${symbol},${interval}${ofSource}` };
  }
  throw unknown();
}

const unknown = (): ApiError => new ApiError('MalformedField', { field: 'params', message: 'there is no such topic' });
