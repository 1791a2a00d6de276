/**
 * How much an account may withdraw within any 24 hours, by its level, valued in USDC by the outside prices when it is asked: a trade on our own book
 * makes nothing cheaper. What was refunded does not count. The
 * withdrawals of one account are decided one after the other, so that many at once pass no quota. Those of this run are kept in memory: history,
 * which may be behind, is waited for only as far as the start.
 */
import { ApiError, type Withdrawal, type WithdrawalQuota } from '@orrery/api';
import { Turns } from '@orrery/foundation';
import type { Asset, Heart, Receipt } from '@orrery/protocol';
import { addAtoms, type AccountId, assert, atoms, type Atoms, NO_ATOMS, parseAtoms, printDecimal, type Seq } from '@orrery/units';
import type { Floor } from '../floor.ts';
import type { Authenticator, History } from '../ports.ts';
import { outsideWorthBy } from './estimate.ts';
import type { ReadBarrier } from './read-barrier.ts';

const DAY_MS = 24 * 3_600_000;
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
  readonly now: () => number;
}

export interface Wish {
  readonly account: AccountId;
  readonly withdrawalId: string;
  readonly asset: Asset;
  readonly amount: Atoms;
}

type Taken = Pick<Withdrawal, 'withdrawalId' | 'coin' | 'amount' | 'createdTime'>;

export class WithdrawalQuotas {
  readonly #parts: QuotaParts;
  readonly #turns = new Turns<AccountId>();
  /** What was given to the heart since the start, by account and id. */
  readonly #given = new Map<AccountId, Map<string, Taken>>();
  readonly #startedAt: Seq;

  constructor(parts: QuotaParts) {
    this.#parts = parts;
    this.#startedAt = parts.heart.status().seq;
  }

  /** Begins when all that the account asked before is decided. */
  inTurn<Answer>(account: AccountId, decide: () => Promise<Answer>): Promise<Answer> {
    return this.#turns.take(account, decide);
  }

  /** In a turn of its account. @throws ApiError WithdrawalQuotaExceeded with what the quota leaves. */
  async check({ account, withdrawalId, asset, amount }: Wish): Promise<void> {
    const quota = this.#quotaOf(account);
    if (quota === undefined) return;
    const recent = await this.#recent(account);
    // Asked again it takes nothing more.
    if (recent.some((taken) => taken.withdrawalId === withdrawalId)) return;
    const left = leftOf(quota, this.#sum(recent));
    if (this.#valueOf(amount, asset) <= left) return;
    const message = `the quota of your level leaves ${this.#print(left)} ${QUOTA_COIN} within 24 hours`;
    throw new ApiError('WithdrawalQuotaExceeded', { field: 'amount', message });
  }

  /** In a turn of its account: counts it when `submit` is through, and when nobody knows whether it is. */
  async submit({ account, withdrawalId, asset, amount }: Wish, submit: () => Promise<Receipt>): Promise<Receipt> {
    const given = this.#given.get(account) ?? new Map<string, Taken>();
    this.#given.set(account, given);
    const isNew = !given.has(withdrawalId);
    const taken = { withdrawalId, coin: asset.code, amount: printDecimal(amount, asset.decimals), createdTime: this.#parts.now() };
    if (isNew) given.set(withdrawalId, taken);
    const receipt = await submit();
    if (isNew && receipt.events[0]?.type === 'CommandRejected') given.delete(withdrawalId);
    return receipt;
  }

  async show(account: AccountId): Promise<WithdrawalQuota> {
    const level = this.#parts.authenticator.levelOf(account);
    const quota = this.#quotaOf(account);
    if (quota === undefined) return { level, coin: QUOTA_COIN, quota: null, used: '0', left: null };
    const used = this.#sum(await this.#recent(account));
    return { level, coin: QUOTA_COIN, quota: this.#print(quota), used: this.#print(used), left: this.#print(leftOf(quota, used)) };
  }

  #quotaOf(account: AccountId): Atoms | undefined {
    const { quotas, authenticator } = this.#parts;
    const text = quotas[Math.min(authenticator.levelOf(account), quotas.length) - 1];
    return text === undefined ? undefined : this.#atomsOf(text, this.#coin());
  }

  async #recent(account: AccountId): Promise<readonly Taken[]> {
    const { history, barrier, now } = this.#parts;
    await barrier.history(this.#startedAt);
    const { items } = await history.withdrawals({ account, page: 1, size: READ_WITHDRAWALS });
    const since = now() - DAY_MS;
    const given = this.#given.get(account);
    for (const { withdrawalId } of items) given?.delete(withdrawalId);
    for (const { withdrawalId, createdTime } of given?.values() ?? []) if (createdTime <= since) given?.delete(withdrawalId);
    if (given?.size === 0) this.#given.delete(account);
    return [...items.filter(({ createdTime, state }) => createdTime > since && state !== 'REFUNDED'), ...(given?.values() ?? [])];
  }

  #sum(withdrawals: readonly Taken[]): Atoms {
    const { floor } = this.#parts;
    const values = withdrawals.map(({ coin, amount }) => {
      const asset = floor.markets.assetByCode(coin);
      assert(asset !== undefined, 'what was withdrawn is listed');
      return this.#valueOf(this.#atomsOf(amount, asset), asset);
    });
    return values.reduce(addAtoms, NO_ATOMS);
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

const leftOf = (quota: Atoms, used: Atoms): Atoms => (used >= quota ? NO_ATOMS : atoms(quota - used));
