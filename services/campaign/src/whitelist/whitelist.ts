/** Who is let in: everybody at once where the whitelist is open, else a number each week in the order in which they joined. */
import { ApiError } from '@orrery/api';
import { type AccountDirectory, countUpTo } from '@orrery/foundation';
import { type Address, assert, parseAddress } from '@orrery/units';
import type { Kysely, Selectable } from 'kysely';
import type { CampaignTables } from '../tables/tables.ts';
import type { SealedEmails } from './sealed-emails.ts';
import { lastMondayNoon, mondayNoonsBetween } from './monday-noon.ts';

export type WhitelistPolicy = { readonly mode: 'open' } | { readonly mode: 'weekly'; readonly admittedEachWeek: number };

export interface WaitingPerson {
  readonly id: number;
  readonly address: string;
  readonly email: string | null;
  readonly joinedAt: number;
}

type WaitingRow = Pick<Selectable<CampaignTables['campaign_whitelist']>, 'id' | 'address' | 'sealed_email' | 'joined_at'>;

export interface WhitelistOperations {
  /** In the order in which they are let in. Pages are counted from 1. */
  waiting(slice: { page: number; size: number }): Promise<{ list: WaitingPerson[]; total: number }>;
  /** An account that waits, or did. */
  person(id: number): Promise<WaitingPerson | undefined>;
  /** Lets those in who wait under these numbers. */
  admitWaiting(ids: readonly number[]): Promise<void>;
  /** Admits these now, whether they wait or not. Admitted accounts stay admitted. */
  admit(addresses: readonly Address[]): Promise<void>;
}

export class Whitelist {
  readonly operations: WhitelistOperations = {
    waiting: (slice) => this.#waiting(slice),
    person: (id) => this.#person(id),
    admitWaiting: (ids) => this.#admitWaiting(ids),
    admit: (addresses) => this.#admitNow(addresses),
  };
  readonly #db: Kysely<CampaignTables>;
  readonly #reads: Kysely<CampaignTables>;
  readonly #members: AccountDirectory;
  readonly #emails: SealedEmails;
  readonly #policy: WhitelistPolicy;
  readonly #now: () => number;

  constructor(parts: {
    db: Kysely<CampaignTables>;
    /** For lists that are paged through. */
    reads: Kysely<CampaignTables>;
    members: AccountDirectory;
    emails: SealedEmails;
    policy: WhitelistPolicy;
    now: () => number;
  }) {
    this.#db = parts.db;
    this.#reads = parts.reads;
    this.#members = parts.members;
    this.#emails = parts.emails;
    this.#policy = parts.policy;
    this.#now = parts.now;
  }

  /**
   * Anybody may ask. Only its owner puts an address in the queue by asking, and says by which e-mail they are reached; asking again changes
   * nothing but a missing e-mail.
   * @param question.owned the address of the caller's session
   * @throws ApiError when the e-mail is for an address that is not the caller's
   */
  async check({ address, email, owned }: { address: Address; email: string | undefined; owned: Address | undefined }): Promise<boolean> {
    const account = this.#members.find(address);
    if (account?.flags.blocked === true) throw new ApiError('AddressBlocked');
    if (account?.flags.whitelisted === true) return true;
    if (this.#policy.mode === 'open') {
      // An address without an account gets the flag when the account is opened: a query alone opens none.
      if (account !== undefined) await this.#members.setFlag(account.account, 'whitelisted');
      return true;
    }
    if (owned === address) await this.#join({ address, email });
    else if (email !== undefined) throw new ApiError(owned === undefined ? 'NotSignedIn' : 'NotYours', { field: 'address' });
    return false;
  }

  /** Marks everybody who has an account already and those who get one: only where the whitelist is open. */
  async admit(address: Address): Promise<void> {
    const account = this.#members.find(address);
    if (this.#policy.mode === 'open' && account?.flags.blocked === false) await this.#members.setFlag(account.account, 'whitelisted');
  }

  /**
   * Lets in what is due: each Monday counts once, although the program was down or is asked twice. The choice and the
   * cursor are written together; the engine is updated afterwards, retried until it succeeds.
   */
  async expand(): Promise<void> {
    if (this.#policy.mode === 'open') return;
    const { admittedEachWeek } = this.#policy;
    await this.#db.transaction().execute(async (tx) => {
      const now = this.#now();
      // The first start begins with the coming Monday.
      await tx
        .insertInto('campaign_expansion')
        .values({ id: 1, last_at: lastMondayNoon(now) })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      const cursor = await tx.selectFrom('campaign_expansion').select('last_at').forUpdate().executeTakeFirstOrThrow();
      const due = mondayNoonsBetween(cursor.last_at, now);
      const last = due.at(-1);
      if (last === undefined) return;
      for (const monday of due) {
        const next = tx
          .selectFrom('campaign_whitelist')
          .select('id')
          .where('admitted_at', 'is', null)
          .where('joined_at', '<', monday)
          .orderBy('id')
          .limit(admittedEachWeek);
        await tx.updateTable('campaign_whitelist').set({ admitted_at: monday }).where('id', 'in', next).execute();
      }
      await tx.updateTable('campaign_expansion').set({ last_at: last }).execute();
    });
    await this.#notifyEngine();
  }

  /** The e-mail of an address; its place in the queue stays. */
  async erase(address: Address): Promise<void> {
    await this.#db.updateTable('campaign_whitelist').set({ email: null, sealed_email: null }).where('address', '=', address).execute();
  }

  async #waiting({ page, size }: { page: number; size: number }): Promise<{ list: WaitingPerson[]; total: number }> {
    const waiting = this.#reads.selectFrom('campaign_whitelist').where('admitted_at', 'is', null);
    const rows = await waiting
      .select(['id', 'address', 'sealed_email', 'joined_at'])
      .orderBy('id')
      .limit(size)
      .offset((page - 1) * size)
      .execute();
    const total = await countUpTo(this.#reads, waiting.select('id'));
    return { list: rows.map((row) => this.#shown(row)), total };
  }

  async #person(id: number): Promise<WaitingPerson | undefined> {
    const row = await this.#db
      .selectFrom('campaign_whitelist')
      .select(['id', 'address', 'sealed_email', 'joined_at'])
      .where('id', '=', id)
      .executeTakeFirst();
    return row && this.#shown(row);
  }

  #shown({ id, address, sealed_email: sealed, joined_at: joinedAt }: WaitingRow): WaitingPerson {
    return { id, address, email: sealed === null ? null : this.#emails.open(sealed, address), joinedAt };
  }

  async #admitWaiting(ids: readonly number[]): Promise<void> {
    await this.#db
      .updateTable('campaign_whitelist')
      .set({ admitted_at: this.#now() })
      .where('id', 'in', ids)
      .where('admitted_at', 'is', null)
      .execute();
    await this.#notifyEngine();
  }

  async #admitNow(addresses: readonly Address[]): Promise<void> {
    const now = this.#now();
    for (const address of addresses) {
      await this.#db
        .insertInto('campaign_whitelist')
        .values({ address, email: null, sealed_email: null, joined_at: now, admitted_at: now, told_at: null })
        .onConflict((conflict) =>
          conflict.column('address').doUpdateSet((of) => ({
            admitted_at: of.fn.coalesce('campaign_whitelist.admitted_at', 'excluded.admitted_at'),
          })),
        )
        .execute();
    }
    await this.#notifyEngine();
  }

  async #join({ address, email }: { address: Address; email: string | undefined }): Promise<void> {
    await this.#db
      .insertInto('campaign_whitelist')
      .values({
        address,
        email: null,
        sealed_email: email === undefined ? null : this.#emails.seal(email, address),
        joined_at: this.#now(),
        admitted_at: null,
        told_at: null,
      })
      .onConflict((conflict) =>
        conflict.column('address').doUpdateSet((of) => ({
          sealed_email: of.fn.coalesce('campaign_whitelist.sealed_email', 'excluded.sealed_email'),
        })),
      )
      .execute();
  }

  async #notifyEngine(): Promise<void> {
    const unreported = await this.#db
      .selectFrom('campaign_whitelist')
      .select(['id', 'address'])
      .where('admitted_at', 'is not', null)
      .where('told_at', 'is', null)
      .orderBy('id')
      .execute();
    for (const row of unreported) {
      const address = parseAddress(row.address);
      assert(address !== undefined, `the whitelist holds something else than an address: ${row.address}`);
      const { account } = await this.#members.open(address);
      await this.#members.setFlag(account, 'whitelisted');
      await this.#db.updateTable('campaign_whitelist').set({ told_at: this.#now() }).where('id', '=', row.id).execute();
    }
  }
}
