/** Who the operators are. The first comes by a code that the program tells once; everybody after is invited by an admin. */
import { ApiError, mayOperate, type Operator, type OperatorEntry, type OperatorRole } from '@orrery/api';
import type { AuditLog } from './audit-log.ts';
import type { NewPasskey, Newcomer } from './passkeys.ts';
import { hashSecret, newCode } from './secret.ts';
import type { OperatorsDb, OperatorsTx } from './tables.ts';

const INVITATION_MS = 24 * 3_600_000;

interface Invitation {
  readonly name: string;
  readonly role: OperatorRole;
}

export class Roster {
  readonly #db: OperatorsDb;
  readonly #audit: AuditLog;
  readonly #now: () => number;
  /** Of the code for the first operator, while there is none. */
  #firstCodeHash: string | undefined;

  constructor(parts: { db: OperatorsDb; audit: AuditLog; now: () => number }) {
    this.#db = parts.db;
    this.#audit = parts.audit;
    this.#now = parts.now;
  }

  /** @returns the code by which the first operator comes, undefined when there is one already. */
  async awaitFirst(configured: string | undefined): Promise<string | undefined> {
    if (!(await this.#isEmpty(this.#db))) return undefined;
    const code = configured ?? newCode();
    this.#firstCodeHash = hashSecret(code);
    return code;
  }

  /** Throws unless the code opens to this name. */
  async check(codeHash: string, name: string): Promise<void> {
    if (codeHash === this.#firstCodeHash && (await this.#isEmpty(this.#db))) return;
    const open = await this.#db
      .selectFrom('operators_code')
      .select('name')
      .where('code_hash', '=', codeHash)
      .where('name', '=', name)
      .where('opens', '=', true)
      .where('used_at', 'is', null)
      .where('expires_at', '>', this.#now())
      .executeTakeFirst();
    if (open === undefined) throw new ApiError('InvalidCode');
  }

  /** Uses up the code: its holder is an operator from now on. */
  async join({ operatorId, name, codeHash }: Newcomer, passkey: NewPasskey): Promise<OperatorRole> {
    const now = this.#now();
    const role = await this.#db.transaction().execute(async (tx) => {
      await this.#audit.append(tx, { operator: name, action: 'JOIN', detail: { operatorId, credentialId: passkey.credentialId } });
      const role = await this.#useCode(tx, { codeHash, name, now });
      await refuseTaken(tx, name);
      await tx.insertInto('operators_operator').values({ operator_id: operatorId, name, role, created_at: now, ended_at: null }).execute();
      const { credentialId, publicKey, counter } = passkey;
      await tx
        .insertInto('operators_passkey')
        .values({ credential_id: credentialId, operator_id: operatorId, public_key: publicKey, counter, created_at: now })
        .execute();
      return role;
    });
    this.#firstCodeHash = undefined;
    return role;
  }

  /** The passkey and its operator, where both are still taken. */
  async holderOf(credentialId: string): Promise<{ operatorId: string; name: string; role: OperatorRole; passkey: NewPasskey } | undefined> {
    const row = await this.#db
      .selectFrom('operators_passkey')
      .innerJoin('operators_operator', 'operators_operator.operator_id', 'operators_passkey.operator_id')
      .select(['operators_operator.operator_id', 'name', 'role', 'public_key', 'counter'])
      .where('credential_id', '=', credentialId)
      .where('ended_at', 'is', null)
      .executeTakeFirst();
    if (row === undefined) return undefined;
    const { operator_id: operatorId, name, role, public_key: publicKey, counter } = row;
    return { operatorId, name, role, passkey: { credentialId, publicKey, counter } };
  }

  async signedIn(name: string, { credentialId }: NewPasskey, counter: number): Promise<void> {
    await this.#db.transaction().execute(async (tx) => {
      await this.#audit.append(tx, { operator: name, action: 'SIGN_IN', detail: { credentialId } });
      await tx.updateTable('operators_passkey').set({ counter }).where('credential_id', '=', credentialId).execute();
    });
  }

  /** Oldest first. */
  async all(): Promise<OperatorEntry[]> {
    const rows = await this.#db.selectFrom('operators_operator').selectAll().orderBy('created_at').orderBy('name').execute();
    return rows.map((row) => ({
      operatorId: row.operator_id,
      name: row.name,
      role: row.role,
      createdAt: row.created_at,
      endedAt: row.ended_at,
    }));
  }

  async nameOf(operatorId: string): Promise<string> {
    const found = (await this.all()).find((entry) => entry.operatorId === operatorId && entry.endedAt === null);
    if (found === undefined) throw new ApiError('UnknownThing', { field: 'operatorId' });
    return found.name;
  }

  async roleOf(db: OperatorsDb, operatorId: string): Promise<OperatorRole> {
    const row = await db
      .selectFrom('operators_operator')
      .select('role')
      .where('operator_id', '=', operatorId)
      .where('ended_at', 'is', null)
      .executeTakeFirst();
    if (row === undefined) throw new ApiError('UnknownThing', { field: 'operatorId' });
    return row.role;
  }

  /** True while this one is here and does more than look. */
  async mayAct(db: OperatorsDb, operatorId: string): Promise<boolean> {
    const row = await db
      .selectFrom('operators_operator')
      .select('role')
      .where('operator_id', '=', operatorId)
      .where('ended_at', 'is', null)
      .executeTakeFirst();
    return row !== undefined && mayOperate(row.role, 'operator');
  }

  /** @returns the code and its hash. It opens at once for an operator who is alone, else when the invitation is approved. */
  async makeInvitation({ name, role }: Invitation): Promise<{ code: string; codeHash: string; expiresAt: number }> {
    await refuseTaken(this.#db, name);
    const code = newCode();
    const codeHash = hashSecret(code);
    const expiresAt = this.#now() + INVITATION_MS;
    await this.#db
      .insertInto('operators_code')
      .values({ code_hash: codeHash, name, role, opens: false, expires_at: expiresAt, used_at: null })
      .execute();
    return { code, codeHash, expiresAt };
  }

  /** @returns false when somebody else must approve first. */
  async openAlone(by: Operator, invitation: Invitation & { codeHash: string }): Promise<boolean> {
    return this.#db.transaction().execute(async (tx) => {
      const there = await tx.selectFrom('operators_operator').select('operator_id').where('ended_at', 'is', null).limit(2).execute();
      if (there.length > 1) return false;
      await this.#audit.append(tx, { operator: by.name, action: 'INVITE', detail: { ...invitation } });
      await this.openInvitation(tx, invitation);
      return true;
    });
  }

  /** @throws when the code was made for somebody else. */
  async openInvitation(tx: OperatorsTx, { name, role, codeHash }: Invitation & { codeHash: string }): Promise<void> {
    const opened = await tx
      .updateTable('operators_code')
      .set({ opens: true, expires_at: this.#now() + INVITATION_MS })
      .where('code_hash', '=', codeHash)
      .where('name', '=', name)
      .where('role', '=', role)
      .returning('name')
      .executeTakeFirst();
    if (opened === undefined) throw new ApiError('ProposalOutdated');
  }

  async setRole(tx: OperatorsTx, { operatorId, role }: { operatorId: string; role: OperatorRole }): Promise<void> {
    if (role !== 'admin') await refuseLastAdmin(tx, operatorId);
    await tx.updateTable('operators_operator').set({ role }).where('operator_id', '=', operatorId).execute();
  }

  async end(by: Operator, operatorId: string): Promise<void> {
    await this.#db.transaction().execute(async (tx) => {
      await this.#audit.append(tx, { operator: by.name, action: 'END_OPERATOR', detail: { operatorId } });
      await this.roleOf(tx, operatorId);
      await refuseLastAdmin(tx, operatorId);
      await tx.updateTable('operators_operator').set({ ended_at: this.#now() }).where('operator_id', '=', operatorId).execute();
      await tx.deleteFrom('operators_session').where('operator_id', '=', operatorId).execute();
    });
  }

  async #isEmpty(db: OperatorsDb): Promise<boolean> {
    return (await db.selectFrom('operators_operator').select('operator_id').limit(1).executeTakeFirst()) === undefined;
  }

  async #useCode(tx: OperatorsTx, { codeHash, name, now }: { codeHash: string; name: string; now: number }): Promise<OperatorRole> {
    if (codeHash === this.#firstCodeHash && (await this.#isEmpty(tx))) return 'admin';
    const used = await tx
      .updateTable('operators_code')
      .set({ used_at: now })
      .where('code_hash', '=', codeHash)
      .where('name', '=', name)
      .where('opens', '=', true)
      .where('used_at', 'is', null)
      .where('expires_at', '>', now)
      .returning('role')
      .executeTakeFirst();
    if (used === undefined) throw new ApiError('InvalidCode');
    return used.role;
  }
}

/** Names stand in the audit log: nobody gets that of another one, whether they are still here or not. */
async function refuseTaken(db: OperatorsDb, name: string): Promise<void> {
  const taken = await db.selectFrom('operators_operator').select('name').where('name', '=', name).executeTakeFirst();
  if (taken !== undefined) throw new ApiError('AlreadyThere', { field: 'name' });
}

/** The caller holds the end of the audit log, so that no two admins leave at the same moment. */
async function refuseLastAdmin(tx: OperatorsTx, leaving: string): Promise<void> {
  const other = await tx
    .selectFrom('operators_operator')
    .select('operator_id')
    .where('role', '=', 'admin')
    .where('ended_at', 'is', null)
    .where('operator_id', '!=', leaving)
    .executeTakeFirst();
  if (other === undefined) throw new ApiError('LastAdmin');
}
