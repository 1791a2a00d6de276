/** Identities as operators work with them: the queue, one of them in full, the decision. */
import { ApiError, type FileType } from '@orrery/api';
import { type AccountId, accountId } from '@orrery/units';
import type { Kysely } from 'kysely';
import type { Files } from '../files/files.ts';
import type { AccountsTables } from '../tables.ts';
import type { Identities, Said } from './identities.ts';
import { maskedName, maskedNumber } from './real-name.ts';

interface Waiting extends Said {
  readonly account: number;
  readonly files: number;
  readonly handedInTime: number;
}

interface InFull extends Said {
  readonly account: number;
  readonly handedInTime: number;
  readonly files: { readonly type: FileType; readonly url: string }[];
}

export interface Decided {
  readonly account: number;
  readonly handedInTime: number;
  readonly decision: 'APPROVED' | 'SENT_BACK';
  /** For the person; null where it is approved. */
  readonly reason: string | null;
}

export class IdentityReview {
  readonly #db: Kysely<AccountsTables>;
  readonly #files: Files;
  readonly #identities: Identities;
  readonly #now: () => number;

  constructor(parts: { db: Kysely<AccountsTables>; files: Files; identities: Identities; now: () => number }) {
    this.#db = parts.db;
    this.#files = parts.files;
    this.#identities = parts.identities;
    this.#now = parts.now;
  }

  /** Masked, those that wait longest first. One whose key is erased says nothing to anybody, and is left out. */
  async waiting({ page, size }: { page: number; size: number }): Promise<{ list: Waiting[]; total: number }> {
    const wanted = this.#db.selectFrom('accounts_identity').where('state', '=', 'HANDED_IN');
    const rows = await wanted
      .select(['account', 'sealed', 'file_ids', 'handed_in_at'])
      .orderBy('handed_in_at')
      .orderBy('account')
      .limit(size)
      .offset((page - 1) * size)
      .execute();
    const { total } = await wanted.select((of) => of.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
    const list: Waiting[] = [];
    for (const { account, sealed, file_ids, handed_in_at: handedInTime } of rows) {
      const said = await this.#identities.open(accountId(account), sealed);
      if (said === undefined) continue;
      const masked = { realName: maskedName(said.realName), documentNumber: maskedNumber(said.documentNumber) };
      list.push({ ...said, ...masked, account, files: file_ids.length, handedInTime });
    }
    return { list, total };
  }

  /** Undefined where there is none, or its key is erased. The links to its files are good for 60 seconds, and name who looks. */
  async inFull({ account, reviewer }: { account: number; reviewer: string }): Promise<InFull | undefined> {
    const owner = accountId(account);
    const row = await this.#db.selectFrom('accounts_identity').selectAll().where('account', '=', account).executeTakeFirst();
    const said = row === undefined ? undefined : await this.#identities.open(owner, row.sealed);
    if (row === undefined || said === undefined) return undefined;
    return { ...said, account, handedInTime: row.handed_in_at, files: await this.#linksOf(owner, row.file_ids, reviewer) };
  }

  /** True while it waits for a decision. */
  async isWaiting({ account, handedInTime }: Pick<Decided, 'account' | 'handedInTime'>): Promise<boolean> {
    const row = await this.#find(account);
    return row?.handed_in_at === handedInTime && row.state === 'HANDED_IN';
  }

  /** Decided the same way again nothing happens. @throws ApiError UnknownThing when it was decided otherwise, or handed in again. */
  async decide({ account, handedInTime, decision, reason }: Decided): Promise<void> {
    const { numUpdatedRows } = await this.#db
      .updateTable('accounts_identity')
      .set({ state: decision, back_reason: reason, decided_at: this.#now() })
      .where('account', '=', account)
      .where('handed_in_at', '=', handedInTime)
      .where('state', '=', 'HANDED_IN')
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) {
      const row = await this.#find(account);
      if (row?.handed_in_at !== handedInTime || row.state !== decision || row.back_reason !== reason)
        throw new ApiError('UnknownThing', { field: 'handedInTime', message: 'this identity is decided, or was handed in again' });
    }
    await this.#identities.readAgain(accountId(account));
  }

  #find(account: number) {
    return this.#db
      .selectFrom('accounts_identity')
      .select(['state', 'back_reason', 'handed_in_at'])
      .where('account', '=', account)
      .executeTakeFirst();
  }

  /** Files of an identity that was sent back may be deleted. */
  async #linksOf(owner: AccountId, fileIds: readonly string[], reviewer: string): Promise<InFull['files']> {
    const kept = (await this.#files.list(owner)).filter(({ fileId }) => fileIds.includes(fileId));
    return Promise.all(kept.map(async ({ fileId, type }) => ({ type, url: (await this.#files.link(owner, fileId, reviewer)).url })));
  }
}
