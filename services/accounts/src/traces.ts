/**
 * Traces: what a sign-in leaves of where it came from, as keyed hashes of its network and of its device. The same mark is the same network
 * or device; without the key, which is not in the database, neither can be found out from it.
 */
import { createHmac } from 'node:crypto';
import { type AccountId, accountId } from '@orrery/units';
import type { Kysely } from 'kysely';
import type { AccountsTables } from './tables.ts';

/** A trace unused for this time expires; milliseconds. */
export const TRACE_KEPT_MS = 90 * 86_400_000;

export interface Trace {
  readonly account: AccountId;
  readonly kind: 'NETWORK' | 'DEVICE';
  readonly mark: string;
}

export class Traces {
  readonly #db: Kysely<AccountsTables>;
  readonly #key: Buffer;
  readonly #now: () => number;

  constructor(parts: { db: Kysely<AccountsTables>; key: Buffer; now: () => number }) {
    this.#db = parts.db;
    this.#key = parts.key;
    this.#now = parts.now;
  }

  /** Noted again it is the same trace, seen later. */
  async note(account: AccountId, { network, device }: { network: string | undefined; device: string | undefined }): Promise<void> {
    const seenAt = this.#now();
    const traces = [
      ...(network === undefined ? [] : [{ kind: 'NETWORK', mark: this.#mark(network) }]),
      ...(device === undefined ? [] : [{ kind: 'DEVICE', mark: this.#mark(device) }]),
    ];
    if (traces.length === 0) return;
    await this.#db
      .insertInto('accounts_trace')
      .values(traces.map((trace) => ({ account, ...trace, seen_at: seenAt })))
      .onConflict((conflict) =>
        conflict.columns(['account', 'kind', 'mark']).doUpdateSet((of) => ({ seen_at: of.ref('excluded.seen_at') })),
      )
      .execute();
  }

  /** True where the account has devices and this is none of them. */
  async isNewDevice(account: AccountId, device: string | undefined): Promise<boolean> {
    const rows = await this.#db
      .selectFrom('accounts_trace')
      .select('mark')
      .where('account', '=', account)
      .where('kind', '=', 'DEVICE')
      .execute();
    const mark = device === undefined ? undefined : this.#mark(device);
    return rows.length > 0 && !rows.some((row) => row.mark === mark);
  }

  /** True where the account has networks and this is none of them: what is known of a device that keeps no cookie. */
  async isNewNetwork(account: AccountId, network: string | undefined): Promise<boolean> {
    const rows = await this.#db
      .selectFrom('accounts_trace')
      .select('mark')
      .where('account', '=', account)
      .where('kind', '=', 'NETWORK')
      .execute();
    const mark = network === undefined ? undefined : this.#mark(network);
    return rows.length > 0 && !rows.some((row) => row.mark === mark);
  }

  /** The keyed hash of a network, for counting what comes from it. */
  markOf(network: string): string {
    return this.#mark(network);
  }

  /** By account. */
  async all(): Promise<readonly Trace[]> {
    const rows = await this.#db
      .selectFrom('accounts_trace')
      .select(['account', 'kind', 'mark'])
      .where('seen_at', '>', this.#now() - TRACE_KEPT_MS)
      .orderBy('account')
      .orderBy('kind')
      .orderBy('mark')
      .execute();
    return rows.map(({ account, kind, mark }) => ({ account: accountId(account), kind: kind === 'DEVICE' ? 'DEVICE' : 'NETWORK', mark }));
  }

  async forget(): Promise<void> {
    await this.#db
      .deleteFrom('accounts_trace')
      .where('seen_at', '<=', this.#now() - TRACE_KEPT_MS)
      .execute();
  }

  #mark(text: string): string {
    return createHmac('sha256', this.#key).update(text).digest('base64url');
  }
}
