/**
 * Whose money accounts trade with. That somebody paid something to an account proves nothing: anybody can, and an account cannot refuse it. A
 * payer counts where the account took along what it was given: where of the payer's money at least a minimum left the funding wallet, to be
 * traded or paid out. An account that was paid by another one on the chain is the same, one step further out: the payee counts where at least
 * the minimum of what it was paid out was paid in again.
 *
 * The order in which money leaves favours the payee: its own first, then what it was given, the oldest first. So nobody who leaves a gift where
 * it lies is joined to the giver. What a payer's money did never changes afterwards: later movements take nothing back.
 */
import type { AccountId, Address, AssetId } from '@orrery/units';
import type { FundingMove, Payment } from '../ports.ts';

/** An address that the account's money came from or went to. */
export interface FundingLink {
  readonly account: AccountId;
  readonly address: Address;
}

export interface MoneyGround {
  readonly payments: readonly Payment[];
  readonly moves: readonly FundingMove[];
  readonly accountAt: (address: Address) => AccountId | undefined;
  readonly addressOf: (account: AccountId) => Address | undefined;
  /** Atoms of an asset; what has none joins nobody. */
  readonly minimumOf: (asset: AssetId) => bigint | undefined;
}

export function fundingLinks(ground: MoneyGround): readonly FundingLink[] {
  const { accountAt, minimumOf } = ground;
  const links: FundingLink[] = [];
  for (const { pot, holder, asset, joinedBy } of [...walletPots(ground), ...outsidePots(ground)]) {
    const minimum = minimumOf(asset);
    if (minimum === undefined) continue;
    for (const giver of pot.giversOf(minimum)) {
      const address = joinedBy === 'holder' ? holder : giver;
      for (const account of [accountAt(holder), accountAt(giver)]) if (account !== undefined) links.push({ account, address });
    }
  }
  return links;
}

/** What somebody else sent. */
export const isGift = ({ direction, address, counterparty }: Payment): boolean => direction !== 'OUT' && address !== counterparty;

interface HeldPot {
  readonly pot: Pot;
  readonly holder: Address;
  readonly asset: AssetId;
  /** The address by which all whom the pot joins are one. */
  readonly joinedBy: 'holder' | 'giver';
}

/** One for each funding wallet: what senders of deposits and of internal withdrawals gave. */
function walletPots({ payments, moves, addressOf }: MoneyGround): readonly HeldPot[] {
  const giverOf = new Map(payments.filter(isGift).map(({ key, counterparty }) => [key, counterparty]));
  const found = new Map<string, HeldPot>();
  for (const { account, asset, kind, amount, reference } of moves) {
    const holder = addressOf(account);
    if (holder === undefined) continue;
    const { pot } = potAt(found, { holder, asset, joinedBy: 'giver' });
    const giver = kind === 'TRANSFER' ? undefined : giverOf.get(reference);
    if (amount >= 0n) pot.receive(amount, giver);
    else if (kind === 'DEPOSIT_SUSPENDED' || kind === 'DEPOSIT_WRITTEN_OFF') pot.takeBack(-amount, giver);
    else pot.send(-amount);
  }
  return [...found.values()];
}

/** One for each address that accounts paid out to: what those accounts gave. */
function outsidePots({ payments }: MoneyGround): readonly HeldPot[] {
  const found = new Map<string, HeldPot>();
  for (const { direction, address, counterparty, asset, amount } of payments) {
    if (direction === 'INTERNAL') continue;
    const { pot } = potAt(found, { holder: counterparty, asset, joinedBy: 'holder' });
    if (direction === 'IN') pot.send(amount);
    else pot.receive(amount, address === counterparty ? undefined : address);
  }
  return [...found.values()];
}

function potAt(found: Map<string, HeldPot>, at: Omit<HeldPot, 'pot'>): HeldPot {
  const name = `${at.holder} ${at.asset}`;
  const held = found.get(name) ?? { ...at, pot: new Pot() };
  found.set(name, held);
  return held;
}

/** Money of one asset in one place: one's own, and what was given. */
class Pot {
  #own = 0n;
  /** Oldest first. */
  readonly #gifts: { readonly giver: Address; left: bigint }[] = [];
  /** Those before it are sent on. */
  #firstGift = 0;
  readonly #sent = new Map<Address, bigint>();

  /** @param giver undefined for one's own money */
  receive(amount: bigint, giver: Address | undefined): void {
    if (giver === undefined) this.#own += amount;
    else this.#gifts.push({ giver, left: amount });
  }

  /** What is not known to be here came from elsewhere, and counts for nobody. */
  send(amount: bigint): void {
    const own = least(amount, this.#own);
    this.#own -= own;
    for (let rest = amount - own; rest > 0n;) {
      const gift = this.#gifts[this.#firstGift];
      if (gift === undefined) return;
      const part = least(rest, gift.left);
      gift.left -= part;
      rest -= part;
      this.#sent.set(gift.giver, (this.#sent.get(gift.giver) ?? 0n) + part);
      if (gift.left === 0n) this.#firstGift += 1;
    }
  }

  /** A deposit whose block is gone. */
  takeBack(amount: bigint, giver: Address | undefined): void {
    if (giver === undefined) this.#own -= least(amount, this.#own);
    let rest = giver === undefined ? 0n : amount;
    for (const gift of this.#gifts.filter((one) => one.giver === giver)) {
      const part = least(rest, gift.left);
      gift.left -= part;
      rest -= part;
    }
  }

  /** Of whose money at least the minimum was sent on. */
  giversOf(minimum: bigint): readonly Address[] {
    return [...this.#sent].filter(([, sent]) => sent >= minimum).map(([giver]) => giver);
  }
}

const least = (one: bigint, other: bigint): bigint => (one < other ? one : other);
