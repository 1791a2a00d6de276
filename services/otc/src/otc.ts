/** The service put together: OTC trading beside the money of it, which is the engine's. */
import {
  otcAdvertisingRoutes,
  type OtcDispute,
  otcMerchantRoutes,
  otcOrderRoutes,
  otcPaymentMethodRoutes,
  otcReceiptRoutes,
  type TableHandlers,
} from '@orrery/api';
import { AccountDirectory, type Changes, CopyKeeper, type LeasePort, repeat, type RowCopy } from '@orrery/foundation';
import type { Heart } from '@orrery/protocol';
import { type AccountId, accountId, atoms } from '@orrery/units';
import { Advertising } from './advertising.ts';
import { AssistFeed } from './assist-feed.ts';
import { Board } from './board.ts';
import { Chat } from './chat.ts';
import { Coins } from './coins.ts';
import { DeskState } from './desk-state.ts';
import { Disputes } from './disputes.ts';
import { newsOf } from './fold.ts';
import { OtcFollower } from './follower.ts';
import { erasePerson, forgetOld } from './forget.ts';
import { advertisingHandlers, merchantHandlers, orderHandlers, type Parts, paymentMethodHandlers, receiptHandlers } from './handlers.ts';
import { Merchants } from './merchants.ts';
import { Announcements, type OtcAnnouncement } from './news.ts';
import { Orders } from './orders.ts';
import { PaymentMethods } from './payment-methods.ts';
import type {
  AssistPort,
  ClusterPort,
  IdentityPort,
  LetterPort,
  PersonKeysPort,
  PersonOnRecord,
  ProofPort,
  ReceiptFilesPort,
  SessionPort,
} from './ports.ts';
import { Receipts } from './receipts.ts';
import { migrations, type OtcDb } from './tables.ts';
import { Traders } from './traders.ts';
import { Trading } from './trading.ts';

const FEED_MS = 5_000;
const SWEEP_MS = 15_000;
/** USDC; the deposit of a merchant. */
const DEPOSIT_COIN = 'USDC';
const DEPOSIT = 500n;

const routes = {
  otcAdvertising: otcAdvertisingRoutes,
  otcPaymentMethod: otcPaymentMethodRoutes,
  otcOrder: otcOrderRoutes,
  otcReceipt: otcReceiptRoutes,
  otcMerchant: otcMerchantRoutes,
};

export interface OtcOptions {
  readonly heart: Heart;
  readonly db: OtcDb;
  readonly keys: PersonKeysPort;
  /** From which the names of traders are made. */
  readonly traderKey: Buffer;
  readonly files: ReceiptFilesPort;
  readonly proofs: ProofPort;
  readonly sessions: SessionPort;
  readonly identities: IdentityPort;
  readonly letters: LetterPort;
  readonly clusters: ClusterPort;
  readonly assist: AssistPort;
  /** Of all processes on the database one writes letters, returns deposits and renews prices. */
  readonly leases: LeasePort;
  /** What other processes change; undefined where there are none. */
  readonly changes?: Changes | undefined;
  /** What a minute of every window lasts, in milliseconds: 60,000, except where the exchange is tried out. */
  readonly minuteMs: number;
  readonly now: () => number;
  readonly onTrouble: (error: unknown) => void;
}

/** What operators decide. Every change may be asked for twice. */
export interface OtcDesk {
  readonly disputes: Pick<Disputes, 'list' | 'detail' | 'isSide' | 'awaited' | 'say' | 'decide' | 'checkPayment' | 'pay'> & {
    find(orderId: string): Promise<OtcDispute>;
  };
  readonly merchants: Pick<Merchants, 'applications' | 'stateOfTrader' | 'decide'>;
}

export interface Otc {
  readonly handlers: TableHandlers<typeof routes>;
  readonly desk: OtcDesk;
  /** Calls `listener` whenever something has happened in somebody's OTC trading. */
  onNews(listener: (announcement: OtcAnnouncement) => void): () => void;
  /** What is kept of a person is gone when it resolves; asked for again it changes nothing. */
  erase(person: PersonOnRecord): Promise<void>;
  /** Resolves when everything that was history at the call is in. */
  caughtUp(): Promise<void>;
  /** Letters, deposits that return, what is no longer kept; also runs automatically. */
  sweep(): Promise<void>;
  /** Renews assist prices; also runs automatically. */
  feed(): Promise<void>;
  stop(): Promise<void>;
}

interface Base extends Pick<OtcOptions, 'heart' | 'db' | 'keys' | 'identities' | 'clusters' | 'assist' | 'minuteMs' | 'now'> {
  readonly coins: Coins;
  readonly desk: DeskState;
  readonly directory: AccountDirectory;
  readonly board: Board;
  readonly methods: PaymentMethods;
  readonly traders: Traders;
  readonly follower: OtcFollower;
  readonly announcements: Announcements;
}

/** The tables must be there: see `migrations`. */
export async function openOtc(options: OtcOptions): Promise<Otc> {
  const { heart, db, keys, files, identities, letters, clusters, assist, minuteMs, now, onTrouble } = options;
  const coins = Coins.of(heart);
  const desk = new DeskState();
  desk.load(heart);
  await openDesk(options, { coins, desk });
  const directory = new AccountDirectory(heart);
  directory.start();
  const traders = new Traders({ db, key: options.traderKey, identities, isFresh: () => copies?.isFresh ?? true, now });
  const announcements = new Announcements({ db, letters, now });
  const board = new Board({ db, keys, coins, desk, directory, traders, minuteMs, now });
  const copies = options.changes && openCopies({ board, traders }, options.changes, onTrouble);
  await board.load();
  const follower = new OtcFollower({ heart, db, keys, board, desk, traders, announcements, onTrouble });
  await follower.start();
  await follower.reached(heart.status().seq);
  const methods = new PaymentMethods({ db, keys, now });
  const base = {
    heart,
    directory,
    db,
    keys,
    coins,
    desk,
    board,
    methods,
    traders,
    identities,
    clusters,
    follower,
    announcements,
    assist,
    minuteMs,
    now,
  };
  const parts = partsOf(options, base);
  const { feed, advertising, disputes, merchants } = parts;
  const sweep = async (): Promise<void> => {
    await announcements.sendLetters();
    await merchants.returnDue();
    await forgetOld({ db, files, now });
  };
  const lease = await options.leases.open('otc');
  const feeding = repeat({ every: FEED_MS, lease, work: () => feed.run(), onTrouble });
  const sweeping = repeat({ every: SWEEP_MS, lease, work: sweep, onTrouble });
  return {
    handlers: {
      otcAdvertising: advertisingHandlers(parts),
      otcPaymentMethod: paymentMethodHandlers(parts),
      otcOrder: orderHandlers(parts),
      otcReceipt: receiptHandlers(parts),
      otcMerchant: merchantHandlers(parts),
    },
    desk: { disputes, merchants },
    onNews: (listener) => announcements.on(listener),
    async erase({ account }) {
      await advertising.takeAllDown(account);
      await erasePerson(account, { db, files });
      traders.forget(account);
    },
    caughtUp: async () => follower.reached(await heart.end()),
    sweep,
    feed: () => feed.run(),
    async stop() {
      await Promise.all([feeding.stop(), sweeping.stop()]);
      for (const part of [copies, follower, directory]) await part?.stop();
    },
  };
}

/** Before the board is loaded: what changes meanwhile is read again. */
function openCopies(
  { board, traders }: { board: Board; traders: Traders },
  changes: Changes,
  onTrouble: (error: unknown) => void,
): CopyKeeper {
  const accountOf = (key: string | undefined): AccountId | undefined => (key === undefined ? undefined : accountId(Number(key)));
  const copies: readonly RowCopy[] = [
    { tables: ['otc_advertisement_text'], readAgain: (key) => board.readTextsAgain(accountOf(key)) },
    // Orders that end are found in history, by each process.
    { tables: ['otc_merchant', 'otc_appraisal'], readAgain: async (key) => traders.forget(accountOf(key)) },
  ];
  return new CopyKeeper({ changes, copies, onTrouble });
}

/** What reads and changes orders, on what everything stands on. */
function partsOf({ files, proofs, sessions }: OtcOptions, base: Base): Parts & { readonly feed: AssistFeed } {
  const { db, announcements, keys, now } = base;
  const feed = new AssistFeed(base);
  const orders = new Orders(base);
  const receipts = new Receipts({ db, files, orders, now });
  const onMessage = (account: AccountId, orderId: number, at: number): void =>
    announcements.announce([{ account, news: newsOf({ kind: 'MESSAGE', orderId, at }), notice: null }]);
  const chat = new Chat({ db, keys, receipts, now, onMessage });
  const trading = new Trading({ ...base, orders, proofs });
  return {
    ...base,
    feed,
    advertising: new Advertising({ ...base, feed }),
    orders,
    receipts,
    chat,
    trading,
    disputes: new Disputes({ ...base, orders, trading, receipts, chat }),
    merchants: new Merchants(base),
    proofs,
    sessions,
  };
}

/** The terms by these minutes, where the engine has others. */
async function openDesk({ heart, minuteMs }: OtcOptions, { coins, desk }: { coins: Coins; desk: DeskState }): Promise<void> {
  const deposit = coins.field(DEPOSIT_COIN);
  const wanted = {
    disputeAfterMs: 30 * minuteMs,
    autoDisputeMs: 24 * 60 * minuteMs,
    appealWindowMs: 60 * minuteMs,
    holdMs: 24 * 60 * minuteMs,
    depositAsset: deposit.asset,
    merchantDeposit: atoms(DEPOSIT * 10n ** BigInt(deposit.decimals)),
  };
  const { terms } = desk;
  const isSame = terms !== undefined && (Object.keys(wanted) as (keyof typeof wanted)[]).every((name) => terms[name] === wanted[name]);
  if (isSame) return;
  const { events } = await heart.submit({ type: 'SetOtcTerms', ...wanted });
  for (const event of events) {
    if (event.type === 'CommandRejected') throw new Error(`the OTC desk did not open: ${event.reason}`);
    desk.apply(event);
  }
}

/** What the program mounts. */
export const otcService = { name: 'otc', routes, migrations, open: openOtc } as const;
