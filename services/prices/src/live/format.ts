/** How exchanges speak: what to send to hear about symbols, and what their messages say. One entry for each format that is understood. */

/** Best bid and ask as the exchange wrote them. */
export interface Quote {
  readonly symbol: string;
  readonly bid: string;
  readonly ask: string;
}

export interface FeedFormat {
  subscription(symbols: readonly string[]): string;
  /** Undefined for messages that are no quote. */
  read(message: unknown): Quote | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

function quote(symbol: unknown, bid: unknown, ask: unknown): Quote | undefined {
  return typeof symbol === 'string' && typeof bid === 'string' && typeof ask === 'string' ? { symbol, bid, ask } : undefined;
}

/** Individual book tickers of Binance: `wss://stream.binance.com:9443/ws`, perpetual futures at `wss://fstream.binance.com/ws`, symbols such as `BTCUSDC`. */
const binance: FeedFormat = {
  subscription: (symbols) =>
    JSON.stringify({
      method: 'SUBSCRIBE',
      params: symbols.map((symbol) => `${symbol.toLowerCase()}@bookTicker`),
      id: 1,
    }),
  read: (message) => (isFields(message) ? quote(message['s'], message['b'], message['a']) : undefined),
};

/** The ticker channel of Coinbase Exchange: `wss://ws-feed.exchange.coinbase.com`, symbols such as `BTC-USD`. */
const coinbase: FeedFormat = {
  subscription: (symbols) => JSON.stringify({ type: 'subscribe', product_ids: symbols, channels: ['ticker'] }),
  read: (message) =>
    isFields(message) && message['type'] === 'ticker' ? quote(message['product_id'], message['best_bid'], message['best_ask']) : undefined,
};

/** The tickers channel of OKX: `wss://ws.okx.com:8443/ws/v5/public`, symbols such as `BTC-USDC` or `BTC-USDC-SWAP`. */
const okx: FeedFormat = {
  subscription: (symbols) => JSON.stringify({ op: 'subscribe', args: symbols.map((instId) => ({ channel: 'tickers', instId })) }),
  read(message) {
    const list = isFields(message) ? message['data'] : undefined;
    // The newest is the only one; a list of several symbols is not sent.
    const ticker: unknown = Array.isArray(list) ? list[0] : undefined;
    return isFields(ticker) ? quote(ticker['instId'], ticker['bidPx'], ticker['askPx']) : undefined;
  },
};

export const FEED_FORMATS = { binance, coinbase, okx } as const satisfies Record<string, FeedFormat>;
export type FeedFormatName = keyof typeof FEED_FORMATS;
