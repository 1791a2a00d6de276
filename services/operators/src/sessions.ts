/** Sessions of operators: a quarter of an hour without a call ends one, eight hours end it in any case. */
import { ApiError, OPERATOR_IDLE_MS, OPERATOR_SESSION_MS, type Caller, type Operator } from '@orrery/api';
import { millis } from '@orrery/units';
import { giveCookie, readCookie, takeCookie } from './cookie.ts';
import { hashSecret, newToken } from './secret.ts';
import { rightsOf } from './roster.ts';
import type { OperatorsDb } from './tables.ts';

export class Sessions {
  readonly #db: OperatorsDb;
  readonly #now: () => number;

  constructor(parts: { db: OperatorsDb; now: () => number }) {
    this.#db = parts.db;
    this.#now = parts.now;
  }

  /** @returns when it ends. */
  async open(operatorId: string, caller: Caller): Promise<number> {
    const now = this.#now();
    const token = newToken();
    const endsAt = now + OPERATOR_SESSION_MS;
    await this.#forget(now);
    await this.#db
      .insertInto('operators_session')
      .values({ token_hash: hashSecret(token), operator_id: operatorId, created_at: now, last_seen_at: now, ends_at: endsAt })
      .execute();
    giveCookie(caller, token);
    return endsAt;
  }

  /** Whose session it is. The call counts as a sign of life. */
  async enter(caller: Caller): Promise<Operator> {
    const token = readCookie(caller);
    if (token === undefined) throw new ApiError('NotSignedIn');
    const now = this.#now();
    const hash = hashSecret(token);
    const row = await this.#db
      .selectFrom('operators_session')
      .innerJoin('operators_operator', 'operators_operator.operator_id', 'operators_session.operator_id')
      .select(['operators_operator.operator_id', 'name', 'role', 'reviewer', 'ends_at', 'last_seen_at', 'ended_at'])
      .where('token_hash', '=', hash)
      .executeTakeFirst();
    if (row === undefined) throw new ApiError('NotSignedIn');
    if (row.ended_at !== null || row.ends_at <= now || row.last_seen_at + OPERATOR_IDLE_MS <= now) throw new ApiError('SessionExpired');
    await this.#db.updateTable('operators_session').set({ last_seen_at: now }).where('token_hash', '=', hash).execute();
    return { operatorId: row.operator_id, name: row.name, role: row.role, rights: rightsOf(row), endsAt: millis(row.ends_at) };
  }

  async close(caller: Caller): Promise<void> {
    const token = readCookie(caller);
    if (token === undefined) return;
    await this.#db.deleteFrom('operators_session').where('token_hash', '=', hashSecret(token)).execute();
    takeCookie(caller);
  }

  async #forget(now: number): Promise<void> {
    await this.#db
      .deleteFrom('operators_session')
      .where((of) => of.or([of('ends_at', '<=', now), of('last_seen_at', '<=', now - OPERATOR_IDLE_MS)]))
      .execute();
  }
}
