/** What the gateway needs from its neighbours. They answer these shapes without knowing the gateway; `exchange/` puts them together. */
import type {
  AccountTopic,
  AccountTopicNews,
  Bill,
  BillKind,
  Caller,
  ClosedPosition,
  Fill,
  FundingPayment,
  FundingRateRecord,
  FuturesBill,
  FuturesBillType,
  FuturesFill,
  InsuranceChange,
  EndedTwap,
  Liquidation,
  Operator,
  Order,
  Principal,
  SiteMessage,
  Transfer,
  Withdrawal,
  WithdrawRequest,
} from '@orrery/api';
import type { Contract, Market, OrderSource, Side, Wallet } from '@orrery/protocol';
import type { AccountId, AssetId, Atoms, MarketId, Millis, OrderId, Seq } from '@orrery/units';
import type { Candle, OrderState, TapeTrade } from '@orrery/views';

/** Why a credential is not taken. */
export type AuthFailure = 'SessionExpired' | 'InvalidApiKey' | 'AddressBlocked';

export interface ApiKeyRecord {
  readonly principal: Principal;
  /** Text of the secret: the key of the HMAC. Empty of a key that signs by Ed25519. */
  readonly secret: string;
  /** Of a key that signs by Ed25519: its 32 bytes in base64. */
  readonly publicKey?: string | undefined;
  /** Empty for any; addresses or CIDR ranges. */
  readonly ipList: readonly string[];
  /** Whether it may change things by a legacy signature. */
  readonly legacySigning: boolean;
}

/** To whom something was given by which a stream is opened. */
export type Holder = Pick<Principal, 'account' | 'via' | 'credential'>;

/** Who a credential belongs to. Answers from memory: an order never waits for SQL. */
export interface Authenticator {
  /**
   * Before a look-up, where several processes share the accounts: another may have given out the credential a moment ago. Undefined where memory has it
   * or this process is alone.
   */
  learn?(credential: { readonly token: string } | { readonly accessKey: string }): Promise<void> | undefined;
  /**
   * Who a session or an API key is by now, where several processes share the accounts and another one may have given it out. Its end is announced here from
   * then on.
   */
  holder?(of: Holder): Promise<Principal | AuthFailure>;
  session(token: string): Principal | AuthFailure;
  apiKey(accessKey: string): ApiKeyRecord | AuthFailure;
  /**
   * Throws an `ApiError` unless the account's owner signed exactly this withdrawal with a nonce of purpose withdraw, which is used up by it, or
   * the principal is a key that may withdraw to this receiver now.
   */
  checkWithdrawal(proof: { principal: Principal; origin: string; request: WithdrawRequest }): Promise<void>;
  /** The security level of an account, from 1 on: by it there is a quota of withdrawals. */
  levelOf(account: AccountId): number;
  /** Calls `listener` with the credential of every session and key that ends before its time: its open streams are closed. */
  onRevoked(listener: (credential: string) => void): () => void;
}

/** The door of the operators: apart from everybody else's. */
export interface OperatorDoor {
  /** Throws an `ApiError` when the caller has no live session of an operator. */
  enter(caller: Caller): Promise<Operator>;
}

export interface PageOf<Item> {
  readonly items: readonly Item[];
  readonly total: number;
  /** The `id` of the page after this one; null at the end. */
  readonly next: string | null;
}

interface Slice {
  readonly account: AccountId;
  readonly page: number;
  readonly size: number;
  /** `next` of the page before; then `page` counts for nothing. */
  readonly id?: string;
}

interface Range {
  readonly startTime?: Millis;
  readonly endTime?: Millis;
}

/** What is over: read from SQL, newest first. */
export interface History {
  /** Resolves when everything up to `seq` is in; immediately when it is already. */
  reached(seq: Seq): Promise<void>;
  /** Closed orders; `state` 3 filled, 4 cancelled. */
  orders(query: Slice & Range & { symbol?: string; state?: 3 | 4; side?: 'buy' | 'sell' }): Promise<PageOf<Order>>;
  order(query: { account: AccountId; orderId: OrderId }): Promise<Order | undefined>;
  fills(query: Slice & Range & { symbol?: string; orderId?: OrderId }): Promise<PageOf<Fill>>;
  bills(query: Slice & Range & { wallet?: Wallet; coin?: string; kind?: BillKind; reference?: string }): Promise<PageOf<Bill>>;
  transfers(query: Slice & { coin?: string }): Promise<PageOf<Transfer>>;
  withdrawals(query: Slice & { coin?: string }): Promise<PageOf<Withdrawal>>;
}

interface ContractSlice extends Slice, Range {
  /** Of one contract. */
  readonly market?: MarketId;
}

/** A page of at most `limit` after `id`, which is `next` of the page before. */
interface Cut {
  readonly id?: string;
  readonly limit: number;
}

export interface CursorPage<Item> {
  readonly hasPrev: boolean;
  readonly hasNext: boolean;
  readonly next: string | null;
  readonly items: readonly Item[];
}

/** What is over in perpetual contracts: read from SQL, newest first. */
export interface ContractHistory {
  /** Closed orders, of these sources where they are given. */
  orders(query: ContractSlice & { side?: Side; sources?: readonly OrderSource[] }): Promise<PageOf<OrderState>>;
  order(query: { account: AccountId; orderId: OrderId }): Promise<OrderState | undefined>;
  /** Settle atoms that the fills of these orders realised; without an entry of an order without a fill. */
  closeProfits(query: { account: AccountId; orderIds: readonly OrderId[] }): Promise<ReadonlyMap<OrderId, Atoms>>;
  fills(query: ContractSlice & { orderId?: OrderId }): Promise<PageOf<FuturesFill>>;
  closedPositions(query: ContractSlice): Promise<PageOf<ClosedPosition>>;
  liquidations(query: ContractSlice): Promise<PageOf<Liquidation>>;
  /** TWAP orders that are over. */
  twaps(query: ContractSlice): Promise<PageOf<EndedTwap>>;
  bills(
    query: Range & Cut & { account: AccountId; market?: MarketId; coin?: string; type?: FuturesBillType },
  ): Promise<CursorPage<FuturesBill>>;
  fundingPayments(query: Range & Cut & { account: AccountId; market?: MarketId }): Promise<CursorPage<FundingPayment>>;
  fundingRates(query: Cut & { market: MarketId }): Promise<CursorPage<FundingRateRecord>>;
  /** Changes of the insurance fund, of one asset where it is given. */
  insurance(query: Cut & { asset?: AssetId }): Promise<CursorPage<InsuranceChange>>;
  /** USDC atoms: the weighted volume of the 14 full UTC days before that of `now`. */
  tierVolume(account: AccountId, now: number): Promise<Atoms>;
}

/** What the markets did before the gateway was started: its views in memory begin with it. Oldest first. */
/** Each oldest first. */
export interface ContractMinutes {
  /** Of the recorded outside price, from before anything of ours, without volume: the first of each of the three. */
  readonly common: Iterable<Candle>;
  /** What follows of the contract's trades: outside prices until the first of our own. */
  readonly trades: Iterable<Candle>;
  /** What follows of its mark: our own rounds, and outside prices where there was none. They have no volume. */
  readonly mark: Iterable<Candle>;
  readonly index: Iterable<Candle>;
}

export interface MarketHistory {
  /** Minute candles of a market: of the recorded outside price first, of our own trades after. */
  minutes(market: Pick<Market, 'market'>): Promise<Iterable<Candle>>;
  /** Minute candles of a contract: of its trades, of its mark and of its index. */
  contractMinutes(contract: Pick<Contract, 'market'>): Promise<ContractMinutes>;
  /** The last trades of our own, in a market or in a contract. */
  trades(market: Pick<Market, 'market'>): Promise<readonly TapeTrade[]>;
}

/** Events of an account outside its trading: sent to its private streams. */
export type AccountNews = { readonly account: AccountId } & AccountTopicNews<Exclude<AccountTopic, MessageNews['resType']>>;

/** A site message, to one account or to everybody. */
export interface MessageNews {
  readonly account: AccountId | 'everybody';
  readonly resType: 'znxMessage';
  readonly data: Omit<SiteMessage, 'allScope' | 'userId' | 'read'>;
}

export interface NewsSource {
  /** Calls `listener` with everything that happens from now on. */
  onNews(listener: (news: AccountNews | MessageNews) => void): () => void;
}

/** What testers may do on an exchange that is for trying things out. */
export interface Sandbox {
  /** `everywhere` is for tests on one machine. */
  readonly scope: 'practice' | 'everywhere';
  /**
   * Leads every outside price of a contract away by millionths until a time, then back; replaces the contract's earlier move.
   * @param move.hunt names the hunt of a position that it belongs to. Rejects with an `ApiError` where another hunt has the contract
   */
  move(
    move: { readonly market: MarketId; readonly ppm: number; readonly endsAt: Millis; readonly hunt?: string },
    now: Millis,
  ): void | Promise<void>;
  /** Millionths by which the outside prices of a contract are shifted now. */
  shift(market: MarketId): number;
  /** The account that takes orders of testers in practice contracts or in others, with money in futures. Rejects with an `ApiError` when there is none. */
  house(of: 'practice' | 'others'): Promise<AccountId>;
}

/** The chain's JSON-RPC for browsers; methods are allowed by the handler, sizes and rates by the gateway. */
export interface Rpc {
  handle(body: unknown): Promise<unknown>;
}

/** Parts that `/status` reports. */
export interface Part {
  readonly name: string;
  /** Undefined when ready, else one sentence. */
  unready(): string | undefined;
}
