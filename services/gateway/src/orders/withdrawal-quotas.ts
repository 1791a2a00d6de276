/**
 * How much an account may withdraw within any 24 hours, by its level, valued in USDC by the outside prices when it is asked: a trade on our own book
 * makes nothing cheaper. What was refunded does not count. The engine decides, by the worth and the quota that each withdrawal brings along: so it holds
 * for every gateway together, and over restarts. Here is only what the engine does not know, and an early answer, before a signature is used up.
 */
import { ApiError, type WithdrawalQuota } from '@orrery/api';
import type { Asset, Heart, QuotaTerms, Receipt } from '@orrery/protocol';
import { leftOfQuota } from '@orrery/rules';
import { assert, NO_ATOMS, parseAtoms, printDecimal, type AccountId, type Atoms, type Millis } from '@orrery/units';
import type { Floor } from '../floor.ts';
import type { Authenticator, History } from '../ports.ts';
import { outsideWorthBy } from './estimate.ts';
import type { ReadBarrier } from './read-barrier.ts';

const QUOTA_COIN = 'USDC';
/** More than an account may make within two days of the calendar. */
const READ_WITHDRAWALS = 50;

interface QuotaParts {
  readonly heart: Heart;
  readonly floor: Floor;
  readonly history: History;
  readonly barrier: ReadBarrier;
  readonly authenticator: Pick<Authenticator, 'levelOf'>;
  /** USDC as decimals, from level 1 on; empty: any amount can be withdrawn. */
  readonly quotas: readonly string[];
  /** The time of the journal. */
  readonly at: () => Millis;
}

export interface Wish {
  readonly account: AccountId;
  readonly withdrawalId: string;
  readonly asset: Asset;
  readonly amount: Atoms;
}

export class WithdrawalQuotas {
  readonly #parts: QuotaParts;

  constructor(parts: QuotaParts) {
    this.#parts = parts;
  }

  /** What the command names, by the level and the prices of now. */
  termsOf({ account, asset, amount }: Omit<Wish, 'withdrawalId'>): { readonly quota?: QuotaTerms } {
    const limit = this.#quotaOf(account);
    return limit === undefined ? {} : { quota: { worth: this.#valueOf(amount, asset), limit } };
  }

  /** By what the views know: what passes here may still be refused by the engine. @throws ApiError WithdrawalQuotaExceeded with what the quota leaves. */
  async check(wish: Wish): Promise<void> {
    const { quota } = this.termsOf(wish);
    if (quota === undefined || quota.worth <= this.#left(wish.account, quota.limit)) return;
    // A refund may be on its way to the views.
    await this.#parts.barrier.latest();
    const left = this.#left(wish.account, quota.limit);
    // Asked again it takes nothing more.
    if (quota.worth <= left || (await this.#isAskedAgain(wish))) return;
    throw this.#refusal(left);
  }

  /** @throws ApiError WithdrawalQuotaExceeded with what the quota leaves, when this is why the engine has refused a withdrawal of the account. */
  async checkReceipt(account: AccountId, { seq, at, events: [first] }: Receipt): Promise<void> {
    if (first?.type !== 'CommandRejected' || first.reason !== 'QuotaExceeded') return;
    await this.#parts.barrier.views(seq);
    throw this.#refusal(this.#left(account, this.#quotaOf(account) ?? NO_ATOMS, at));
  }

  async show(account: AccountId): Promise<WithdrawalQuota> {
    const { heart, barrier, floor, at, authenticator } = this.#parts;
    const level = authenticator.levelOf(account);
    const quota = this.#quotaOf(account);
    if (quota === undefined) return { level, coin: QUOTA_COIN, quota: null, used: '0', left: null };
    await barrier.views(heart.status().seq);
    const used = floor.quotaUses.used(account, at());
    return { level, coin: QUOTA_COIN, quota: this.#print(quota), used: this.#print(used), left: this.#print(leftOfQuota(quota, used)) };
  }

  #refusal(left: Atoms): ApiError {
    const message = `the quota of your level leaves ${this.#print(left)} ${QUOTA_COIN} within 24 hours`;
    return new ApiError('WithdrawalQuotaExceeded', { field: 'amount', message });
  }

  #left(account: AccountId, quota: Atoms, at = this.#parts.at()): Atoms {
    return leftOfQuota(quota, this.#parts.floor.quotaUses.used(account, at));
  }

  #quotaOf(account: AccountId): Atoms | undefined {
    const { quotas, authenticator } = this.#parts;
    const text = quotas[Math.min(authenticator.levelOf(account), quotas.length) - 1];
    return text === undefined ? undefined : this.#atomsOf(text, this.#coin());
  }

  async #isAskedAgain({ account, withdrawalId }: Wish): Promise<boolean> {
    const { heart, history, barrier } = this.#parts;
    await barrier.history(await heart.end());
    const { items } = await history.withdrawals({ account, page: 1, size: READ_WITHDRAWALS });
    return items.some((taken) => taken.withdrawalId === withdrawalId);
  }

  /** A coin without an outside price counts for nothing: nobody knows its worth, and its caps bound it. */
  #valueOf(amount: Atoms, asset: Asset): Atoms {
    const text = outsideWorthBy(this.#parts.floor)(amount, asset);
    return text === undefined ? NO_ATOMS : this.#atomsOf(text, this.#coin());
  }

  #coin(): Asset {
    const coin = this.#parts.floor.markets.assetByCode(QUOTA_COIN);
    assert(coin !== undefined, `${QUOTA_COIN} is listed`);
    return coin;
  }

  #atomsOf(text: string, { decimals }: Asset): Atoms {
    const amount = parseAtoms(text, decimals);
    assert(amount !== undefined, `the amount is one: ${text}`);
    return amount;
  }

  #print(amount: Atoms): string {
    return printDecimal(amount, this.#coin().decimals);
  }
}
