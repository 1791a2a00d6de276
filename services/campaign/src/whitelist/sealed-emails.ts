/** The e-mails of those who wait: sealed under a key that lies outside of the database, each bound to its address. */
import { type Kysely, sql } from 'kysely';
import type { CampaignTables } from '../tables/tables.ts';

/** Seals texts under a key in a file. */
export interface BoxPort {
  /** @param owner is bound to the sealed text: it opens for the same owner only. */
  seal(text: string, owner: string): Buffer;
  open(sealed: Buffer, owner: string): string;
}

export class SealedEmails {
  readonly #box: BoxPort;

  private constructor(box: BoxPort) {
    this.#box = box;
  }

  /** What earlier versions kept as it was written is sealed when this resolves. */
  static async open({ db, box }: { db: Kysely<CampaignTables>; box: BoxPort }): Promise<SealedEmails> {
    const emails = new SealedEmails(box);
    await emails.#sealOld(db);
    return emails;
  }

  seal(email: string, address: string): Buffer {
    return this.#box.seal(email, ownerOf(address));
  }

  open(sealed: Buffer, address: string): string {
    return this.#box.open(sealed, ownerOf(address));
  }

  /** Removes it also from the table's file. */
  async #sealOld(db: Kysely<CampaignTables>): Promise<void> {
    const rows = await db.selectFrom('campaign_whitelist').select(['id', 'address', 'email']).where('email', 'is not', null).execute();
    if (rows.length === 0) return;
    for (const { id, address, email } of rows)
      await db
        .updateTable('campaign_whitelist')
        .set((of) => ({ email: null, sealed_email: of.fn.coalesce('sealed_email', of.val(this.seal(email ?? '', address))) }))
        .where('id', '=', id)
        .execute();
    await sql`vacuum full campaign_whitelist`.execute(db);
  }
}

const ownerOf = (address: string): string => `whitelist ${address}`;
