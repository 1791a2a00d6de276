/**
 * Where changes are decided: the audit row, and what is left to be done, are one transaction; it is done after, and again until it is done.
 * So nothing is changed that is not in the log, and nothing in the log is forgotten by a crash.
 */
import { ApiError } from '@orrery/api';
import { Turns } from '@orrery/foundation';
import type { AuditLog } from './audit-log.ts';
import { canonical } from './canonical.ts';
import { perform, subjectOf, type Change, type Hands } from './change.ts';
import type { OperatorsDb, OperatorsTx } from './tables.ts';

interface Undone {
  readonly action: number;
  readonly change: Change;
}

export class Desk {
  readonly #db: OperatorsDb;
  readonly #audit: AuditLog;
  readonly #hands: Hands;
  readonly #now: () => number;
  /** In progress: no other call may start them. */
  readonly #doing = new Map<number, Promise<void>>();
  readonly #turns = new Turns<string>();

  constructor(parts: { db: OperatorsDb; audit: AuditLog; hands: Hands; now: () => number }) {
    this.#db = parts.db;
    this.#audit = parts.audit;
    this.#hands = parts.hands;
    this.#now = parts.now;
  }

  /**
   * From the look at what a thing outside is to the change of it nobody else changes it: of two who saw the same, the second is judged by what the
   * first has left. What was decided about it before is done first; where that fails nothing is decided, since nobody knows yet what the thing will be.
   * In memory: the lock of the data directory leaves one process. What lies in our own tables is guarded in the statement that changes it.
   */
  inTurn<Answer>(subject: string | undefined, work: () => Promise<Answer>): Promise<Answer> {
    if (subject === undefined) return work();
    return this.#turns.take(subject, async () => {
      await this.#carryOutEarlier(subject, Number.MAX_SAFE_INTEGER);
      return work();
    });
  }

  /** In its turn. @param judge throws where the thing is not, or no longer, as the change needs it. */
  changeInTurn(operator: string, change: Change, judge: () => void | Promise<void>): Promise<null> {
    return this.inTurn(subjectOf(change), async () => {
      await judge();
      await this.change(operator, change);
      return null;
    });
  }

  /** @param also is part of the same transaction; what it throws leaves everything as it was. */
  async change(operator: string, change: Change, also?: (tx: OperatorsTx) => Promise<void>): Promise<void> {
    const action = await this.#db.transaction().execute(async (tx) => {
      const action = await this.decide(tx, { operator, change });
      await also?.(tx);
      return action;
    });
    await this.carryOut(action, change);
  }

  /** @returns the number under which it is to be carried out once the transaction is through. */
  async decide(tx: OperatorsTx, decision: { operator: string; change: Change; proposalId?: number }): Promise<number> {
    const { operator, change, proposalId = null } = decision;
    const { kind, ...detail } = change;
    await this.#audit.append(tx, { operator, action: kind, detail });
    const { action_id: action } = await tx
      .insertInto('operators_action')
      .values({ kind, change: canonical({ ...change }), made_at: this.#now(), done_at: null, proposal_id: proposalId })
      .returning('action_id')
      .executeTakeFirstOrThrow();
    return action;
  }

  /**
   * A refusal ends it, and is in the log too; a failure leaves it to the next try. What was decided earlier about the same thing is done before
   * it: a budget that was raised in vain must not grow after it was lowered.
   */
  async carryOut(action: number, change: Change): Promise<void> {
    const subject = subjectOf(change);
    if (subject !== undefined) await this.#carryOutEarlier(subject, action);
    await this.#once({ action, change });
  }

  async #carryOutEarlier(subject: string, before: number): Promise<void> {
    for (const earlier of await this.#open(before))
      if (subjectOf(earlier.change) === subject) await this.#once(earlier).catch(unlessRefused);
  }

  /** What a crash or a failure left undone, in its order. */
  async catchUp(onTrouble: (error: unknown) => void): Promise<void> {
    for (const { action, change } of await this.#open(Number.MAX_SAFE_INTEGER)) await this.carryOut(action, change).catch(onTrouble);
  }

  async #open(before: number): Promise<readonly Undone[]> {
    const open = await this.#db
      .selectFrom('operators_action')
      .select(['action_id', 'change'])
      .where('done_at', 'is', null)
      .where('action_id', '<', before)
      .orderBy('action_id')
      .execute();
    return open.map(({ action_id: action, change }) => ({ action, change: JSON.parse(change) as Change }));
  }

  /** @throws ApiError with the reason, where it was refused when another call carried it out. */
  async #isOpen(action: number): Promise<boolean> {
    const { done_at: doneAt, refusal } = await this.#db
      .selectFrom('operators_action')
      .select(['done_at', 'refusal'])
      .where('action_id', '=', action)
      .executeTakeFirstOrThrow();
    if (refusal !== null) throw new ApiError('ProposalOutdated', { message: refusal });
    return doneAt === null;
  }

  async #once(undone: Undone): Promise<void> {
    const { action } = undone;
    const doing = this.#doing.get(action) ?? this.#try(undone).finally(() => this.#doing.delete(action));
    this.#doing.set(action, doing);
    await doing;
  }

  async #try({ action, change }: Undone): Promise<void> {
    // Read as open before, it may be done by now: done again, it would undo what came after it.
    if (!(await this.#isOpen(action))) return;
    try {
      await perform(change, this.#hands);
      await this.#db.updateTable('operators_action').set({ done_at: this.#now() }).where('action_id', '=', action).execute();
    } catch (error) {
      if (isRefusal(error)) await this.#refused(action, change, error);
      throw error;
    }
  }

  async #refused(action: number, { kind }: Change, error: ApiError): Promise<void> {
    await this.#db.transaction().execute(async (tx) => {
      await this.#audit.append(tx, { operator: 'the console', action: 'REFUSED', detail: { action, kind, reason: error.message } });
      const refused = { done_at: this.#now(), refusal: error.message };
      await tx.updateTable('operators_action').set(refused).where('action_id', '=', action).execute();
    });
  }
}

/** The failure belongs to another operator's change, so it goes to the log and not to this caller. */
function unlessRefused(error: unknown): void {
  if (!isRefusal(error)) throw error;
}

const isRefusal = (error: unknown): error is ApiError => error instanceof ApiError && error.status < 500;
