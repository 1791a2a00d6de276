/** What can be listened to on the stream of contracts. */
import type {
  AggregateTicker,
  FundingRate,
  FuturesBalance,
  FuturesDeal,
  FuturesFill,
  FuturesKline,
  Interval,
  KlineSource,
  Liquidation,
  MarginAccount,
  OwnFuturesOrder,
  OwnTwap,
  Position,
  PositionTerms,
} from '@orrery/api';
import type { DepthReplica } from './depth-replica.ts';

export interface ContractListener {
  /** After every update that leaves the depth proven. */
  onDepth?(depth: DepthReplica): void;
  /** The depth can not be relied on until the next `onDepth`. */
  onDepthLost?(): void;
  onDeal?(deal: FuturesDeal): void;
}

export interface FuturesKlineTopic {
  readonly symbol: string;
  readonly interval: Interval;
  /** LAST unless given. */
  readonly source?: KlineSource;
}

export interface FuturesAccountListener {
  /** Drop what was received: everything there is follows, then `onReady`. */
  onReset?(): void;
  onOrder?(order: OwnFuturesOrder): void;
  onBalance?(balance: FuturesBalance): void;
  onPosition?(position: Position): void;
  onTrade?(fill: FuturesFill): void;
  onAccount?(account: MarginAccount): void;
  /** What is set for a position, open or empty. */
  onTerms?(terms: PositionTerms): void;
  onTwap?(twap: OwnTwap): void;
  /** A step of a liquidation, with the figures of its rule. */
  onLiquidation?(step: Liquidation): void;
  /** Trades and liquidations of the commands between these, without the last, are not sent: the calls of their lists have them. */
  onGap?(missing: { readonly from: number; readonly to: number }): void;
  onReady?(): void;
}

/** Who listens to what is public: each gets the data of its topic. */
export interface FuturesListeners {
  readonly kline: (kline: FuturesKline) => void;
  readonly tickers: (tickers: readonly AggregateTicker[]) => void;
  readonly funding: (funding: FundingRate) => void;
}

/** As the exchange names it: `kline@btc_usdc,15m,mark`. */
export function futuresKlineTopic({ symbol, interval, source = 'LAST' }: FuturesKlineTopic): string {
  return `kline@${symbol.toLowerCase()},${interval}${source === 'LAST' ? '' : `,${source.toLowerCase()}`}`;
}
