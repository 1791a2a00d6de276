/**
 * The one ledger, double entry: every command's postings sum to zero per asset, and no balance but EXTERNAL is ever below zero.
 * Both are asserted after every command, in production too.
 */
import { addAtoms, assert, atoms, NO_ATOMS, subtractAtoms, type AccountId, type AssetId, type Atoms } from '@orrery/units';
import { WALLETS, type Event, type Wallet } from '@orrery/protocol';
import { emptyBalance, type Balance, type SystemAccount } from './balance.ts';
import { TouchedBalances } from './touched-balances.ts';

/** Orders use the spot wallet alone, which is asked for first. */
const walletIndex = (wallet: Wallet): number => (wallet === 'spot' ? 1 : wallet === 'funding' ? 0 : 2);
/** More than the places of one account: asset ids end at 255. */
const PLACES = 1_024;

export class Ledger {
  /** By account id, then by asset and wallet. */
  readonly #personal: (Balance | undefined)[][] = [];
  /** By system account, then by asset. */
  readonly #system: Readonly<Record<SystemAccount, (Balance | undefined)[]>> = {
    FEE: [],
    INSURANCE: [],
    DUST: [],
    FAUCET_BUDGET: [],
    REWARD_BUDGET: [],
    SUSPENSE: [],
    EXTERNAL: [],
  };
  /** By asset. */
  readonly #fees: (Balance | undefined)[] = [];
  /** By asset: the sum of this command's postings. */
  readonly #net: Atoms[] = [];
  readonly #touched = new TouchedBalances();

  /** The balance of an account, made empty when it has none yet. */
  of(account: AccountId, wallet: Wallet, asset: AssetId): Balance {
    const balances = (this.#personal[account] ??= []);
    const place = asset * WALLETS.length + walletIndex(wallet);
    return (balances[place] ??= emptyBalance({ account, wallet, asset, rank: rankOf(account, place), overdraft: 'refused' }));
  }

  /** The balance that takes the fees of trades: the one of the exchange's own that is asked for most. */
  fees(asset: AssetId): Balance {
    return (this.#fees[asset] ??= this.system('FEE', asset));
  }

  system(account: SystemAccount, asset: AssetId): Balance {
    return (this.#system[account][asset] ??= emptyBalance({
      account: undefined,
      wallet: undefined,
      asset,
      rank: 0,
      overdraft: account === 'EXTERNAL' ? 'allowed' : 'refused',
    }));
  }

  /** Puts back what a snapshot knew: not a posting. */
  restore(balance: Balance, free: Atoms, held: Atoms): void {
    balance.free = free;
    balance.held = held;
  }

  /** Changes what is free by signed atoms. */
  postFree(balance: Balance, change: Atoms): void {
    if (!balance.touched) this.#touch(balance);
    if (balance.overdraft === 'allowed') {
      // Not by `addAtoms`: what has seen one number of more than 64 bits, as EXTERNAL's is, is compiled for numbers of any length.
      balance.free = atoms(balance.free + change);
    } else {
      balance.free = addAtoms(balance.free, change);
      assert(balance.free >= NO_ATOMS, 'a free balance is never below zero');
    }
    this.#net[balance.asset] = addAtoms(this.#net[balance.asset] ?? NO_ATOMS, change);
  }

  /** Moves atoms of one balance from free to held, or back when they are below zero: nothing is added to what the postings sum to. */
  postWithin(balance: Balance, change: Atoms): void {
    if (!balance.touched) this.#touch(balance);
    balance.free = subtractAtoms(balance.free, change);
    balance.held = addAtoms(balance.held, change);
    assert(balance.free >= NO_ATOMS && balance.held >= NO_ATOMS, 'what is held was free, and what is released was held');
  }

  /** Changes what is held by signed atoms. */
  postHeld(balance: Balance, change: Atoms): void {
    if (!balance.touched) this.#touch(balance);
    balance.held = addAtoms(balance.held, change);
    assert(balance.held >= NO_ATOMS, 'a held balance is never below zero');
    this.#net[balance.asset] = addAtoms(this.#net[balance.asset] ?? NO_ATOMS, change);
  }

  /** Ends a command: asserts that its postings sum to zero and tells the personal balances that changed, by account, asset and wallet. */
  closeCommand(events: Event[]): void {
    const touched = this.#touched;
    touched.sortByRank();
    for (let index = 0; index < touched.count; index += 1) {
      const { balance, freeBefore, heldBefore } = touched.at(index);
      assert((this.#net[balance.asset] ?? NO_ATOMS) === NO_ATOMS, 'the postings of one command sum to zero');
      balance.touched = false;
      const { account, wallet, asset, free, held } = balance;
      if (account === undefined || wallet === undefined || (free === freeBefore && held === heldBefore)) continue;
      events.push({ type: 'BalanceChanged', account, wallet, asset, free, held });
    }
    touched.clear();
  }

  /** Personal balances that are not empty, by account, asset and wallet. */
  *personal(): Generator<Balance> {
    for (const balances of this.#personal) {
      if (balances === undefined) continue;
      for (const balance of balances) if (balance !== undefined && !isEmpty(balance)) yield balance;
    }
  }

  /** System balances that are not empty, by account and asset. */
  *systemOf(account: SystemAccount): Generator<Balance> {
    for (const balance of this.#system[account]) {
      if (balance !== undefined && !isEmpty(balance)) yield balance;
    }
  }

  #touch(balance: Balance): void {
    balance.touched = true;
    this.#touched.add(balance);
  }
}

function rankOf(account: AccountId, place: number): number {
  assert(place < PLACES, 'an account has a place for each of its balances');
  return account * PLACES + place;
}

const isEmpty = (balance: Balance): boolean => balance.free === NO_ATOMS && balance.held === NO_ATOMS;
