/**
 * Where changes are decided: the audit row, and what is left to be done, are one transaction; it is done after, and again until it is done.
 * So nothing is changed that is not in the log, and nothing in the log is forgotten by a crash.
 */
import { ApiError } from '@orrery/api';
import type { AuditLog } from './audit-log.ts';
import { canonical } from './canonical.ts';
import { perform, type Change, type Hands } from './change.ts';
import type { OperatorsDb, OperatorsTx } from './tables.ts';

export class Desk {
  readonly #db: OperatorsDb;
  readonly #audit: AuditLog;
  readonly #hands: Hands;
  readonly #now: () => number;
  /** Being done right now: nobody else begins with them. */
  readonly #doing = new Set<number>();

  constructor(parts: { db: OperatorsDb; audit: AuditLog; hands: Hands; now: () => number }) {
    this.#db = parts.db;
    this.#audit = parts.audit;
    this.#hands = parts.hands;
    this.#now = parts.now;
  }

  /** @param also is part of the same transaction; what it throws leaves everything as it was. */
  async change(operator: string, change: Change, also?: (tx: OperatorsTx) => Promise<void>): Promise<void> {
    const action = await this.#db.transaction().execute(async (tx) => {
      const action = await this.decide(tx, operator, change);
      await also?.(tx);
      return action;
    });
    await this.carryOut(action, change);
  }

  /** @returns the number under which it is to be carried out once the transaction is through. */
  async decide(tx: OperatorsTx, operator: string, change: Change): Promise<number> {
    const { kind, ...detail } = change;
    await this.#audit.append(tx, { operator, action: kind, detail });
    const { action_id: action } = await tx
      .insertInto('operators_action')
      .values({ kind, change: canonical({ ...change }), made_at: this.#now(), done_at: null })
      .returning('action_id')
      .executeTakeFirstOrThrow();
    return action;
  }

  /** A refusal ends it, and is in the log too; a failure leaves it to the next try. */
  async carryOut(action: number, change: Change): Promise<void> {
    if (this.#doing.has(action)) return;
    this.#doing.add(action);
    try {
      await perform(change, this.#hands);
      await this.#db.updateTable('operators_action').set({ done_at: this.#now() }).where('action_id', '=', action).execute();
    } catch (error) {
      if (error instanceof ApiError && error.status < 500) await this.#refused(action, change, error);
      throw error;
    } finally {
      this.#doing.delete(action);
    }
  }

  /** What a crash or a failure left undone, in its order. */
  async catchUp(onTrouble: (error: unknown) => void): Promise<void> {
    const open = await this.#db
      .selectFrom('operators_action')
      .select(['action_id', 'change'])
      .where('done_at', 'is', null)
      .orderBy('action_id')
      .execute();
    for (const { action_id: action, change } of open) await this.carryOut(action, JSON.parse(change) as Change).catch(onTrouble);
  }

  async #refused(action: number, { kind }: Change, error: ApiError): Promise<void> {
    await this.#db.transaction().execute(async (tx) => {
      await this.#audit.append(tx, { operator: 'the console', action: 'REFUSED', detail: { action, kind, reason: error.message } });
      await tx.updateTable('operators_action').set({ done_at: this.#now() }).where('action_id', '=', action).execute();
    });
  }
}
