/** Which accounts of this exchange an operator has: who is a side of an OTC order, or in a cluster with one, decides nothing about it. */
import { ApiError, type ArbiterAccounts, type Operator } from '@orrery/api';
import { type Address, addressOf } from '@orrery/units';
import type { AuditLog } from './audit-log.ts';
import type { OtcPort } from './ports.ts';
import type { ProposedChange } from './proposed-change.ts';
import type { OperatorsDb } from './tables.ts';

export class Arbiters {
  readonly #db: OperatorsDb;
  readonly #audit: AuditLog;
  readonly #otc: OtcPort;
  readonly #now: () => number;

  constructor(parts: { db: OperatorsDb; audit: AuditLog; otc: OtcPort; now: () => number }) {
    this.#db = parts.db;
    this.#audit = parts.audit;
    this.#otc = parts.otc;
    this.#now = parts.now;
  }

  async of({ operatorId }: Operator): Promise<ArbiterAccounts> {
    const row = await this.#db.selectFrom('operators_arbiter').selectAll().where('operator_id', '=', operatorId).executeTakeFirst();
    return { addresses: row?.addresses ?? [], declaredTime: row?.declared_at ?? null };
  }

  /** What is declared once stays. */
  async declare(operator: Operator, addresses: readonly Address[]): Promise<ArbiterAccounts> {
    await this.#db.transaction().execute(async (tx) => {
      // The lock on the end of the log serialises two at once.
      await this.#audit.append(tx, { operator: operator.name, action: 'OTC_ARBITER', detail: { addresses: [...addresses] } });
      const before = await tx.selectFrom('operators_arbiter').selectAll().where('operator_id', '=', operator.operatorId).executeTakeFirst();
      const row = { addresses: [...new Set([...(before?.addresses ?? []), ...addresses])], declared_at: this.#now() };
      await tx
        .insertInto('operators_arbiter')
        .values({ operator_id: operator.operatorId, ...row })
        .onConflict((conflict) => conflict.column('operator_id').doUpdateSet(row))
        .execute();
    });
    return this.of(operator);
  }

  async isSide(operator: Operator, orderId: string): Promise<boolean> {
    const { addresses } = await this.of(operator);
    return this.#otc.disputes.isSide(orderId, addresses.map(addressOf));
  }

  /** @throws ApiError ArbiterUndeclared before anything is declared, ArbiterConflict. */
  async check(operator: Operator, orderId: string): Promise<void> {
    if ((await this.of(operator)).declaredTime === null) throw new ApiError('ArbiterUndeclared');
    if (await this.isSide(operator, orderId)) throw new ApiError('ArbiterConflict', { field: 'orderId' });
  }

  /** The same of who approves. */
  async refuseSides(operator: Operator, proposed: ProposedChange): Promise<void> {
    if (proposed.kind === 'OTC_DECISION' || proposed.kind === 'OTC_PAYMENT') await this.check(operator, proposed.orderId);
  }
}
