/**
 * Sessions of operators: a quarter of an hour without a call ends one, eight hours end it in any case, by the clock of history or by the wall clock: the
 * first one does not go on while the machine sleeps.
 */
import { ApiError, OPERATOR_IDLE_MS, OPERATOR_SESSION_MS, type Caller, type Operator } from '@orrery/api';
import { millis } from '@orrery/units';
import { giveCookie, readCookie, takeCookie } from './cookie.ts';
import { hashSecret, newToken } from './secret.ts';
import { rightsOf } from './roster.ts';
import type { OperatorsDb } from './tables.ts';

interface Term {
  readonly seenAt: number;
  readonly endsAt: number;
}

const isOver = ({ seenAt, endsAt }: Term, now: number): boolean => endsAt <= now || seenAt + OPERATOR_IDLE_MS <= now;

export class Sessions {
  readonly #db: OperatorsDb;
  readonly #now: () => number;
  readonly #wallMs: () => number;
  /** By the hash of the token: by the wall clock, as far as they were seen since the start. */
  readonly #onWall = new Map<string, Term>();

  constructor(parts: { db: OperatorsDb; now: () => number; wallMs: () => number }) {
    this.#db = parts.db;
    this.#now = parts.now;
    this.#wallMs = parts.wallMs;
  }

  /** @returns when it ends. */
  async open(operatorId: string, caller: Caller): Promise<number> {
    const now = this.#now();
    const token = newToken();
    const hash = hashSecret(token);
    const endsAt = now + OPERATOR_SESSION_MS;
    await this.#forget(now);
    const wall = this.#wallMs();
    this.#onWall.set(hash, { seenAt: wall, endsAt: wall + OPERATOR_SESSION_MS });
    await this.#db
      .insertInto('operators_session')
      .values({ token_hash: hash, operator_id: operatorId, created_at: now, last_seen_at: now, ends_at: endsAt })
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
    if (row.ended_at !== null || isOver({ seenAt: row.last_seen_at, endsAt: row.ends_at }, now)) throw new ApiError('SessionExpired');
    // At the start both clocks are the same.
    const onWall = this.#onWall.get(hash) ?? { seenAt: row.last_seen_at, endsAt: row.ends_at };
    if (isOver(onWall, this.#wallMs())) {
      // At no time of either clock does it go on again.
      await this.#db.updateTable('operators_session').set({ ends_at: 0 }).where('token_hash', '=', hash).execute();
      throw new ApiError('SessionExpired');
    }
    this.#onWall.set(hash, { ...onWall, seenAt: this.#wallMs() });
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
    const wall = this.#wallMs();
    const over = [...this.#onWall].filter(([, term]) => isOver(term, wall)).map(([hash]) => hash);
    if (over.length > 0) {
      await this.#db.deleteFrom('operators_session').where('token_hash', 'in', over).execute();
      for (const hash of over) this.#onWall.delete(hash);
    }
    await this.#db
      .deleteFrom('operators_session')
      .where((of) => of.or([of('ends_at', '<=', now), of('last_seen_at', '<=', now - OPERATOR_IDLE_MS)]))
      .execute();
  }
}
