/**
 * The one ledger, double entry: every command's postings sum to zero per asset, and no balance but EXTERNAL is below zero after a command, or within
 * one unless `settle` says so. Both are asserted after every command, in production too.
 */
import { accountId, addAtoms, assert, atoms, NO_ATOMS, subtractAtoms, type AccountId, type AssetId, type Atoms } from '@orrery/units';
import type { Event, InsuranceChanged, Wallet } from '@orrery/protocol';
import {
  assetAt,
  isSystemLine,
  lineOf,
  OVERDRAWN,
  reserveOfHeld,
  systemLine,
  walletAt,
  type Balance,
  type PersonalBalance,
  type Reserve,
  type SystemAccount,
} from './balance.ts';
import { BalanceIndex } from './balance-index.ts';
import { BalanceRows, NOBODY } from './balance-rows.ts';
import type { RunningHash } from './running-hash.ts';
import { TouchedBalances } from './touched-balances.ts';

export class Ledger {
  readonly #rows = new BalanceRows();
  readonly #personal = new BalanceIndex(this.#rows);
  /** By system account, then by asset. */
  readonly #system: Readonly<Record<SystemAccount, (Balance | undefined)[]>> = {
    FEE: [],
    INSURANCE: [],
    DUST: [],
    FAUCET_BUDGET: [],
    REWARD_BUDGET: [],
    SUSPENSE: [],
    EXTERNAL: [],
    CLEARING: [],
    UNCOVERED: [],
    OTC_ESCROW: [],
    FUND_QUEUE: [],
  };
  /** By asset. */
  readonly #fees: (Balance | undefined)[] = [];
  /** By asset: the sum of this command's postings. */
  readonly #net: Atoms[] = [];
  readonly #touched = new TouchedBalances(this.#rows);
  /** What the command that closed last made of the insurance fund. */
  readonly #insurance: InsuranceChanged[] = [];

  /** The balance of an account, made empty when it has none yet. */
  of(account: AccountId, wallet: Wallet, asset: AssetId): Balance {
    return this.#personal.find(account, lineOf(wallet, asset));
  }

  /** The balance that takes the fees of trades: the one of the exchange's own that is asked for most. */
  fees(asset: AssetId): Balance {
    return (this.#fees[asset] ??= this.system('FEE', asset));
  }

  system(account: SystemAccount, asset: AssetId): Balance {
    return (this.#system[account][asset] ??= this.#openSystem(account, asset));
  }

  free(balance: Balance): Atoms {
    return this.#rows.free(balance);
  }

  /** The sum of its reserves. */
  held(balance: Balance): Atoms {
    return this.#rows.held(balance);
  }

  reserved(balance: Balance, reserve: Reserve): Atoms {
    return this.#rows.reserved(balance, reserve);
  }

  /** Puts back what a snapshot knew: not a posting. */
  restore(balance: Balance, free: Atoms, held: Atoms): void {
    const rows = this.#rows;
    const wallet = rows.account(balance) === NOBODY ? undefined : walletAt(rows.line(balance));
    rows.setFree(balance, free);
    rows.setReserved(balance, reserveOfHeld(wallet), held);
  }

  /** Puts back how much of what is held is the margin of positions: `restore` takes all of it as that of orders. */
  restorePositionMargin(balance: Balance, amount: Atoms): void {
    const rows = this.#rows;
    rows.setReserved(balance, 'orderMargin', subtractAtoms(rows.reserved(balance, 'orderMargin'), amount));
    rows.setReserved(balance, 'positionMargin', addAtoms(rows.reserved(balance, 'positionMargin'), amount));
  }

  /**
   * Lets what is free of a balance be below zero until the command closes: a loss is posted before what covers it, such as the insurance fund.
   * At the close it must be covered.
   */
  settle(balance: Balance): void {
    if (!this.#rows.isTouched(balance)) this.#touch(balance);
    this.#rows.setSettling(balance, true);
  }

  /** Changes what is free by signed atoms. */
  postFree(balance: Balance, change: Atoms): void {
    const rows = this.#rows;
    if (!rows.isTouched(balance)) this.#touch(balance);
    if (rows.isPlain(balance)) {
      const free = addAtoms(rows.free(balance), change);
      assert(free >= NO_ATOMS, 'a free balance is never below zero');
      rows.setFree(balance, free);
    } else this.#postWide(balance, change);
    this.#addToNet(assetAt(rows.line(balance)), change);
  }

  /** Moves atoms of one balance from free to a reserve, or back when they are below zero: nothing is added to what the postings sum to. */
  postWithin(balance: Balance, reserve: Reserve, change: Atoms): void {
    const rows = this.#rows;
    if (!rows.isTouched(balance)) this.#touch(balance);
    const free = subtractAtoms(rows.free(balance), change);
    const reserved = addAtoms(rows.reserved(balance, reserve), change);
    assert(free >= NO_ATOMS && reserved >= NO_ATOMS, 'what is held was free, and what is released was held');
    rows.setFree(balance, free);
    rows.setReserved(balance, reserve, reserved);
  }

  /** Changes a reserve by signed atoms. */
  postReserved(balance: Balance, reserve: Reserve, change: Atoms): void {
    const rows = this.#rows;
    if (!rows.isTouched(balance)) this.#touch(balance);
    const reserved = addAtoms(rows.reserved(balance, reserve), change);
    assert(reserved >= NO_ATOMS, 'a reserve is never below zero');
    rows.setReserved(balance, reserve, reserved);
    this.#addToNet(assetAt(rows.line(balance)), change);
  }

  /**
   * Ends a command: asserts that its postings sum to zero, emits the personal balances that changed, by account, asset and wallet, and mixes every
   * touched balance into the running hash.
   */
  closeCommand(events: Event[], hash: RunningHash): void {
    const touched = this.#touched;
    const rows = this.#rows;
    touched.sort();
    for (let index = 0; index < touched.count; index += 1) {
      const { balance, freeBefore, heldBefore } = touched.at(index);
      const line = rows.line(balance);
      const asset = assetAt(line);
      assert((this.#net[asset] ?? NO_ATOMS) === NO_ATOMS, 'the postings of one command sum to zero');
      rows.setTouched(balance, false);
      if (rows.isSettling(balance)) this.#closeSettlement(balance);
      rows.mixInto(hash, balance);
      const account = rows.account(balance);
      const free = rows.free(balance);
      const held = rows.held(balance);
      if (account === NOBODY) {
        if (isSystemLine('INSURANCE', line) && free !== freeBefore)
          this.#insurance.push({ type: 'InsuranceChanged', asset, amount: free, change: subtractAtoms(free, freeBefore) });
        continue;
      }
      if (free === freeBefore && held === heldBefore) continue;
      events.push({ type: 'BalanceChanged', account: accountId(account), wallet: walletAt(line), asset, free, held });
    }
    touched.clear();
  }

  /** Emits what the command that closed last made of the insurance fund, by asset. */
  emitInsurance(events: Event[]): void {
    if (this.#insurance.length > 0) events.push(...this.#insurance.splice(0));
  }

  /** By asset: what all balances of it sum to where that is not zero, which is a bug (M1). It reads every balance. */
  imbalances(): ReadonlyMap<AssetId, Atoms> {
    const sums = new Map<AssetId, Atoms>();
    const rows = this.#rows;
    for (let balance = 0; balance < rows.count; balance += 1) {
      const asset = assetAt(rows.line(balance));
      sums.set(asset, addAtoms(sums.get(asset) ?? NO_ATOMS, addAtoms(rows.free(balance), rows.held(balance))));
    }
    for (const [asset, sum] of sums) if (sum === NO_ATOMS) sums.delete(asset);
    return sums;
  }

  /** Personal balances that are not empty, by account, asset and wallet. */
  *personal(): Generator<PersonalBalance> {
    const rows = this.#rows;
    for (const balance of this.#personal) {
      const line = rows.line(balance);
      const amounts = this.#amounts(balance);
      if (amounts !== undefined)
        yield { account: accountId(rows.account(balance)), wallet: walletAt(line), asset: assetAt(line), ...amounts };
    }
  }

  /** System balances that are not empty, by asset. */
  *systemOf(account: SystemAccount): Generator<Omit<PersonalBalance, 'account' | 'wallet'>> {
    for (const balance of this.#system[account]) {
      const amounts = balance === undefined ? undefined : this.#amounts(balance);
      if (balance !== undefined && amounts !== undefined) yield { asset: assetAt(this.#rows.line(balance)), ...amounts };
    }
  }

  /** Undefined when it is empty. */
  #amounts(balance: Balance): Pick<PersonalBalance, 'free' | 'held'> | undefined {
    const free = this.#rows.free(balance);
    const held = this.#rows.held(balance);
    return free === NO_ATOMS && held === NO_ATOMS ? undefined : { free, held };
  }

  #openSystem(account: SystemAccount, asset: AssetId): Balance {
    const balance = this.#rows.make(NOBODY, systemLine(account, asset));
    if (OVERDRAWN.includes(account)) this.#rows.allowOverdraft(balance);
    return balance;
  }

  #closeSettlement(balance: Balance): void {
    this.#rows.setSettling(balance, false);
    const isCovered = this.#rows.free(balance) >= NO_ATOMS || this.#rows.isOverdraft(balance);
    assert(isCovered, 'a loss is covered when the command closes');
  }

  #touch(balance: Balance): void {
    this.#rows.setTouched(balance, true);
    this.#touched.add(balance);
  }

  // Apart from `postFree`: an addition that has seen a number of more than 64 bits, as EXTERNAL's is, is compiled for numbers of any length.
  #postWide(balance: Balance, change: Atoms): void {
    const free = atoms(this.#rows.free(balance) + change);
    const mayBeBelow = this.#rows.isOverdraft(balance) || this.#rows.isSettling(balance);
    assert(free >= NO_ATOMS || mayBeBelow, 'a free balance is never below zero');
    this.#rows.setFree(balance, free);
  }

  #addToNet(asset: AssetId, change: Atoms): void {
    this.#net[asset] = addAtoms(this.#net[asset] ?? NO_ATOMS, change);
  }
}
