/** Every number that bounds a caller. Nothing else in the gateway holds one. */
import { FILE_BYTES_MAX, type RateClass, type RateTier } from '@orrery/api';

/** A bucket that holds `burst` calls and fills by `count` in each `perMs`. */
export interface Rate {
  readonly count: number;
  readonly perMs: number;
  readonly burst: number;
  /** Whose bucket it is: the account's where there is one, or always the network's: see `network.ts`. */
  readonly by: 'account' | 'network';
  /** In a UTC day. Counted in SQL. */
  readonly perDay?: number;
  /** Of one wallet on one network, in `perMs`. With it the whole rate is counted in SQL, in windows of `perMs`. */
  readonly perWallet?: number;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
export const DAY_MS = 24 * HOUR;

const STANDARD: Readonly<Record<RateClass, Rate>> = {
  public: { count: 20, perMs: SECOND, burst: 60, by: 'network' },
  read: { count: 20, perMs: SECOND, burst: 60, by: 'account' },
  order: { count: 10, perMs: SECOND, burst: 50, by: 'account', perDay: 100_000 },
  cancel: { count: 20, perMs: SECOND, burst: 60, by: 'account' },
  /** A first sign-in takes three nonces and three signatures: 30 people behind one address sign in within a minute, with a third to spare. */
  nonce: { count: 120, perMs: MINUTE, burst: 120, by: 'network', perWallet: 10 },
  auth: { count: 120, perMs: MINUTE, burst: 120, by: 'network', perWallet: 5 },
  whitelist: { count: 30, perMs: MINUTE, burst: 30, by: 'network' },
  /** By network: a thousand fresh accounts from one place are one caller. */
  faucet: { count: 10, perMs: MINUTE, burst: 20, by: 'network', perDay: 50 },
  transfer: { count: 30, perMs: MINUTE, burst: 30, by: 'account' },
  withdraw: { count: 3, perMs: HOUR, burst: 3, by: 'account', perDay: 10 },
  manage: { count: 30, perMs: MINUTE, burst: 30, by: 'account' },
  upload: { count: 10, perMs: MINUTE, burst: 10, by: 'account', perDay: 10 },
  /** Two people who write to one another while one of them pays. */
  otc: { count: 60, perMs: MINUTE, burst: 60, by: 'account' },
  rpc: { count: 20, perMs: SECOND, burst: 100, by: 'network' },
  /** Of the calls of `rpc`: each is judged by its signature and its sender. 30 people who deposit, by an approval and a deposit each. */
  rawTransaction: { count: 60, perMs: MINUTE, burst: 60, by: 'network' },
  /** What one tester does to a contract happens to everybody who holds it. */
  sandbox: { count: 10, perMs: MINUTE, burst: 10, by: 'account' },
};

/** What a call of contracts weighs where it is more than one: a batch of orders weighs its orders. */
export const cancelsWeigh = (orders: number): number => 1 + Math.floor(orders / 40);
export const candlesWeigh = (candles: number): number => Math.ceil(candles / 500);

export const LIMITS = {
  http: {
    bodyBytes: 32 * 1024,
    batchBodyBytes: 64 * 1024,
    rpcBodyBytes: 128 * 1024,
    uploadBodyBytes: FILE_BYTES_MAX,
    /** Files in memory at once; the next one is refused before its body is read. */
    uploadsAtOnce: 8,
    headerBytes: 16 * 1024,
    urlBytes: 2 * 1024,
    depth: 8,
    /** Headers before requests, and a short interval: without either of them no slow socket is ever closed. */
    headersTimeoutMs: 5 * SECOND,
    requestTimeoutMs: 10 * SECOND,
    idleTimeoutMs: 15 * SECOND,
    checkIntervalMs: SECOND,
    /** Where no proxy is in front. A browser opens six and a stream: room for 36 people behind one address. */
    socketsPerNetwork: 256,
    /** Of everybody. */
    sockets: 8_192,
    requestsPerSocket: 1_000,
    /** How long a read waits for its `minSeq`. */
    minSeqWaitMs: 2 * SECOND,
    /** How long a start waits for history to be as far as the heart. */
    pastWaitMs: 10 * SECOND,
  },
  rates: {
    standard: STANDARD,
    /** Granted by configuration to keys of our own market-maker. */
    marketMaker: {
      ...STANDARD,
      read: { count: 100, perMs: SECOND, burst: 300, by: 'account' },
      order: { count: 5_000, perMs: SECOND, burst: 20_000, by: 'account' },
      cancel: { count: 10_000, perMs: SECOND, burst: 40_000, by: 'account' },
    },
  } satisfies Record<RateTier, Readonly<Record<RateClass, Rate>>>,
  stream: {
    authenticateMs: 5 * SECOND,
    connectionsPerAccount: 10,
    /** 30 people behind one address, three windows each. */
    connectionsPerNetwork: 100,
    connectionsPerNode: 5_000,
    topics: 64,
    messages: { count: 10, perMs: SECOND, burst: 20, by: 'account' },
    payloadBytes: 16 * 1024,
    fragments: 16,
    bufferedChunks: 64,
    pingMs: 15 * SECOND,
    deadMs: 30 * SECOND,
    conflateAboveBytes: 1024 * 1024,
    closeAboveBytes: 4 * 1024 * 1024,
    closeBehindMs: 5 * SECOND,
    /** How often depth changes are gathered and sent. */
    depthIntervalMs: 100,
    statsIntervalMs: 1_000,
  },
} as const;

type Widened<Value> = Value extends number ? number : Value extends string ? Value : { readonly [Key in keyof Value]: Widened<Value[Key]> };
type Stream = Widened<Omit<typeof LIMITS.stream, 'messages'>> & { readonly messages: Rate };

export interface Limits {
  readonly http: Widened<typeof LIMITS.http>;
  readonly rates: Readonly<Record<RateTier, Readonly<Record<RateClass, Rate>>>>;
  readonly stream: Stream;
}
