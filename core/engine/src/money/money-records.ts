/** What the exchange remembers of money commands, so that each is applied once, however late it is repeated. */
import {
  accountId,
  assert,
  assetId,
  atoms,
  parseAddress,
  type AccountId,
  type Address,
  type AssetId,
  type Atoms,
  type Millis,
} from '@orrery/units';
import { KeyTable } from '../keyed/key-table.ts';
import type { HashKey } from '../keyed/keyed-hash.ts';
import { BUDGETS, type AwardFromBudget, type CreditDeposit, type WithdrawalCaps } from '@orrery/protocol';
import { Outflows } from './outflows.ts';
import { QuotaUses } from './quota-uses.ts';

export type WithdrawalState = 'held' | 'sent' | 'posted' | 'refunded';

export interface Withdrawal {
  readonly account: AccountId;
  readonly asset: AssetId;
  readonly amount: Atoms;
  readonly to: Address;
  /** Undefined under rules 1 and 2, which do not count it toward the caps. */
  readonly heldAt: Millis | undefined;
  state: WithdrawalState;
  /** Of the payout; empty until it is sent. */
  txHash: string;
}

export type ClaimState = 'reserved' | 'paid' | 'failed';

export interface Claim {
  readonly account: AccountId;
  readonly asset: AssetId;
  readonly reservedAt: Millis;
  state: ClaimState;
}

/**
 * Commands that leave nothing but their money: what they asked, by their key. An orphan is a deposit whose block is gone, by the deposit's key,
 * with what lies in SUSPENSE of it; one that was written off has what the exchange paid for it. Both are forgotten when the deposit is back.
 */
export const KEYED = [
  'deposit',
  'transfer',
  'budget',
  'award',
  'reversal',
  'orphan',
  'margin',
  'closeAll',
  'twap',
  'internal',
  'writtenOff',
  'protection',
  'subscription',
  'redemption',
  'advertisement',
  'otcOrder',
  'merchantDeposit',
  'merchantReturn',
  'merchantPayment',
] as const;
export type Keyed = (typeof KEYED)[number];
type Forgotten = 'orphan' | 'writtenOff';

/** What was asked by key, in no order. */
export interface Bodies extends Iterable<[key: string, body: string]> {
  get(key: string): string | undefined;
}

export class MoneyRecords {
  readonly #bodies: Readonly<Record<Exclude<Keyed, Forgotten>, KeyTable>>;
  readonly #forgotten: Readonly<Record<Forgotten, Map<string, string>>> = { orphan: new Map(), writtenOff: new Map() };
  /** Keys of awards; follows from the reversals. */
  readonly #reversed = new Set<string>();
  readonly withdrawals = new Map<string, Withdrawal>();
  readonly claims = new Map<string, Claim>();
  /** Of an asset without an entry any amount can be withdrawn. */
  readonly caps = new Map<AssetId, WithdrawalCaps>();
  readonly outflows = new Outflows();
  /** Since rules 10. */
  readonly quotaUses = new QuotaUses();
  /** When the day began for which an account was last given of the practice asset: one entry an account. */
  readonly practiceGrants = new Map<AccountId, Millis>();

  /** @param key of the hash of keys: a client chooses those of its transfers */
  constructor(key?: HashKey) {
    this.#bodies = {
      deposit: new KeyTable(key),
      transfer: new KeyTable(key),
      budget: new KeyTable(key),
      award: new KeyTable(key),
      reversal: new KeyTable(key),
      margin: new KeyTable(key),
      closeAll: new KeyTable(key),
      twap: new KeyTable(key),
      internal: new KeyTable(key),
      protection: new KeyTable(key),
      subscription: new KeyTable(key),
      redemption: new KeyTable(key),
      advertisement: new KeyTable(key),
      otcOrder: new KeyTable(key),
      merchantDeposit: new KeyTable(key),
      merchantReturn: new KeyTable(key),
      merchantPayment: new KeyTable(key),
    };
  }

  bodies(kind: Keyed): Bodies {
    return isForgotten(kind) ? this.#forgotten[kind] : this.#bodies[kind];
  }

  remember(kind: Keyed, key: string, body: string): void {
    if (isForgotten(kind)) this.#forgotten[kind].set(key, body);
    else this.#bodies[kind].add(key, body);
    if (kind === 'reversal') this.#reversed.add(body);
  }

  isReversed(awardKey: string): boolean {
    return this.#reversed.has(awardKey);
  }

  award(key: string): Award | undefined {
    const body = this.#bodies.award.get(key);
    return body === undefined ? undefined : awardOf(body);
  }

  deposit(key: string): Deposit | undefined {
    const body = this.#bodies.deposit.get(key);
    return body === undefined ? undefined : depositOf(body);
  }

  orphan(key: string): Orphan | undefined {
    return this.#orphanIn('orphan', key);
  }

  writtenOff(key: string): Orphan | undefined {
    return this.#orphanIn('writtenOff', key);
  }

  forget(kind: Forgotten, key: string): void {
    this.#forgotten[kind].delete(key);
  }

  /** Seldom true, and of few: all of them are looked at. */
  hasOrphan(account: AccountId): boolean {
    for (const body of this.#forgotten.orphan.values()) if (orphanOf(body).account === account) return true;
    return false;
  }

  #orphanIn(kind: Forgotten, key: string): Orphan | undefined {
    const body = this.#forgotten[kind].get(key);
    return body === undefined ? undefined : orphanOf(body);
  }
}

const isForgotten = (kind: Keyed): kind is Forgotten => kind === 'orphan' || kind === 'writtenOff';

export type Deposit = Pick<CreditDeposit, 'address' | 'asset' | 'amount'>;

/** What `depositOf` reads. */
export const bodyOfDeposit = ({ address, asset, amount }: Deposit): string => bodyOf(address, asset, amount);

function depositOf(body: string): Deposit {
  const [written = '', asset, amount] = body.split(' ');
  const address = parseAddress(written);
  assert(address !== undefined && amount !== undefined, `the body of a deposit is none: ${body}`);
  return { address, asset: assetId(Number(asset)), amount: atoms(BigInt(amount)) };
}

/** `amount` is what lies in SUSPENSE; of one that was written off what the exchange paid. */
export interface Orphan {
  readonly account: AccountId;
  readonly asset: AssetId;
  readonly amount: Atoms;
}

/** What `orphanOf` reads. */
export const bodyOfOrphan = ({ account, asset, amount }: Orphan): string => bodyOf(account, asset, amount);

function orphanOf(body: string): Orphan {
  const [account, asset, amount] = body.split(' ');
  assert(amount !== undefined, `the body of an orphan is none: ${body}`);
  return { account: accountId(Number(account)), asset: assetId(Number(asset)), amount: atoms(BigInt(amount)) };
}

export type Award = Pick<AwardFromBudget, 'budget' | 'account' | 'asset' | 'amount'>;

/** What `awardOf` reads. */
export const bodyOfAward = ({ budget, account, asset, amount }: Award): string => bodyOf(budget, account, asset, amount);

function awardOf(body: string): Award {
  const [name, account, asset, amount] = body.split(' ');
  const budget = BUDGETS.find((one) => one === name);
  assert(budget !== undefined && amount !== undefined, `the body of an award is none: ${body}`);
  return { budget, account: accountId(Number(account)), asset: assetId(Number(asset)), amount: atoms(BigInt(amount)) };
}

export type Memory = 'new' | 'same' | 'other';

/** Whether a key was used before, and for the same body. */
export function memoryOf(bodies: Bodies, key: string, body: string): Memory {
  const before = bodies.get(key);
  if (before === undefined) return 'new';
  return before === body ? 'same' : 'other';
}

/** One text for what a command asks, to be compared when its key comes again. */
export function bodyOf(...parts: readonly (string | number | bigint)[]): string {
  return parts.join(' ');
}
