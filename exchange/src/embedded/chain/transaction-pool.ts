/**
 * What the node has taken and not mined. Everything in it can be mined and is paid for: each sender's nonces follow one another, and the
 * sender owns what all of them cost together. So nobody fills the pool, or the log behind it, for nothing.
 */
import { RpcError } from '@orrery/contracts/anvil';
import type { Address, Hash, Hex } from 'viem';
import type { SignedTransaction } from './signed-transaction.ts';

/** Of one sender, as mined so far. */
export interface SenderAccount {
  readonly nonce: number;
  /** Wei. */
  readonly balance: bigint;
}

export const PENDING_PER_SENDER = 16;
/** Of all raw transactions together. */
const POOL_CHARS = 16 * 1024 * 1024;

const REJECTED = -32003;
const LIMIT_EXCEEDED = -32005;

export class TransactionPool {
  /** In the order of arrival. */
  readonly #waiting = new Map<Hash, SignedTransaction>();
  readonly #bySender = new Map<Address, Map<number, SignedTransaction>>();
  #chars = 0;

  constructor(waiting: readonly SignedTransaction[] = []) {
    for (const transaction of waiting) this.add(transaction);
  }

  get size(): number {
    return this.#waiting.size;
  }

  has(hash: Hash): boolean {
    return this.#waiting.has(hash);
  }

  raws(): readonly Hex[] {
    return [...this.#waiting.values()].map(({ raw }) => raw);
  }

  /**
   * Nothing is replaced: what waits is mined with the next blocks in the order of arrival, whatever it pays.
   * @throws RpcError when it must not be taken; changes nothing.
   */
  check({ nonce, sender, cost, raw }: SignedTransaction, account: SenderAccount): void {
    const own = this.#bySender.get(sender) ?? new Map<number, SignedTransaction>();
    if (own.has(nonce)) throw rejected(`a transaction with nonce ${nonce} waits for the next block: it can not be replaced`);
    const next = firstMissing(own, account.nonce);
    if (nonce < next) throw rejected(`nonce too low: the next one is ${next}`);
    if (own.size >= PENDING_PER_SENDER) throw limited(`${PENDING_PER_SENDER} transactions of this sender wait for a block: try again`);
    if (nonce > next) throw rejected(`nonce too high: the next one is ${next}`);
    const owed = [...own.values()].reduce((sum, waiting) => sum + waiting.cost, cost);
    if (owed > account.balance) throw rejected('Insufficient funds for gas * price + value of all that waits of this sender');
    if (this.#chars + raw.length > POOL_CHARS) throw limited('too much waits for a block: try again');
  }

  add(transaction: SignedTransaction): void {
    const { hash, sender, nonce, raw } = transaction;
    const own = this.#bySender.get(sender) ?? new Map<number, SignedTransaction>();
    this.#waiting.set(hash, transaction);
    this.#bySender.set(sender, own.set(nonce, transaction));
    this.#chars += raw.length;
  }

  mined(hashes: readonly Hash[]): void {
    for (const hash of hashes) {
      const transaction = this.#waiting.get(hash);
      if (transaction !== undefined) this.#remove(transaction);
    }
  }

  /** Removes what the node no longer holds, such as one whose fee fell below the block's. */
  keepOnly(isHeld: (transaction: SignedTransaction) => boolean): void {
    for (const transaction of this.#waiting.values()) if (!isHeld(transaction)) this.#remove(transaction);
  }

  #remove({ hash, sender, nonce, raw }: SignedTransaction): void {
    this.#waiting.delete(hash);
    const own = this.#bySender.get(sender);
    own?.delete(nonce);
    if (own?.size === 0) this.#bySender.delete(sender);
    this.#chars -= raw.length;
  }
}

function firstMissing(own: ReadonlyMap<number, unknown>, from: number): number {
  let nonce = from;
  while (own.has(nonce)) nonce += 1;
  return nonce;
}

function rejected(message: string): RpcError {
  return new RpcError({ code: REJECTED, message });
}

function limited(message: string): RpcError {
  return new RpcError({ code: LIMIT_EXCEEDED, message });
}
