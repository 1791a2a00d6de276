/** Every message of the streams under its name, made from the schemas by which they are taken and typed. */
import {
  DEPTH_TOPIC_LEVELS,
  FUTURES_STREAM_PATH,
  FuturesMarketPush,
  FuturesOwnPush,
  FuturesStreamReply,
  FuturesStreamRequest,
  INTERVALS,
  KLINE_SOURCES,
  PING,
  PONG,
  PRIVATE_FUTURES_TOPICS,
  STREAM_PATH,
  StreamFault,
  StreamPush,
  StreamReply,
  StreamRequest,
  Subscribe,
  SUCCEED,
  Unsubscribe,
} from '@orrery/api';

export interface StreamMessageText {
  readonly name: string;
  readonly schema: object;
}

export interface Stream {
  readonly name: 'spot' | 'futures';
  readonly path: string;
  readonly description: string;
  readonly fromClient: readonly StreamMessageText[];
  readonly fromServer: readonly StreamMessageText[];
}

/** A text that is no JSON. */
const word = (text: string, description: string): StreamMessageText => ({
  name: text,
  schema: { type: 'string', const: text, description },
});

const named = (name: string, schema: object): StreamMessageText => ({ name, schema });

interface Union<Member extends object> {
  readonly anyOf: readonly Member[];
}

/** The members of a union by the constant that distinguishes them. */
const members = <Field extends string>(
  { anyOf }: Union<{ readonly properties: { readonly [Name in Field]: { readonly const: string } } }>,
  field: Field,
  nameOf: (constant: string) => string = (constant) => constant,
): readonly StreamMessageText[] => anyOf.map((schema) => named(nameOf(schema.properties[field].const), schema));

const PINGED = word(PING, 'answered by `pong`');
const PONGED = word(PONG, 'the answer to `ping`; from a client it is taken and not answered');

const SPOT: Stream = {
  name: 'spot',
  path: STREAM_PATH,
  description: [
    'Public: `qAllDepth` once per subscription, then `qDepth`, one message a level, with `id` counting on by one from the `id` of `qAllDepth`; the last level of',
    'each update carries the checksum `c` of the whole. A gap or a wrong checksum means: subscribe again. A slow reader gets a new `qAllDepth` instead of what it',
    'missed. Private: after `subUser` everything there is (`uBalance`, `uOrder`), `uReady`, then every change. `n` counts on by one; `seq` is the command that',
    'caused it. Private messages are never dropped: a reader too slow for them is closed (1013). A stream goes on where another one ended, here or at another',
    'address, by `from`, the newest `seq` that was read: trades of that command may come twice, with the same `execId` and `takerMaker`. Orders are given by `op`, after one login for each connection.',
  ].join(' '),
  fromClient: [
    PINGED,
    PONGED,
    ...members(Subscribe, 'sub'),
    ...members(Unsubscribe, 'unsub', (constant) => `un${constant}`),
    ...members(StreamRequest, 'op'),
  ],
  fromServer: [
    PONGED,
    word(SUCCEED, 'the subscription, or its end, is taken'),
    named('reply', StreamReply),
    named('error', StreamFault),
    ...members(StreamPush, 'resType'),
  ],
};

const FUTURES: Stream = {
  name: 'futures',
  path: FUTURES_STREAM_PATH,
  description: [
    'A topic is a name, `@`, a symbol in lower case or a listen key, and arguments after commas: `depth@btc_usdc,20`, `order@<listen key>`. Without a symbol:',
    '`tickers`, `agg_tickers`. Of one contract: `ticker`, `agg_ticker`, `trade`, `depth_update`, `mark`, `index`, `funding`;',
    `\`depth\` with ${DEPTH_TOPIC_LEVELS.join(', ')} levels; \`kline\` with an interval (${INTERVALS.join(', ')}) and, unless it is the last price, a source`,
    `(${KLINE_SOURCES.join(', ').toLowerCase()}). Of an account, by its listen key: ${PRIVATE_FUTURES_TOPICS.map((topic) => `\`${topic}\``).join(', ')}.`,
    '`depth_update` begins with the whole book, then the levels that changed; a gap between `pu` and the `u` before, or a wrong checksum `c`, means: subscribe',
    'again. Private: after each subscription everything there is, `ready`, then every change. Private messages are never dropped: a reader too slow for them is',
    'closed (1013). `order` carries the plan order or profit-stop that it is; `terms` is what is set for a position, open or empty; `position` and `account` come also',
    'when only their figures moved, with the prices every 5 seconds. A stream goes on where another one ended, here or at another address, by `from`, the newest',
    '`seq` that was read: trades and steps of liquidations of that command may come twice, with the same `execId` and `takerMaker`, or `id`.',
  ].join(' '),
  fromClient: [PINGED, PONGED, named('request', FuturesStreamRequest)],
  fromServer: [
    PONGED,
    named('reply', FuturesStreamReply),
    named('error', StreamFault),
    ...members(FuturesMarketPush, 'topic'),
    ...members(FuturesOwnPush, 'topic'),
  ],
};

export const STREAMS: readonly Stream[] = [SPOT, FUTURES];
