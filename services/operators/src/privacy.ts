/**
 * Personal data: masked wherever operators look, shown one person at a time for a reason. Each view is a row of the audit log, which also counts
 * them; requests above the quota are refused and raise an alarm.
 */
import {
  ApiError,
  type IdentityViewReason,
  type Operator,
  type Person,
  type PersonKind,
  type ShownIdentity,
  UNMASKINGS_PER_DAY,
  UNMASKINGS_PER_MINUTE,
} from '@orrery/api';
import { unreachable } from '@orrery/units';
import type { AuditLog } from './audit-log.ts';
import type { Json } from './canonical.ts';
import type { CampaignOperations, IdentityPort } from './ports.ts';
import type { OperatorsDb, OperatorsTx } from './tables.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 3_600_000;
const UNMASK = 'UNMASK';

/** Two digits at each end: enough to distinguish the rows of a page, not to find an address on the chain. */
export const maskedAddress = (address: string): string => `${address.slice(0, 4)}…${address.slice(-2)}`;

export const maskedEmail = (email: string): string =>
  email
    .split('@')
    .map((part) => `${part.slice(0, 1)}***`)
    .join('@');

interface PrivacyParts {
  readonly db: OperatorsDb;
  readonly audit: AuditLog;
  readonly campaign: Pick<CampaignOperations, 'whitelist' | 'board'>;
  readonly identities: Pick<IdentityPort, 'inFull'>;
  readonly now: () => number;
}

interface Wanted {
  readonly kind: PersonKind;
  readonly id: number;
  readonly reason: string;
}

interface Known {
  readonly address: string;
  readonly email: string | null;
}

export class Privacy {
  readonly #db: OperatorsDb;
  readonly #audit: AuditLog;
  readonly #campaign: PrivacyParts['campaign'];
  readonly #identities: PrivacyParts['identities'];
  readonly #now: () => number;

  constructor(parts: PrivacyParts) {
    this.#db = parts.db;
    this.#audit = parts.audit;
    this.#campaign = parts.campaign;
    this.#identities = parts.identities;
    this.#now = parts.now;
  }

  /** @throws TooManyRequests beyond the quota, UnknownThing for an unknown person. */
  async unmask(operator: Operator, wanted: Wanted): Promise<Person> {
    const known = await this.#find(wanted);
    if (known === undefined) throw new ApiError('UnknownThing', { field: 'id' });
    const left = await this.#view(operator, { ...wanted }, { ...wanted, address: maskedAddress(known.address) });
    return { address: known.address, email: known.email, left };
  }

  /** Counts with the views of persons. @throws TooManyRequests beyond the quota, UnknownThing where no identity is handed in. */
  async viewIdentity(operator: Operator, wanted: { account: number; reasonCode: IdentityViewReason }): Promise<ShownIdentity> {
    const identity = await this.#identities.inFull({ account: wanted.account, reviewer: operator.operatorId });
    if (identity === undefined) throw new ApiError('UnknownThing', { field: 'account' });
    const detail = { kind: 'IDENTITY', ...wanted };
    return { ...identity, left: await this.#view(operator, detail, detail) };
  }

  /** @param detail in the audit log. @returns the views that are left of the day's. */
  async #view(operator: Operator, wanted: { readonly [field: string]: Json }, detail: Json): Promise<number> {
    try {
      // The row first: the lock on the end of the log serialises the count.
      const used = await this.#db.transaction().execute(async (tx) => {
        await this.#audit.append(tx, { operator: operator.name, action: UNMASK, detail });
        return this.#charge(tx, operator);
      });
      return UNMASKINGS_PER_DAY - used;
    } catch (error) {
      if (error instanceof QuotaUsedUp) await this.#alarm(operator, wanted);
      throw error;
    }
  }

  /** @returns the views of the last day, with the one that is being had. */
  async #charge(tx: OperatorsTx, operator: Operator): Promise<number> {
    const now = this.#now();
    const rows = await tx
      .selectFrom('operators_audit')
      .select('at')
      .where('action', '=', UNMASK)
      .where('operator', '=', operator.name)
      .where('at', '>', now - DAY_MS)
      .execute();
    if (rows.length > UNMASKINGS_PER_DAY) throw new QuotaUsedUp();
    if (rows.filter(({ at }) => at > now - MINUTE_MS).length > UNMASKINGS_PER_MINUTE)
      throw new ApiError('TooManyRequests', { retryAfterSeconds: MINUTE_MS / 1_000 });
    return rows.length;
  }

  async #alarm(operator: Operator, wanted: { readonly [field: string]: Json }): Promise<void> {
    const { reason: _, reasonCode: _code, ...person } = wanted;
    const detail = { alarm: 'UNMASK_QUOTA', operator: operator.name, quota: UNMASKINGS_PER_DAY, ...person };
    await this.#db.transaction().execute((tx) => this.#audit.append(tx, { operator: operator.name, action: 'ALARM', detail }));
  }

  async #find({ kind, id }: Wanted): Promise<Known | undefined> {
    switch (kind) {
      case 'WAITING':
        return this.#campaign.whitelist.person(id);
      case 'CLUSTER': {
        const { board } = this.#campaign;
        const members = (await board.clusters()).flatMap((cluster) => cluster.members);
        const paired = (await board.pairs()).flatMap(({ winner, loser }) => [winner, loser]);
        const member = [...members, ...paired].find(({ account }) => account === id);
        return member && { address: member.address, email: null };
      }
      default:
        return unreachable(kind);
    }
  }
}

class QuotaUsedUp extends ApiError {
  constructor() {
    const message = `${UNMASKINGS_PER_DAY} views of personal data in 24 hours are used up; this is reported to the other operators`;
    super('TooManyRequests', { message, retryAfterSeconds: DAY_MS / 1_000 });
  }
}
