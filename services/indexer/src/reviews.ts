/**
 * Which withdrawals a person looks at before they are paid, and who may still stop one: nothing of a withdrawal is signed before its review is
 * `signed`, and each step to another state is one statement that names the state before it. So of a cancel, a decision and a signature that come
 * at once one wins, and the others find it done.
 */
import { ApiError, type WaitingWithdrawal, type WithdrawalReview } from '@orrery/api';
import { countUpTo } from '@orrery/foundation';
import { type AccountId, addAtoms, assetId, assert, atoms, type Atoms, NO_ATOMS, printAtoms } from '@orrery/units';
import type { Kysely } from 'kysely';
import type { ListedTokens } from './listed-tokens.ts';
import type { IndexerTables, ReviewCause, ReviewState } from './tables.ts';
import type { Worth } from './worth.ts';

export interface ReviewRules {
  /** Worth more than this, with what the account took within 24 hours without one, an operator decides: in atoms of USDC. Undefined: no amount needs one. */
  readonly above: Atoms | undefined;
  /** An operator decides on the first withdrawal of each account. */
  readonly firstEver: boolean;
}

export interface WithdrawalDecided {
  readonly withdrawalId: string;
  readonly decision: 'APPROVED' | 'REFUSED';
  /** For the person; null where it is approved. */
  readonly reason: string | null;
}

interface ReviewsOptions {
  readonly sql: Kysely<IndexerTables>;
  readonly rules: ReviewRules;
  readonly tokens: ListedTokens;
  readonly worth: Worth;
  readonly now: () => number;
  /** Something changed that the worker acts on. */
  readonly onNews: () => void;
}

type Payout = Pick<IndexerTables['indexer_payout'], 'withdrawal_id' | 'account' | 'asset' | 'amount' | 'review'>;

const DAY_MS = 24 * 3_600_000;
const SHOWN_REVIEWS = 50;
const SHOWN_STATE = {
  free: 'FREE',
  waiting: 'WAITING',
  approved: 'APPROVED',
  refused: 'REFUSED',
  cancelled: 'CANCELLED',
  signed: 'SIGNED',
} as const satisfies Record<ReviewState, string>;
const SHOWN_CAUSE = { aboveLimit: 'ABOVE_LIMIT', firstEver: 'FIRST_EVER' } as const satisfies Record<ReviewCause, string>;
const DECIDED = { APPROVED: 'approved', REFUSED: 'refused' } as const satisfies Record<WithdrawalDecided['decision'], ReviewState>;

export class Reviews {
  readonly #options: ReviewsOptions;

  constructor(options: ReviewsOptions) {
    this.#options = options;
  }

  /** True when nobody has to look at it (any more). The first time it is asked, it is judged. */
  async isPassed(payout: Payout): Promise<boolean> {
    const review = payout.review ?? (await this.#judge(payout));
    return review === 'free' || review === 'approved' || review === 'signed';
  }

  /** @returns false when it was cancelled or refused meanwhile: then nothing of it may be signed, ever. */
  async beginSigning(withdrawalId: string): Promise<boolean> {
    return this.#move(withdrawalId, ['free', 'approved', 'signed'], { review: 'signed' });
  }

  /** Nothing of them was or will be signed. */
  async stopped(): Promise<readonly string[]> {
    const rows = await this.#options.sql
      .selectFrom('indexer_payout')
      .select('withdrawal_id')
      .where('state', '=', 'held')
      .where('review', 'in', ['refused', 'cancelled'])
      .execute();
    return rows.map(({ withdrawal_id: id }) => id);
  }

  async ofAccount(account: AccountId): Promise<WithdrawalReview[]> {
    const rows = await this.#options.sql
      .selectFrom('indexer_payout')
      .select(['withdrawal_id', 'state', 'review', 'review_cause', 'review_answer'])
      .where('account', '=', account)
      .where((row) => row.or([row('state', '=', 'held'), row('review_cause', 'is not', null), row('review', '=', 'cancelled')]))
      .orderBy((row) => row.fn.coalesce('review_since', row.val(Number.MAX_SAFE_INTEGER)), 'desc')
      .orderBy('withdrawal_id')
      .limit(SHOWN_REVIEWS)
      .execute();
    return rows.map((row) => ({
      withdrawalId: row.withdrawal_id,
      state: SHOWN_STATE[row.review ?? 'free'],
      cause: row.review_cause === null ? null : SHOWN_CAUSE[row.review_cause],
      answer: row.review_answer,
      cancellable: row.state === 'held' && isStoppable(row.review),
    }));
  }

  /** @throws ApiError when the account has no such withdrawal, or it can not be stopped any more. */
  async cancel(account: AccountId, withdrawalId: string): Promise<void> {
    const { sql, now } = this.#options;
    const { numUpdatedRows } = await sql
      .updateTable('indexer_payout')
      .set((row) => ({ review: 'cancelled', review_since: row.fn.coalesce('review_since', row.val(now())) }))
      .where('withdrawal_id', '=', withdrawalId)
      .where('account', '=', account)
      .where('state', '=', 'held')
      .where((row) => row.or([row('review', 'is', null), row('review', 'in', ['free', 'waiting', 'approved'])]))
      .executeTakeFirstOrThrow();
    if (numUpdatedRows > 0n) return this.#options.onNews();
    const found = await sql
      .selectFrom('indexer_payout')
      .select('review')
      .where('withdrawal_id', '=', withdrawalId)
      .where('account', '=', account)
      .executeTakeFirst();
    if (found === undefined) throw new ApiError('UnknownThing', { field: 'withdrawalId' });
    if (found.review !== 'cancelled')
      throw new ApiError('WithdrawalNotInState', { field: 'withdrawalId', message: 'this withdrawal can not be cancelled any more' });
  }

  /** Those that wait longest first. */
  async waiting({ page, size }: { page: number; size: number }): Promise<{ list: WaitingWithdrawal[]; total: number }> {
    const { sql, tokens, worth } = this.#options;
    const waiting = sql.selectFrom('indexer_payout').where('state', '=', 'held').where('review', '=', 'waiting');
    const total = await countUpTo(sql, waiting.select('withdrawal_id'));
    const rows = await waiting
      .select(['withdrawal_id', 'account', 'asset', 'amount', 'recipient', 'review_cause', 'review_since'])
      .orderBy('review_since')
      .orderBy('withdrawal_id')
      .limit(size)
      .offset((page - 1) * size)
      .execute();
    const list = rows.map((row) => {
      const token = tokens.ofAsset(row.asset);
      assert(
        token !== undefined && row.review_cause !== null && row.review_since !== null,
        'what waits was judged, and is of a listed token',
      );
      const amount = atoms(BigInt(row.amount));
      const value = worth.inUsdc(amount, token.asset);
      return {
        withdrawalId: row.withdrawal_id,
        account: row.account,
        coin: token.coin,
        amount: printAtoms(amount, token.decimals),
        worth: value === undefined ? null : worth.print(value),
        to: row.recipient,
        cause: SHOWN_CAUSE[row.review_cause],
        waitsSince: row.review_since,
      };
    });
    return { list, total };
  }

  async isWaiting(withdrawalId: string): Promise<boolean> {
    const row = await this.#options.sql
      .selectFrom('indexer_payout')
      .select('withdrawal_id')
      .where('withdrawal_id', '=', withdrawalId)
      .where('state', '=', 'held')
      .where('review', '=', 'waiting')
      .executeTakeFirst();
    return row !== undefined;
  }

  /** Decided the same way again nothing happens. @throws ApiError when it was decided otherwise, or cancelled. */
  async decide({ withdrawalId, decision, reason }: WithdrawalDecided): Promise<void> {
    const review = DECIDED[decision];
    if (await this.#move(withdrawalId, ['waiting'], { review, review_answer: reason })) return this.#options.onNews();
    const found = await this.#options.sql
      .selectFrom('indexer_payout')
      .select(['review', 'review_cause'])
      .where('withdrawal_id', '=', withdrawalId)
      .executeTakeFirst();
    // An approved one is signed soon after.
    const isSo = found?.review === review || (review === 'approved' && found?.review === 'signed' && found.review_cause !== null);
    if (!isSo) throw new ApiError('UnknownThing', { field: 'withdrawalId', message: 'this withdrawal does not wait for a decision' });
  }

  async #judge(payout: Payout): Promise<ReviewState> {
    const cause = await this.#causeOf(payout);
    const review = cause === undefined ? 'free' : 'waiting';
    const values = { review, review_cause: cause ?? null, review_since: this.#options.now() } as const;
    const { numUpdatedRows } = await this.#options.sql
      .updateTable('indexer_payout')
      .set(values)
      .where('withdrawal_id', '=', payout.withdrawal_id)
      .where('review', 'is', null)
      .executeTakeFirstOrThrow();
    return numUpdatedRows > 0n ? review : 'cancelled';
  }

  async #causeOf(payout: Payout): Promise<ReviewCause | undefined> {
    const { sql, rules } = this.#options;
    if (rules.above !== undefined && (await this.#isAbove(payout, rules.above))) return 'aboveLimit';
    if (!rules.firstEver) return undefined;
    const { account } = payout;
    const paid = await sql
      .selectFrom('indexer_payout')
      .select('withdrawal_id')
      .where('account', '=', account)
      .where('state', '=', 'posted')
      .limit(1)
      .executeTakeFirst();
    return paid === undefined ? 'firstEver' : undefined;
  }

  /**
   * An amount in parts is as much as in one piece: with what nobody looked at of the last 24 hours. What was refunded or stopped does not count, nor does
   * what an operator decided on.
   */
  async #isAbove(payout: Payout, limit: Atoms): Promise<boolean> {
    const { sql, now } = this.#options;
    const unseen = await sql
      .selectFrom('indexer_payout')
      .select(['asset', 'amount'])
      .where('account', '=', payout.account)
      .where('withdrawal_id', '!=', payout.withdrawal_id)
      .where('state', '!=', 'refunded')
      .where('review', 'in', ['free', 'signed'])
      .where('review_cause', 'is', null)
      .where('review_since', '>', now() - DAY_MS)
      .execute();
    const own = this.#valueOf(payout);
    // A coin of unknown worth makes nobody wait for what went before.
    return own > 0n && unseen.map((each) => this.#valueOf(each)).reduce(addAtoms, own) > limit;
  }

  /** A coin without an outside price counts for nothing: nobody knows its worth, and its caps bound it. */
  #valueOf({ asset, amount }: Pick<Payout, 'asset' | 'amount'>): Atoms {
    return this.#options.worth.inUsdc(atoms(BigInt(amount)), assetId(asset)) ?? NO_ATOMS;
  }

  async #move(
    withdrawalId: string,
    from: readonly ReviewState[],
    to: { review: ReviewState; review_answer?: string | null },
  ): Promise<boolean> {
    const { numUpdatedRows } = await this.#options.sql
      .updateTable('indexer_payout')
      .set(to)
      .where('withdrawal_id', '=', withdrawalId)
      .where('review', 'in', from)
      .executeTakeFirstOrThrow();
    return numUpdatedRows > 0n;
  }
}

const isStoppable = (review: ReviewState | null): boolean => review === null || ['free', 'waiting', 'approved'].includes(review);
