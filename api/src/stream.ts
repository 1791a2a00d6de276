/**
 * Every message of the WebSocket `/spot/v1/ws/socket`.
 *
 * Public: `qAllDepth` once per subscription, then `qDepth`, one message a level, with `id` counting on by one from the `id` of `qAllDepth`; the last level of
 * each update carries the checksum `c` of the whole. A gap or a wrong checksum means: subscribe again. A slow reader gets a new `qAllDepth` instead of what it missed.
 * Private: after `subUser` everything there is (`uBalance`, `uOrder`), `uReady`, then every change. `n` counts on by one from the first message of the subscription;
 * `seq` is the command that caused it; for a topic (`ACCOUNT_TOPICS`) the newest command when it was sent. Private messages are never dropped: a reader too slow
 * for them is closed (1013). A stream goes on where another one ended by `from`: the trades of that command may have been read before, under the same `execId` and role.
 */
import { Type, type Static } from 'typebox';
import { AccessKey } from './apikey.ts';
import { Balance } from './balance.ts';
import { ClientOrderId, Coin, Decimal, Interval, Millis, Symbol, strict } from './fields.ts';
import {
  CancelAllOrders,
  CancelOrder,
  CreateOrder,
  CancelOrders,
  CreateOrders,
  CreatePair,
  Order,
  OrderState,
  UpdateOrder,
} from './order.ts';
import { ClaimStatus } from './faucet.ts';
import { OtcNews } from './otc-fields.ts';
import { Deal, Depth, IndexPrice, Kline, Ticker } from './quotation.ts';
import { routes } from './route.ts';
import { AwardNews } from './task.ts';

export const STREAM_PATH = '/spot/v1/ws/socket';
/** Text messages that are not JSON. */
export const PING = 'ping';
export const PONG = 'pong';
export const SUCCEED = 'succeed';
/** A ticket for `subUser` or `login` is good once and for this long. */
export const TICKET_LIFE_MS = 30_000;

export const streamRoutes = routes({
  streamTicket: {
    method: 'GET',
    path: '/spot/v1/u/ws/token',
    access: 'read',
    rate: 'read',
    summary: 'A ticket for the private stream, good once and for 30 seconds.',
    response: Type.String(),
  },
});

// ---- from the client -----------------------------------------------------------------------------------------------

const Ticket = Type.String({ minLength: 16, maxLength: 64, pattern: '^[0-9a-zA-Z_-]{16,64}$' });

/** Acknowledged by the text `succeed`. `unsub` instead of `sub` ends it. */
export const Subscribe = Type.Union([
  strict({ sub: Type.Literal('subSymbol'), symbol: Symbol }, 'qAllDepth, qDepth and qDeal of one market'),
  strict({ sub: Type.Literal('subKline'), symbol: Symbol, type: Interval }, 'qKLine'),
  strict({ sub: Type.Literal('subStats') }, 'qStats of every market'),
  strict({ sub: Type.Literal('subIndex'), symbol: Symbol }, 'qIndex: the outside price of one market'),
  strict(
    {
      sub: Type.Literal('subUser'),
      token: Ticket,
      from: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: Number.MAX_SAFE_INTEGER,
          description:
            'the newest seq of the stream before this one, here or at another address: trades of it and of later commands come first',
        }),
      ),
    },
    "uBalance, uOrder, uTrade and every topic of the ticket's account",
  ),
]);
export type Subscribe = Static<typeof Subscribe>;

export const Unsubscribe = Type.Union([
  strict({ unsub: Type.Literal('subSymbol'), symbol: Symbol }),
  strict({ unsub: Type.Literal('subKline'), symbol: Symbol, type: Interval }),
  strict({ unsub: Type.Literal('subStats') }),
  strict({ unsub: Type.Literal('subIndex'), symbol: Symbol }),
  strict({ unsub: Type.Literal('subUser') }),
]);
export type Unsubscribe = Static<typeof Unsubscribe>;

/** Chosen by the client, given back in the reply. */
const RequestId = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

const SignatureVersion = Type.Enum([1, 2], { description: 'of the signature: 1, the legacy scheme, unless given' });

/** Log in once per connection, by ticket or by API key (signed as a GET of this path without parameters), then give orders. */
export const StreamRequest = Type.Union([
  strict({ op: Type.Literal('login'), id: RequestId, params: strict({ token: Ticket }) }),
  strict({
    op: Type.Literal('loginKey'),
    id: RequestId,
    params: strict({
      accessKey: AccessKey,
      timestamp: Millis,
      nonce: Type.String({ minLength: 8, maxLength: 64, pattern: '^[0-9a-zA-Z-]{8,64}$' }),
      signature: Type.String({ minLength: 64, maxLength: 128, pattern: '^([0-9a-f]{64}|[0-9a-f]{128})$' }),
      version: Type.Optional(SignatureVersion),
    }),
  }),
  strict({ op: Type.Literal('order.create'), id: RequestId, params: CreateOrder }),
  strict({ op: Type.Literal('order.oco'), id: RequestId, params: CreatePair }),
  strict({ op: Type.Literal('order.cancel'), id: RequestId, params: CancelOrder }),
  strict({ op: Type.Literal('order.batchCreate'), id: RequestId, params: CreateOrders }),
  strict({ op: Type.Literal('order.batchCancel'), id: RequestId, params: CancelOrders }),
  strict({ op: Type.Literal('order.cancelAll'), id: RequestId, params: CancelAllOrders }),
  strict({ op: Type.Literal('order.update'), id: RequestId, params: UpdateOrder }),
]);
export type StreamRequest = Static<typeof StreamRequest>;
export type StreamOperation = StreamRequest['op'];

// ---- from the server -----------------------------------------------------------------------------------------------

/** The answer to a `StreamRequest`: the envelope of the HTTP call of the same name, and the sequence number it came of. */
export const StreamReply = Type.Object({
  resType: Type.Literal('reply'),
  id: RequestId,
  code: Type.Integer(),
  msg: Type.String(),
  seq: Type.Integer({ description: '0 when nothing was submitted' }),
  data: Type.Unknown({ description: 'order id, ids, batch items or a pair, as in HTTP; null on login' }),
});
export type StreamReply = Static<typeof StreamReply>;

/** A message that could not be taken: a bad subscription, a bad ticket. */
export const StreamFault = Type.Object({
  resType: Type.Literal('error'),
  code: Type.Integer(),
  msg: Type.String(),
  data: Type.Object({ reason: Type.String(), field: Type.String() }),
});
export type StreamFault = Static<typeof StreamFault>;

/** One level of a book; `q` is what stands there now, 0 when nothing does. */
export const DepthLevel = Type.Object({
  id: Type.Integer(),
  s: Symbol,
  m: Type.Enum([1, 2], { description: '1 bid, 2 ask' }),
  p: Decimal,
  q: Decimal,
  t: Millis,
  c: Type.Optional(Type.Integer({ description: 'checksum of the book after this, on the last level of an update' })),
});
export type DepthLevel = Static<typeof DepthLevel>;

/** Numbers where HTTP has names, as the older stream has them. */
export const BALANCE_TYPES = { spot: 1, funding: 2, futures: 3, coinFutures: 4 } as const;
export const ORDER_TYPES = {
  LIMIT: 1,
  MARKET: 2,
  STOP_LIMIT: 3,
  STOP_MARKET: 4,
  TAKE_PROFIT_LIMIT: 5,
  TAKE_PROFIT_MARKET: 6,
  TRAILING_STOP_MARKET: 7,
} as const;

/** What is null over HTTP is 0 on the stream: the older client reads every number of it. */
const or0 = (description: string) => Type.String({ description: `${description}; 0 when there is none` });

export const UserBalance = Type.Object({
  ...Balance.properties,
  balanceType: Type.Enum([1, 2, 3, 4], { description: '1 spot, 2 funding, 3 futures, 4 coin futures' }),
  estimatedTotalAmount: or0('worth of it all in USDC'),
  estimatedAvailableAmount: or0('worth of what is free in USDC'),
  estimatedCynAmount: Type.Literal('0', { description: 'of the older stream, which put the worth in CNY here: no such rate is quoted' }),
});
export type UserBalance = Static<typeof UserBalance>;

export const UserOrder = Type.Object({
  ...Order.properties,
  balanceType: Type.Literal(1, { description: '1 spot' }),
  orderType: Type.Enum([1, 2, 3, 4, 5, 6, 7], {
    description: '1 limit, 2 market, 3 stop limit, 4 stop market, 5 take-profit limit, 6 take-profit market, 7 trailing stop market',
  }),
  direction: Type.Enum([1, 2], { description: '1 buy, 2 sell' }),
  price: or0('the limit'),
  stopPrice: or0('the trigger'),
  origQty: or0('the size'),
  funds: or0('quote to spend'),
  avgPrice: or0('average price of the fills'),
  createTime: Millis,
  state: OrderState,
});
export type UserOrder = Static<typeof UserOrder>;

export const UserTrade = Type.Object({
  orderId: Type.String(),
  clientOrderId: Type.Union([ClientOrderId, Type.Literal('')]),
  execId: Type.String(),
  symbol: Symbol,
  direction: Type.Enum([1, 2]),
  price: Decimal,
  quantity: Decimal,
  value: Decimal,
  fee: Decimal,
  feeCoin: Coin,
  takerMaker: Type.Enum(['TAKER', 'MAKER']),
  marginUnfrozen: Type.Literal('0', { description: 'spot orders have no margin' }),
  timestamp: Millis,
});
export type UserTrade = Static<typeof UserTrade>;

/** Of `Ticker`, with 0 for every price that is not known yet. */
export const StreamTicker = Type.Object({
  ...Ticker.properties,
  o: or0('first price of 24 h'),
  h: or0('highest'),
  l: or0('lowest'),
  c: or0('last price'),
  bp: or0('best bid'),
  ap: or0('best ask'),
  i: or0('index price'),
});
export type StreamTicker = Static<typeof StreamTicker>;

const market = <Name extends string, Data extends Parameters<typeof Type.Array>[0]>(resType: Name, data: Data) =>
  Type.Object({ resType: Type.Literal(resType), data });
const own = <Name extends string, Data extends Parameters<typeof Type.Array>[0]>(resType: Name, data: Data) =>
  Type.Object({ resType: Type.Literal(resType), n: Type.Integer(), seq: Type.Integer(), data });

/** Where the account's faucet claim stands now. */
export const UserClaim = Type.Object({ status: ClaimStatus });
export type UserClaim = Static<typeof UserClaim>;

/** A site message: to one account, or to everybody. Its name and its fields are those of the older stream. */
export const SiteMessage = Type.Object({
  id: Type.String(),
  title: Type.String(),
  content: Type.String({ description: 'plain text' }),
  aggType: Type.Enum(['REWARD', 'NOTICE', 'OTC']),
  detailType: Type.Enum(['TASK', 'LUCKY_BLOCK', 'LEADERBOARD', 'MANUAL', 'NOTICE', 'PRACTICE', 'ORDER', 'OTC'], {
    description:
      'the kind of award, NOTICE of an operator, PRACTICE: what somebody did to a contract that you hold, ORDER: what became of an order of yours, or OTC: a step of an OTC order',
  }),
  createdTime: Millis,
  allScope: Type.Boolean({ description: 'whether it is to everybody' }),
  userId: Type.String({ description: "the reader's account" }),
  read: Type.Literal(false),
});
export type SiteMessage = Static<typeof SiteMessage>;

/**
 * What happens to an account outside its trading, by topic. A new topic is a line here, beside who announces it and who listens: the private stream, the sdk
 * and the page pass it on by its name.
 */
export const ACCOUNT_TOPICS = [
  own('uClaim', UserClaim),
  own('uAward', AwardNews),
  own('znxMessage', SiteMessage),
  own('uOtc', OtcNews),
] as const;
type TopicPush = Static<(typeof ACCOUNT_TOPICS)[number]>;
export type AccountTopic = TopicPush['resType'];
/** What a message of one topic carries. */
export type AccountTopicData<Topic extends AccountTopic = AccountTopic> = Extract<TopicPush, { readonly resType: Topic }>['data'];
/** News of one topic. */
export type AccountTopicNews<Topic extends AccountTopic = AccountTopic> = {
  readonly [Name in Topic]: { readonly resType: Name; readonly data: AccountTopicData<Name> };
}[Topic];

export const StreamPush = Type.Union([
  market('qAllDepth', Depth),
  market('qDepth', DepthLevel),
  market('qDeal', Deal),
  market('qKLine', Kline),
  market('qStats', StreamTicker),
  market('qIndex', IndexPrice),
  own('uBalance', UserBalance),
  own('uOrder', UserOrder),
  own('uTrade', UserTrade),
  ...ACCOUNT_TOPICS,
  Type.Object(
    {
      resType: Type.Literal('uGap'),
      n: Type.Integer(),
      seq: Type.Integer(),
      data: Type.Object({ from: Type.Integer(), to: Type.Integer() }),
    },
    {
      description:
        'the trades of the commands between `from` and `to`, without the last, are not here any more: read them by the call `fills`',
    },
  ),
  Type.Object(
    { resType: Type.Literal('uReady'), n: Type.Integer(), seq: Type.Integer(), data: Type.Null() },
    {
      description: "the account's present state has been sent: what follows are changes",
    },
  ),
]);
export type StreamPush = Static<typeof StreamPush>;

export type StreamMessage = StreamPush | StreamReply | StreamFault;
