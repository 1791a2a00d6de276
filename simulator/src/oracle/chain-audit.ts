/** What must hold between the ledger and the chain (D1, D4, M2). */
import type { Event } from '@orrery/protocol';
import { ASSETS } from '@orrery/exchange/listing';
import { COINS, type ChainSite } from '../chain/chain-site.ts';
import { Violation } from '../violation.ts';
import type { Witness } from './witness.ts';

type WithdrawalEvent = Extract<Event, { type: 'WithdrawalHeld' | 'WithdrawalSent' | 'WithdrawalPosted' | 'WithdrawalRefunded' }>;

/** Credits that did not come by the chain: what people begin with. */
const isGiven = (key: string): boolean => key.startsWith('first:');

export class ChainAudit {
  readonly #site: ChainSite;
  readonly #credited = new Set<string>();
  readonly #writtenOff = new Set<string>();
  readonly #returned = new Set<string>();
  readonly #withdrawals = new Map<string, 'held' | 'sent' | 'posted' | 'refunded'>();

  constructor(site: ChainSite) {
    this.#site = site;
  }

  get openWithdrawals(): number {
    return [...this.#withdrawals.values()].filter((state) => state === 'held' || state === 'sent').length;
  }

  /** Posted, and taken back by the chain: owed there. */
  get unpaid(): readonly string[] {
    return [...this.#withdrawals].filter(([id, state]) => state === 'posted' && !this.#site.chain.isUsed(id)).map(([id]) => id);
  }

  get withdrawals(): number {
    return this.#withdrawals.size;
  }

  get credits(): number {
    return this.#credited.size;
  }

  get writtenOff(): number {
    return this.#writtenOff.size;
  }

  /** Credited again after their write-off. */
  get returned(): number {
    return this.#returned.size;
  }

  hear(events: readonly Event[]): void {
    for (const event of events) {
      if (event.type === 'DepositCredited' && !isGiven(event.key)) this.#credit(event, repaidFor(event.key, events));
      else if (event.type === 'DepositWrittenOff') this.#writeOff(event);
      else if (isOfWithdrawal(event)) this.#step(event);
    }
  }

  /** Final deposits that wait for their credit. */
  uncredited(): readonly string[] {
    return [...this.#depositsOnChain()]
      .filter(({ key, confirmations }) => confirmations >= this.#site.required && !this.#credited.has(key))
      .map(({ key }) => key);
  }

  /** When nothing is in flight any more. */
  assertSettled(witness: Witness): void {
    const { chain } = this.#site;
    for (const [id, state] of this.#withdrawals) {
      if ((state === 'posted') !== chain.isUsed(id))
        throw new Violation('D4', `withdrawal ${id} is ${state}, and the vault has ${chain.isUsed(id) ? '' : 'not '}paid it`);
    }
    const onChain = new Set([...this.#depositsOnChain()].map(({ key }) => key));
    for (const key of this.#credited)
      if (!onChain.has(key)) throw new Violation('D1', `deposit ${key} is credited and is not on the chain`);
    for (const { asset, code } of ASSETS) {
      if (!COINS.includes(code)) continue;
      const [vault, ledger] = [chain.vaultBalance(this.#site.tokenOf(code)), witness.ledgerTotal(asset)];
      if (vault !== ledger) throw new Violation('M2', `the vault holds ${vault} of ${code}, and the ledger ${ledger}`);
    }
  }

  /** Credited deposits that are not on the chain: they come back, or are written off. */
  away(): readonly string[] {
    const onChain = new Set([...this.#depositsOnChain()].map(({ key }) => key));
    return [...this.#credited].filter((key) => !onChain.has(key));
  }

  #writeOff({ key, ...parts }: Extract<Event, { type: 'DepositWrittenOff' }>): void {
    const { amount, fromSuspense, fromFunding, fromSpot, fromFutures, fromCoinFutures, fromInsurance, uncovered } = parts;
    const paid = fromSuspense + fromFunding + fromSpot + fromFutures + fromCoinFutures + fromInsurance + uncovered;
    if (paid !== amount) throw new Violation('M1', `deposit ${key} of ${amount} was written off, and ${paid} of it was paid`);
    if (!this.#credited.delete(key)) throw new Violation('D1', `deposit ${key} was written off without a credit`);
    this.#writtenOff.add(key);
  }

  #credit({ key, amount: credited }: Extract<Event, { type: 'DepositCredited' }>, repaid: bigint): void {
    const { chain, required, isShaken } = this.#site;
    // A deposit released from suspense is emitted again.
    if (this.#credited.has(key)) return;
    this.#credited.add(key);
    if (this.#writtenOff.has(key)) this.#returned.add(key);
    const amount = credited + repaid;
    const [, hash = ''] = key.split(':');
    const depth = chain.confirmationsOf(hash);
    if (depth < required && !isShaken) throw new Violation('D2', `deposit ${key} was credited at ${depth} confirmations of ${required}`);
    const paid = [...this.#depositsOnChain()].find((deposit) => deposit.key === key);
    if (paid !== undefined && paid.amount !== amount)
      throw new Violation('D1', `deposit ${key} is of ${paid.amount}, and ${amount} was credited`);
  }

  #step(event: WithdrawalEvent): void {
    const { withdrawalId: id } = event;
    const before = this.#withdrawals.get(id);
    switch (event.type) {
      case 'WithdrawalHeld':
        if (before !== undefined) throw new Violation('D4', `withdrawal ${id} is held a second time`);
        this.#withdrawals.set(id, 'held');
        return;
      case 'WithdrawalSent':
        this.#withdrawals.set(id, 'sent');
        return;
      case 'WithdrawalPosted':
        if (before === 'refunded') throw new Violation('D4', `withdrawal ${id} is posted after its refund`);
        if (!this.#site.chain.isUsed(id) && !this.#site.isShaken)
          throw new Violation('D4', `withdrawal ${id} is posted, and the vault has not paid it`);
        this.#withdrawals.set(id, 'posted');
        return;
      case 'WithdrawalRefunded':
        if (before === 'posted' || this.#site.chain.isUsed(id))
          throw new Violation('D4', `withdrawal ${id} is refunded, and the vault has paid it`);
        this.#withdrawals.set(id, 'refunded');
    }
  }

  *#depositsOnChain(): Generator<{ key: string; amount: bigint; confirmations: number }> {
    const { chain } = this.#site;
    const { chainId } = chain.deployment;
    for (let number = 0; number <= chain.head.number; number += 1) {
      for (const { transaction, isSuccess } of chain.block(number)?.mined ?? []) {
        const { intent, hash } = transaction;
        if (intent.kind === 'deposit' && isSuccess)
          yield { key: `${chainId}:${hash}:0`, amount: intent.amount, confirmations: chain.head.number - number + 1 };
      }
    }
  }
}

/** What the exchange had paid for it. */
function repaidFor(key: string, events: readonly Event[]): bigint {
  for (const event of events) if (event.type === 'WriteOffRepaid' && event.key === key) return event.amount;
  return 0n;
}

const isOfWithdrawal = (event: Event): event is WithdrawalEvent =>
  event.type === 'WithdrawalHeld' ||
  event.type === 'WithdrawalSent' ||
  event.type === 'WithdrawalPosted' ||
  event.type === 'WithdrawalRefunded';
