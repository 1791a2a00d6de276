/** What the exchange remembers of money commands, so that each is applied once, for ever. */
import type { AccountId, Address, AssetId, Atoms, Millis } from '@orrery/units';

export type WithdrawalState = 'held' | 'sent' | 'posted' | 'refunded';

export interface Withdrawal {
  readonly account: AccountId;
  readonly asset: AssetId;
  readonly amount: Atoms;
  readonly to: Address;
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

/** Commands that leave nothing but their money: what they asked, by their key. */
export const KEYED = ['deposit', 'transfer', 'budget', 'award'] as const;
export type Keyed = (typeof KEYED)[number];

export class MoneyRecords {
  readonly #bodies: Readonly<Record<Keyed, Map<string, string>>> = {
    deposit: new Map(),
    transfer: new Map(),
    budget: new Map(),
    award: new Map(),
  };
  readonly withdrawals = new Map<string, Withdrawal>();
  readonly claims = new Map<string, Claim>();

  bodies(kind: Keyed): Map<string, string> {
    return this.#bodies[kind];
  }
}

export type Memory = 'new' | 'same' | 'other';

/** Whether a key was used before, and for the same body. */
export function memoryOf(bodies: ReadonlyMap<string, string>, key: string, body: string): Memory {
  const before = bodies.get(key);
  if (before === undefined) return 'new';
  return before === body ? 'same' : 'other';
}

/** One text for what a command asks, to be compared when its key comes again. */
export function bodyOf(...parts: readonly (string | number | bigint)[]): string {
  return parts.join(' ');
}
