/**
 * Every message of the WebSocket `/futures/v1/ws/socket`.
 *
 * A topic is a name, `@`, a symbol in lower case or a listen key, and arguments after commas: `depth@btc_usdc,20`, `order@<listen key>`.
 * Public: `depth_update` begins with the whole book (`whole`), then the levels that changed; `fu` to `u` are the numbers of its level changes and `pu` is the `u` of the
 * message before. A gap or a wrong checksum `c` means: subscribe again. A slow reader gets the whole again instead of what it missed.
 * Private: after each subscription everything there is, `ready`, then every change. `n` counts on by one from the first private message of the connection; `seq` is the
 * command that caused it. Private messages are never dropped: a reader too slow for them is closed (1013). Applied in their order they are what the lists of
 * orders, positions, TWAPs and accounts would answer. `position` and `account` come also when only their figures moved: at once with any other change of the
 * account, every 5 seconds with the prices. A stream goes on where another one ended by `from`: trades and liquidations of that command may have been read before.
 */
import { Type, type Static } from 'typebox';
import { Symbol, Millis, OrderIdText, nullable, strict } from './fields.ts';
import { FuturesBalance, MarginAccount } from './futures-account.ts';
import { Plan, ProfitStopTerms } from './futures-entrust.ts';
import { EndedTwap, FuturesFill, FuturesOrder, Twap } from './futures-order.ts';
import { Liquidation, Position } from './futures-position.ts';
import { AggregateTicker, FundingRate, FuturesDeal, FuturesDepth, FuturesKline, FuturesTicker, SymbolPrice } from './futures-quotation.ts';
import { Level } from './quotation.ts';

export const FUTURES_STREAM_PATH = '/futures/v1/ws/socket';

/** Topics in one message. */
export const FUTURES_PARAMS_MAX = 20;
export const PRIVATE_FUTURES_TOPICS = ['order', 'balance', 'position', 'trade', 'liquidation', 'account', 'terms', 'twap'] as const;
export type PrivateFuturesTopic = (typeof PRIVATE_FUTURES_TOPICS)[number];
/** Levels a side of the topic `depth`. */
export const DEPTH_TOPIC_LEVELS = [5, 10, 20, 50] as const;

export const FuturesTopic = Type.String({
  minLength: 4,
  maxLength: 96,
  pattern: '^[a-z_]{4,16}(@[0-9a-zA-Z_-]{3,64}(,[0-9a-zA-Z]{1,8}){0,2})?$',
  examples: ['depth@btc_usdc,20'],
});

const RequestId = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

/** Answered by `{ id, code, msg }` after the topics' first messages were queued. */
export const FuturesStreamRequest = strict(
  {
    method: Type.Enum(['SUBSCRIBE', 'UNSUBSCRIBE']),
    params: Type.Array(FuturesTopic, { minItems: 1, maxItems: FUTURES_PARAMS_MAX }),
    id: RequestId,
    from: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description:
          'the newest seq of the private stream before this one, here or at another address: trades and liquidations of it and of later commands come first',
      }),
    ),
  },
  'a message is taken whole or not at all',
);
export type FuturesStreamRequest = Static<typeof FuturesStreamRequest>;

export const FuturesStreamReply = Type.Object({ id: RequestId, code: Type.Integer(), msg: Type.String() });
export type FuturesStreamReply = Static<typeof FuturesStreamReply>;

export const FuturesDepthUpdate = Type.Object({
  s: Symbol,
  t: Millis,
  whole: Type.Boolean({ description: 'all levels there are: what was known before is dropped' }),
  pu: nullable(Type.Integer({ description: '`u` of the message before; null of the whole' })),
  fu: Type.Integer({ description: 'number of its first level change' }),
  u: Type.Integer({ description: 'number of its last level change' }),
  c: Type.Integer({ description: 'checksum of the book after it' }),
  b: Type.Array(Level, { description: 'bids: what stands there now, 0 when nothing does' }),
  a: Type.Array(Level, { description: 'asks' }),
});
export type FuturesDepthUpdate = Static<typeof FuturesDepthUpdate>;

const market = <Topic extends string, Data extends Parameters<typeof Type.Array>[0]>(topic: Topic, data: Data) =>
  Type.Object({ topic: Type.Literal(topic), event: FuturesTopic, data });
const own = <Topic extends string, Data extends Parameters<typeof Type.Array>[0]>(topic: Topic, data: Data) =>
  Type.Object({ topic: Type.Literal(topic), n: Type.Integer(), seq: Type.Integer(), data });

export const FuturesMarketPush = Type.Union([
  market('ticker', FuturesTicker),
  market('tickers', Type.Array(FuturesTicker)),
  market('agg_ticker', AggregateTicker),
  market('agg_tickers', Type.Array(AggregateTicker)),
  market('kline', FuturesKline),
  market('trade', FuturesDeal),
  market('depth', FuturesDepth),
  market('depth_update', FuturesDepthUpdate),
  market('mark', SymbolPrice),
  market('index', SymbolPrice),
  market('funding', FundingRate),
]);
export type FuturesMarketPush = Static<typeof FuturesMarketPush>;

/** Open orders, plan orders and profit-stops alike. One that is over has state FILLED or CANCELED, and is in no list any more. */
export const OwnFuturesOrder = Type.Object({
  ...FuturesOrder.properties,
  plan: nullable(Plan, { description: 'of a plan order that waits for its price' }),
  profitStop: nullable(ProfitStopTerms, { description: 'of a take-profit or stop-loss that waits' }),
});
export type OwnFuturesOrder = Static<typeof OwnFuturesOrder>;

/** What the account has set for one position of a contract, open or empty: those of the position mode that it has. */
export const PositionTerms = Type.Object({
  symbol: Position.properties.symbol,
  positionSide: Position.properties.positionSide,
  positionType: Position.properties.positionType,
  leverage: Position.properties.leverage,
  autoMargin: Position.properties.autoMargin,
});
export type PositionTerms = Static<typeof PositionTerms>;

export const OwnTwap = Type.Object({
  twapId: OrderIdText,
  twap: nullable(Twap, { description: 'as it runs; null once it is over' }),
  ended: nullable(EndedTwap, { description: 'once it is over' }),
});
export type OwnTwap = Static<typeof OwnTwap>;

export const FuturesOwnPush = Type.Union([
  own('order', OwnFuturesOrder),
  own('balance', FuturesBalance),
  own('position', Position),
  own('own_trade', FuturesFill),
  own('liquidation', Liquidation),
  own('account', MarginAccount),
  own('terms', PositionTerms),
  own('twap', OwnTwap),
  Type.Object(
    {
      topic: Type.Literal('gap'),
      n: Type.Integer(),
      seq: Type.Integer(),
      data: Type.Object({ from: Type.Integer(), to: Type.Integer() }),
    },
    {
      description:
        'trades and liquidations of the commands between `from` and `to`, without the last, are not here any more: read them by the calls of their lists',
    },
  ),
  own('ready', Type.Object({ topic: Type.Enum([...PRIVATE_FUTURES_TOPICS]) })),
]);
export type FuturesOwnPush = Static<typeof FuturesOwnPush>;
export type FuturesPush = FuturesMarketPush | FuturesOwnPush;
