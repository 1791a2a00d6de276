/** The chain's ear and hand: one loop that reads the chain, credits what is final, pays what is held, and checks the sum. */
import { depositRoutes, explorerRoutes, type Handlers, type TableHandlers, withdrawalReviewRoutes } from '@orrery/api';
import type { Deployment } from '@orrery/contracts';
import { type Lease, type LeasePort, systemTimer, type Timer, whileHeld } from '@orrery/foundation';
import type { Heart } from '@orrery/protocol';
import { StopSignal } from '@orrery/views';
import type { Kysely } from 'kysely';
import type { LocalAccount, PublicClient } from 'viem';
import { Alarms } from './alarms.ts';
import { type ClaimProgress, Claims } from './claims.ts';
import { requiredConfirmations } from './confirmations.ts';
import { Crediting } from './crediting.ts';
import { depositHandlers } from './deposits.ts';
import { explorerHandlers } from './explorer.ts';
import { Halts } from './halts.ts';
import { HeartFollower } from './heart-follower.ts';
import { ListedTokens } from './listed-tokens.ts';
import { LuckyBlocks } from './lucky-blocks.ts';
import { payments, type Payment } from './payments.ts';
import { Payouts } from './payouts.ts';
import { type ReviewRules, Reviews } from './reviews.ts';
import { type Head, Scanner } from './scanner.ts';
import { Sender } from './sender.ts';
import { type CoinSolvency, Solvency } from './solvency.ts';
import { type IndexerTables, migrations } from './tables.ts';
import { Worth } from './worth.ts';
import { WriteOffs } from './write-offs.ts';

export interface IndexerOptions {
  /** The listing must be registered already. */
  readonly heart: Heart;
  /** After `migrations`. */
  readonly sql: Kysely<IndexerTables>;
  /** The same tables, by connections of their own: what the public reads does not keep the indexer waiting. */
  readonly reads: Kysely<IndexerTables>;
  readonly client: PublicClient;
  readonly deployment: Deployment;
  /** Of all processes on the database one reads the chain and sends with the key of the operator. */
  readonly leases: LeasePort;
  /** No other program may send with this key. */
  readonly operator: LocalAccount;
  /** 1 on a chain with one producer; elsewhere a reorganisation up to this depth stays invisible. */
  readonly confirmations: number;
  /** Failures of the chain or the database are reported and retried. */
  readonly onTrouble: (error: Error) => void;
  readonly pollMs?: number;
  readonly payableSeconds?: number;
  /** Which withdrawals an operator decides on; none without it. */
  readonly reviewRules?: ReviewRules;
  /** What the chain judges by its own time, such as the deadline of a payout, goes by the wall clock. */
  readonly now: () => number;
  /** Of what is summed over a day: no jump of the wall clock moves it far. */
  readonly windowNow: () => number;
  readonly timer?: Timer;
}

/** Numbers for those who watch. */
export interface IndexerMeasures {
  /** The newest block that was read; undefined before the first. */
  readonly height: number | undefined;
  /** Withdrawals that are not posted: held, or sent to the chain. */
  readonly pending: { readonly held: number; readonly sent: number };
}

export interface Indexer {
  /** The lucky blocks that are final, and what the alarms count. */
  readonly luckyBlocks: Pick<LuckyBlocks, 'after' | 'find' | 'takenBack' | 'page' | 'draws' | 'reached'>;
  readonly handlers: TableHandlers<typeof routes>;
  /** Withdrawals that wait for an operator. */
  readonly reviews: Pick<Reviews, 'waiting' | 'isWaiting' | 'decide'>;
  /** Deposits that left the chain, and what is written off of them. */
  readonly writeOffs: WriteOffs;
  /** How far a reserved faucet claim has come on the chain; undefined when it is not known here (yet). */
  claimProgress(claimId: string): Promise<ClaimProgress | undefined>;
  /** What others paid in for accounts, and what accounts paid out; in the order of the chain. */
  payments(): Promise<readonly Payment[]>;
  solvency(): readonly CoinSolvency[];
  measures(): Promise<IndexerMeasures>;
  /** Why deposits and withdrawals do not move; undefined when they do. */
  unready(): string | undefined;
  /** A person has investigated a halt, identified by the sentence that `unready` returns, or all halts, and ends it. */
  clearHalt(reason?: string): Promise<void>;
  stop(): Promise<void>;
}

const POLL_MS = 250;
/** Without news from chain or heart the work is looked over this seldom, for what waits for its time. */
const IDLE_POLLS = 8;
const PAYABLE_SECONDS = 1800;
const SOLVENCY_MS = 10_000;
const TROUBLE_PAUSE_MS = 1_000;

const NO_REVIEWS: ReviewRules = { above: undefined, firstEver: false };

const routes = { deposit: depositRoutes, explorer: explorerRoutes, withdrawalReview: withdrawalReviewRoutes };

export function openIndexer(options: IndexerOptions): Indexer {
  return new RunningIndexer(options);
}

/** What the program mounts. */
export const indexerService = { name: 'indexer', routes, migrations, open: openIndexer } as const;

class RunningIndexer implements Indexer {
  readonly luckyBlocks: LuckyBlocks;
  readonly handlers: Indexer['handlers'];
  readonly reviews: Reviews;
  readonly writeOffs: WriteOffs;
  readonly #options: IndexerOptions;
  readonly #now: () => number;
  readonly #scanner: Scanner;
  readonly #halts: Halts;
  readonly #alarms: Alarms;
  readonly #crediting: Crediting;
  readonly #sender: Sender;
  readonly #payouts: Payouts;
  readonly #claims: Claims;
  readonly #solvency: Solvency;
  readonly #signal = new StopSignal();
  /** Of what is followed under the hold of this moment. */
  #following: StopSignal | undefined;
  readonly #running: Promise<void>;
  #wake: () => void = () => undefined;
  #halted: string | undefined = 'the chain has not been read yet';
  #solvencyCheckedAt = 0;
  #hasNews = true;
  #idlePolls = 0;

  constructor(options: IndexerOptions) {
    const { heart, sql, client, deployment, operator, confirmations, onTrouble } = options;
    const view = heart.open();
    view.close();
    const tokens = new ListedTokens(deployment, view.facts);
    const required = requiredConfirmations(confirmations);
    const { now } = options;
    this.#options = options;
    this.#now = now;
    this.#halts = new Halts({ sql, heart, confirmations, required, now });
    this.luckyBlocks = new LuckyBlocks({ sql, reads: options.reads, required, now, fromBlock: deployment.fromBlock });
    this.#scanner = new Scanner({
      sql,
      client,
      deployment,
      now,
      onReorg: async (transaction, reorg) => {
        await this.#halts.onReorg(transaction, reorg);
        await this.luckyBlocks.onReorg(transaction, reorg);
      },
    });
    this.#crediting = new Crediting({ sql, heart, tokens, required, onTrouble });
    this.#sender = new Sender({
      sql,
      client,
      operator,
      required,
      now,
      onTrouble,
      chainId: deployment.chainId,
      onSigned: async ({ purpose, reference, hash }) => {
        if (purpose !== 'claim') await this.#payouts.markSent(reference, hash);
      },
    });
    const worth = new Worth(view);
    const rules = options.reviewRules ?? NO_REVIEWS;
    this.reviews = new Reviews({ sql, rules, tokens, worth, now: options.windowNow, onNews: () => this.#notify() });
    this.writeOffs = new WriteOffs({ heart, sql: options.reads, tokens });
    const follower: HeartFollower = new HeartFollower({
      heart,
      sql,
      worth,
      tokenOf: (asset) => tokens.ofAsset(asset)?.address,
      onNews: () => this.#notify(),
    });
    this.#payouts = new Payouts({
      sql,
      heart,
      client,
      deployment,
      operator,
      tokens,
      required,
      now,
      sender: this.#sender,
      reviews: this.reviews,
      isCaughtUp: () => follower.followed >= view.seq,
      payableSeconds: options.payableSeconds ?? PAYABLE_SECONDS,
    });
    this.#claims = new Claims({ sql, heart, client, deployment, now, sender: this.#sender });
    this.#solvency = new Solvency({ sql, client, deployment, tokens });
    this.handlers = {
      deposit: depositHandlers({ sql: options.reads, tokens, required, deployment }),
      explorer: explorerHandlers({ sql: options.reads, client, deployment, tokens, required, solvency: () => this.#solvency.report() }),
      withdrawalReview: withdrawalReviewHandlers(this.reviews),
    };
    this.#alarms = new Alarms({ sql, heart, tokens, now, followed: () => follower.followed });
    this.#running = this.#run(follower);
  }

  claimProgress(claimId: string): Promise<ClaimProgress | undefined> {
    return this.#claims.progress(claimId);
  }

  payments(): Promise<readonly Payment[]> {
    return payments(this.#options.sql);
  }

  solvency(): readonly CoinSolvency[] {
    return this.#solvency.report();
  }

  async measures(): Promise<IndexerMeasures> {
    const { reads } = this.#options;
    const rows = await reads
      .selectFrom('indexer_payout')
      .where('state', 'in', ['held', 'sent'])
      .groupBy('state')
      .select(['state', ({ fn }) => fn.countAll<string>().as('count')])
      .execute();
    const counts = new Map(rows.map(({ state, count }) => [state, Number(count)]));
    // From SQL: another process may be the one that reads the chain.
    const newest = await reads.selectFrom('indexer_block').select('number').orderBy('number', 'desc').limit(1).executeTakeFirst();
    return { height: newest?.number, pending: { held: counts.get('held') ?? 0, sent: counts.get('sent') ?? 0 } };
  }

  unready(): string | undefined {
    const missing = this.#solvency.missing();
    return this.#halted ?? (missing.length > 0 ? `the vault holds less ${missing.join(', ')} than the ledger` : undefined);
  }

  async clearHalt(reason?: string): Promise<void> {
    await this.#halts.clear(reason);
    this.#notify();
  }

  /** Ends with the turn that is being done. */
  async stop(): Promise<void> {
    this.#signal.stop();
    this.#following?.stop();
    this.#wake();
    await this.#running;
  }

  async #run(follower: HeartFollower): Promise<void> {
    const lease = await this.#options.leases.open('chain');
    await Promise.all([this.#again(() => this.#follow(follower, lease)), this.#work(lease)]);
  }

  async #work(lease: Lease): Promise<void> {
    while (!this.#signal.isStopped) {
      try {
        if (lease.hold() === undefined) await this.#standBy();
        else await whileHeld(lease, () => this.#turn());
        await this.#pause(this.#options.pollMs ?? POLL_MS);
      } catch (error) {
        this.#options.onTrouble(asError(error));
        await this.#pause(TROUBLE_PAUSE_MS);
      }
    }
  }

  /** Another process does the work; when it comes here it begins with a look at everything. */
  async #standBy(): Promise<void> {
    this.#hasNews = true;
    this.#halted = (await this.#halts.standing())?.reason;
    await this.#solvency.read();
  }

  /** Under one hold after the other, each from what is in SQL; ends when the heart stops, or on request. */
  async #follow(follower: HeartFollower, lease: Lease): Promise<void> {
    while (!this.#signal.isStopped) {
      const hold = lease.hold();
      if (hold === undefined) {
        await this.#signal.race(taken(lease));
        continue;
      }
      const following = new StopSignal();
      this.#following = following;
      hold.signal.addEventListener('abort', () => following.stop(), { once: true });
      await whileHeld(lease, () => follower.follow(following));
      if (!hold.signal.aborted) return;
    }
  }

  /** Every step may be cut off anywhere, and done again. */
  async #turn(): Promise<void> {
    const askedAt = this.#now();
    const hasNews = (await this.#scanner.scan()) === 'moved' || this.#hasNews;
    const head = await this.#scanner.head();
    this.#idlePolls += 1;
    if (head === undefined || (!hasNews && this.#idlePolls < IDLE_POLLS)) return;
    this.#hasNews = false;
    this.#idlePolls = 0;
    try {
      await this.#act(head, askedAt);
    } catch (error) {
      this.#hasNews = true;
      throw error;
    }
  }

  async #act(head: Head, askedAt: number): Promise<void> {
    await this.#alarms.judgePayouts();
    const standing = await this.#halts.standing();
    this.#halted = standing?.reason;
    if (standing === undefined) {
      await this.luckyBlocks.read({ head: head.number, askedAt });
      await this.#crediting.credit(head.number);
      await this.#halts.reconcile();
      await this.#payouts.settle(head);
      await this.#claims.step();
      await this.#checkSolvency(head);
      this.#halted = (await this.#halts.standing())?.reason;
      if (this.#halted !== undefined) return;
      if (this.#solvency.missing().length === 0) await this.#payouts.send(head);
      await this.#sender.step(head.number);
    } else {
      await this.#crediting.creditReturned(head.number);
      await this.#halts.heal(head.number);
      // In an alarm nothing leaves: also what was signed before it.
      if (standing.kind !== 'alarm') await this.#sender.sendAgain();
      await this.#checkSolvency(head);
    }
  }

  async #checkSolvency(head: Head): Promise<void> {
    const sinceMs = this.#now() - this.#solvencyCheckedAt;
    // Below 0 the clock was set back. What is missing may be a deposit on its way into suspense.
    if (sinceMs >= 0 && sinceMs < SOLVENCY_MS && this.#solvency.missing().length === 0) return;
    if (!(await this.#solvency.check(head))) return;
    await this.#alarms.judgeBalances(head, this.#solvency.shortfalls());
    this.#solvencyCheckedAt = this.#now();
  }

  async #again(act: () => Promise<void>): Promise<void> {
    while (!this.#signal.isStopped) {
      try {
        await act();
        return;
      } catch (error) {
        this.#options.onTrouble(asError(error));
        await this.#pause(TROUBLE_PAUSE_MS);
      }
    }
  }

  #notify(): void {
    this.#hasNews = true;
    this.#wake();
  }

  /** News from the heart cut it short. */
  #pause(forMs: number): Promise<void> {
    if (this.#signal.isStopped) return Promise.resolve();
    return new Promise((resolve) => {
      const takeBack = (this.#options.timer ?? systemTimer)(resolve, forMs);
      this.#wake = () => {
        takeBack();
        resolve();
      };
    });
  }
}

const withdrawalReviewHandlers = (reviews: Reviews): Handlers<typeof withdrawalReviewRoutes> => ({
  withdrawalReviews: ({ principal }) => reviews.ofAccount(principal.account),
  async cancelWithdrawal({ principal, body: { withdrawalId } }) {
    await reviews.cancel(principal.account, withdrawalId);
    return { withdrawalId };
  },
});

function taken(lease: Lease): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const forget = lease.onTaken(() => {
    forget();
    resolve();
  });
  if (lease.hold() !== undefined) resolve();
  return promise;
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
