/** The people of the naive desk and their money: what is free, what lies in suspense, what was bought and must stay. */
import type { Command, Event, RejectReason } from '@orrery/protocol';

interface Person {
  readonly id: number;
  readonly flags: Set<string>;
  finished: number;
  cancels: number[];
  pausedUntil: number;
}

export class NaiveDeskMoney {
  readonly people: Person[] = [];
  readonly funding = new Map<string, bigint>();
  readonly holds: { account: number; asset: number; amount: bigint; until: number }[] = [];
  readonly made = new Map<string, { id: string; body: string }>();
  readonly credits = new Map<string, { account: number; asset: number; amount: bigint }>();
  readonly orphans = new Map<string, { account: number; asset: number; amount: bigint }>();
  at = 0;
  events: Event[] = [];

  money(account: number, asset: number): bigint {
    return this.funding.get(`${account} ${asset}`) ?? 0n;
  }

  /** To nobody who is blocked: that money would wait. */
  credit({ key, address, asset, amount }: Extract<Command, { type: 'CreditDeposit' }>): void {
    const account = Number(BigInt(address));
    const orphan = this.orphans.get(key);
    if (this.credits.has(key) && orphan === undefined) return this.repeat(key);
    if (orphan === undefined) this.credits.set(key, { account, asset, amount });
    this.orphans.delete(key);
    const back = orphan?.amount ?? amount;
    this.add(account, asset, back);
    this.emit({ type: 'DepositCredited', key, account, asset, amount: back, suspended: false });
  }

  suspend(key: string): void {
    const made = this.credits.get(key);
    if (made === undefined) return this.refuse('UnknownDeposit', 'key');
    if (this.orphans.has(key)) return this.repeat(key);
    const { account, asset } = made;
    const free = this.money(account, asset);
    const amount = free < made.amount ? free : made.amount;
    this.add(account, asset, 0n - amount);
    this.orphans.set(key, { account, asset, amount });
    this.emit({ type: 'DepositSuspended', key, account, asset, amount, fromFunding: amount, fromSpot: 0n, fromFutures: 0n });
  }

  withdraw({ account, withdrawalId, asset, amount, to }: Extract<Command, { type: 'WithdrawInternally' }>): void {
    const recipient = Number(BigInt(to));
    if (this.made.has(withdrawalId)) return this.repeat(withdrawalId);
    if (this.is(account, 'blocked')) return this.refuse('AccountBlocked', 'account');
    if (this.is(recipient, 'blocked')) return this.refuse('AccountBlocked', 'to');
    if (this.hasOrphan(account)) return this.refuse('DepositInSuspense', 'account');
    if (!this.is(account, 'termsAccepted')) return this.refuse('TermsNotAccepted', 'account');
    if (this.isUnfunded(account, asset, amount)) return;
    this.made.set(withdrawalId, { id: withdrawalId, body: '' });
    this.add(account, asset, 0n - amount);
    this.add(recipient, asset, amount);
    this.emit({ type: 'WithdrawnInternally', account, recipient, withdrawalId, asset, amount, to });
  }

  /** Refused when what is free does not pay it, or when it would take what must stay. */
  isUnfunded(account: number, asset: number, amount: bigint): boolean {
    const held = this.holds
      .filter((one) => one.account === account && one.asset === asset && one.until > this.at)
      .reduce((sum, one) => sum + one.amount, 0n);
    const free = this.money(account, asset);
    if (held > 0n && free - amount < held) this.refuse('OtcCoinsHeld', 'amount');
    else if (free < amount) this.refuse('InsufficientBalance', 'amount');
    else return false;
    return true;
  }

  person(id: number): Person {
    let person = this.people.find((one) => one.id === id);
    if (person === undefined) this.people.push((person = { id, flags: new Set(), finished: 0, cancels: [], pausedUntil: 0 }));
    return person;
  }

  is(account: number, flag: string): boolean {
    return this.person(account).flags.has(flag);
  }

  hasOrphan(account: number): boolean {
    return [...this.orphans.values()].some((orphan) => orphan.account === account);
  }

  isPaused(account: number): boolean {
    return this.person(account).pausedUntil > this.at;
  }

  mayNotStep(account: number): boolean {
    const isBlocked = this.is(account, 'blocked');
    if (isBlocked) this.refuse('AccountBlocked', 'account');
    return isBlocked;
  }

  mayNotBegin(account: number): boolean {
    if (this.mayNotStep(account)) return true;
    if (!this.is(account, 'termsAccepted')) this.refuse('TermsNotAccepted', 'account');
    else if (!this.is(account, 'whitelisted')) this.refuse('NotWhitelisted', 'account');
    else return false;
    return true;
  }

  mayNotSell(account: number): boolean {
    const waits = this.hasOrphan(account);
    if (waits) this.refuse('DepositInSuspense', 'account');
    return waits;
  }

  add(account: number, asset: number, amount: bigint): void {
    this.funding.set(`${account} ${asset}`, this.money(account, asset) + amount);
  }

  repeat(key: string): void {
    this.emit({ type: 'CommandRepeated', key });
  }

  refuse(reason: RejectReason, field = ''): void {
    this.emit({ type: 'CommandRejected', reason, field });
  }

  /** Of plain numbers: what is compared has their brands. */
  emit(event: object): void {
    this.events.push(event as Event);
  }
}
