/** Who the operators are. */
import { ApiError, mayOperate, type Operator, type OperatorEntry, type OperatorRight, type OperatorRole } from '@orrery/api';
import type { AuditLog } from './audit-log.ts';
import type { Invitations } from './invitations.ts';
import type { Newcomer } from './challenges.ts';
import type { PasskeyFacts } from '@orrery/foundation/passkey-checks';
import type { OperatorsDb, OperatorsTx } from './tables.ts';

/** Who a passkey is of. */
interface Holder {
  readonly operatorId: string;
  readonly name: string;
  readonly role: OperatorRole;
  readonly rights: OperatorRight[];
  readonly passkey: PasskeyFacts;
}

interface NewRole {
  readonly operatorId: string;
  /** On which it was proposed. */
  readonly before: OperatorRole;
  readonly role: OperatorRole;
}

interface RightOf {
  readonly operatorId: string;
  readonly right: OperatorRight;
}

export class Roster {
  readonly #db: OperatorsDb;
  readonly #audit: AuditLog;
  readonly #now: () => number;
  readonly #invitations: Invitations;

  constructor(parts: { db: OperatorsDb; audit: AuditLog; invitations: Invitations; now: () => number }) {
    this.#db = parts.db;
    this.#audit = parts.audit;
    this.#invitations = parts.invitations;
    this.#now = parts.now;
  }

  /** Uses up the code: its holder is an operator from now on. */
  async join({ operatorId, name, codeHash }: Newcomer, passkey: PasskeyFacts): Promise<OperatorRole> {
    const now = this.#now();
    return this.#db.transaction().execute(async (tx) => {
      await this.#audit.append(tx, { operator: name, action: 'JOIN', detail: { operatorId, credentialId: passkey.credentialId } });
      const role = await this.#invitations.use(tx, { codeHash, name });
      await this.refuseTaken(tx, name);
      await tx.insertInto('operators_operator').values({ operator_id: operatorId, name, role, created_at: now, ended_at: null }).execute();
      const { credentialId, publicKey, counter } = passkey;
      await tx
        .insertInto('operators_passkey')
        .values({ credential_id: credentialId, operator_id: operatorId, public_key: publicKey, counter, created_at: now })
        .execute();
      return role;
    });
  }

  /** The passkey and its operator, where both are still taken. */
  async holderOf(credentialId: string): Promise<Holder | undefined> {
    const row = await this.#db
      .selectFrom('operators_passkey')
      .innerJoin('operators_operator', 'operators_operator.operator_id', 'operators_passkey.operator_id')
      .select(['operators_operator.operator_id', 'name', 'role', 'reviewer', 'public_key', 'counter'])
      .where('credential_id', '=', credentialId)
      .where('ended_at', 'is', null)
      .executeTakeFirst();
    if (row === undefined) return undefined;
    const { operator_id: operatorId, name, role, public_key: publicKey, counter } = row;
    return { operatorId, name, role, rights: rightsOf(row), passkey: { credentialId, publicKey, counter } };
  }

  async signedIn(name: string, { credentialId }: PasskeyFacts, counter: number): Promise<void> {
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
      rights: rightsOf(row),
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

  async hasRight(db: OperatorsDb, operatorId: string, right: OperatorRight): Promise<boolean> {
    const row = await db
      .selectFrom('operators_operator')
      .select('reviewer')
      .where('operator_id', '=', operatorId)
      .where('ended_at', 'is', null)
      .executeTakeFirst();
    if (row === undefined) throw new ApiError('UnknownThing', { field: 'operatorId' });
    return rightsOf(row).includes(right);
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

  /** The audit log refers to names: a name is never reused, even after its operator was removed. */
  async refuseTaken(db: OperatorsDb, name: string): Promise<void> {
    const taken = await db.selectFrom('operators_operator').select('name').where('name', '=', name).executeTakeFirst();
    if (taken !== undefined) throw new ApiError('AlreadyThere', { field: 'name' });
  }

  /** @throws ProposalOutdated when another proposal came first: both were read as they stood before either. */
  async setRole(tx: OperatorsTx, { operatorId, before, role }: NewRole): Promise<void> {
    if (role !== 'admin') await refuseLastAdmin(tx, operatorId);
    const changed = await tx
      .updateTable('operators_operator')
      .set({ role })
      .where('operator_id', '=', operatorId)
      .where('role', '=', before)
      .where('ended_at', 'is', null)
      .returning('operator_id')
      .executeTakeFirst();
    if (changed === undefined) throw new ApiError('ProposalOutdated');
  }

  /** @throws ProposalOutdated when another proposal came first */
  async giveRight(tx: OperatorsTx, { operatorId, right }: RightOf): Promise<void> {
    const changed = await tx
      .updateTable('operators_operator')
      .set({ [right]: true })
      .where('operator_id', '=', operatorId)
      .where(right, '=', false)
      .where('ended_at', 'is', null)
      .returning('operator_id')
      .executeTakeFirst();
    if (changed === undefined) throw new ApiError('ProposalOutdated');
  }

  /** @throws UnknownThing unless this one has it. */
  async endRight(by: Operator, { operatorId, right }: RightOf): Promise<void> {
    await this.#db.transaction().execute(async (tx) => {
      await this.#audit.append(tx, { operator: by.name, action: 'END_RIGHT', detail: { operatorId, right } });
      if (!(await this.hasRight(tx, operatorId, right))) throw new ApiError('UnknownThing', { field: 'right' });
      await tx
        .updateTable('operators_operator')
        .set({ [right]: false })
        .where('operator_id', '=', operatorId)
        .execute();
    });
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
}

export const rightsOf = ({ reviewer }: { readonly reviewer: boolean }): OperatorRight[] => (reviewer ? ['reviewer'] : []);

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
