/** The stream of contracts in the shape in which the feed listens to a stream: symbols are marked, trades and tickers are those of any market. */
import type { AggregateTicker, Deal, FundingRate, FuturesDeal, Ticker } from '@orrery/api';
import type { FuturesStream } from '@orrery/sdk';
import type { FeedStream } from './market-feed.ts';
import { perpetual, wireOf } from './perpetual.ts';

/** What contracts have beside books, trades and candles. */
export interface ContractListeners {
  readonly onQuotes: (quotes: readonly AggregateTicker[]) => void;
  readonly onFunding: (funding: FundingRate) => void;
}

export const tickerOf = ({ m: _mark, ...ticker }: AggregateTicker): Ticker => ({ ...ticker, s: perpetual(ticker.s) });

export const dealOf = ({ m, s, ...deal }: FuturesDeal): Deal => ({ ...deal, s: perpetual(s), m: m === 'BID' ? 1 : 2 });

/** Tickers and funding are listened to while a contract is in view only. */
export function contractStream(
  stream: Pick<FuturesStream, 'contract' | 'klines' | 'tickers' | 'funding'>,
  { onQuotes, onFunding }: ContractListeners,
): FeedStream {
  let onTicker: ((ticker: Ticker) => void) | undefined;
  return {
    market(symbol, listener) {
      const wire = wireOf(symbol);
      const endings = [
        stream.contract(wire, {
          onDepth: (depth) => listener.onDepth?.(depth),
          onDepthLost: () => listener.onDepthLost?.(),
          onDeal: (deal) => listener.onDeal?.(dealOf(deal)),
        }),
        stream.funding(wire, onFunding),
        stream.tickers((quotes) => {
          onQuotes(quotes);
          for (const quote of quotes) onTicker?.(tickerOf(quote));
        }),
      ];
      return () => {
        for (const end of endings) end();
      };
    },
    klines: ({ symbol, interval, source }, listener) =>
      stream.klines({ symbol: wireOf(symbol), interval, ...(source !== undefined && { source }) }, listener),
    tickers(listener) {
      onTicker = listener;
      return () => {
        onTicker = undefined;
      };
    },
    account: () => () => undefined,
  };
}
