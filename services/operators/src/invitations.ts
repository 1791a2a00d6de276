/**
 * One-time codes: the installation's for the first operator, and those by which operators invite. Who is alone invites a second one without anybody's
 * approval, because there is no approver; later a single operator may not invite alone, or one person could add an accomplice.
 */
import { ApiError, type OperatorRole } from '@orrery/api';
import { hashSecret, newCode } from './secret.ts';
import type { OperatorsDb, OperatorsTx } from './tables.ts';

const INVITATION_MS = 24 * 3_600_000;

export interface Invitation {
  readonly name: string;
  readonly role: OperatorRole;
}

export class Invitations {
  readonly #db: OperatorsDb;
  readonly #now: () => number;
  /** Of the installation's code, while it opens. */
  #ownCodeHash: string | undefined;

  constructor(parts: { db: OperatorsDb; now: () => number }) {
    this.#db = parts.db;
    this.#now = parts.now;
  }

  /**
   * The installation's code lets in the first operator; and, when it is another one than before, an admin beside the only operator who is left.
   * @returns it while there is no operator yet.
   */
  async awaitOwn(configured: string | undefined): Promise<string | undefined> {
    const { ever, here } = await count(this.#db);
    if (ever > 0 && (configured === undefined || here > 1 || (await this.#isUsed(configured)))) return undefined;
    const code = configured ?? newCode();
    this.#ownCodeHash = hashSecret(code);
    return ever === 0 ? code : undefined;
  }

  /** True when there never was another operator than one. */
  async isAlone(db: OperatorsDb): Promise<boolean> {
    return (await count(db)).ever === 1;
  }

  /** @throws InvalidCode unless the code opens to this name. */
  async check(codeHash: string, name: string): Promise<void> {
    if (await this.#opensByItself(this.#db, codeHash)) return;
    const open = await this.#db
      .selectFrom('operators_code')
      .select('alone')
      .where('code_hash', '=', codeHash)
      .where('name', '=', name)
      .where('opens', '=', true)
      .where('used_at', 'is', null)
      .where('expires_at', '>', this.#now())
      .executeTakeFirst();
    if (open === undefined || (open.alone && !(await this.isAlone(this.#db)))) throw new ApiError('InvalidCode');
  }

  /** @returns a code that opens nothing yet. */
  async make({ name, role }: Invitation): Promise<{ code: string; codeHash: string }> {
    const code = newCode();
    const codeHash = hashSecret(code);
    await this.#db
      .insertInto('operators_code')
      .values({ code_hash: codeHash, name, role, opens: false, expires_at: this.#now() + INVITATION_MS, used_at: null })
      .execute();
    return { code, codeHash };
  }

  /** From now on, for a day. @throws when the code was issued for another operator. */
  async open(tx: OperatorsTx, { name, role, codeHash, alone }: Invitation & { codeHash: string; alone: boolean }): Promise<void> {
    const opened = await tx
      .updateTable('operators_code')
      .set({ opens: true, alone, expires_at: this.#now() + INVITATION_MS })
      .where('code_hash', '=', codeHash)
      .where('name', '=', name)
      .where('role', '=', role)
      .returning('name')
      .executeTakeFirst();
    if (opened === undefined) throw new ApiError('ProposalOutdated');
  }

  /** The caller holds the end of the audit log: no two come in at the same moment. @throws InvalidCode */
  async use(tx: OperatorsTx, { codeHash, name }: { codeHash: string; name: string }): Promise<OperatorRole> {
    const now = this.#now();
    if (await this.#opensByItself(tx, codeHash)) {
      const used = { code_hash: codeHash, name, role: 'admin' as const, opens: true, expires_at: now, used_at: now };
      await tx.insertInto('operators_code').values(used).execute();
      return 'admin';
    }
    const used = await tx
      .updateTable('operators_code')
      .set({ used_at: now })
      .where('code_hash', '=', codeHash)
      .where('name', '=', name)
      .where('opens', '=', true)
      .where('used_at', 'is', null)
      .where('expires_at', '>', now)
      .returning(['role', 'alone'])
      .executeTakeFirst();
    if (used === undefined || (used.alone && !(await this.isAlone(tx)))) throw new ApiError('InvalidCode');
    return used.role;
  }

  /** The installation's code, used or not. */
  async #opensByItself(db: OperatorsDb, codeHash: string): Promise<boolean> {
    if (codeHash !== this.#ownCodeHash) return false;
    const used = await db.selectFrom('operators_code').select('name').where('code_hash', '=', codeHash).executeTakeFirst();
    const { ever, here } = await count(db);
    return used === undefined && (ever === 0 || here < 2);
  }

  async #isUsed(code: string): Promise<boolean> {
    const codeHash = hashSecret(code);
    return (await this.#db.selectFrom('operators_code').select('name').where('code_hash', '=', codeHash).executeTakeFirst()) !== undefined;
  }
}

/** Operators that there ever were, and those who are here. */
async function count(db: OperatorsDb): Promise<{ ever: number; here: number }> {
  const all = await db.selectFrom('operators_operator').select('ended_at').execute();
  return { ever: all.length, here: all.filter((one) => one.ended_at === null).length };
}
