/** Invitations: a code for each account, and who was brought by whom. One is brought once, before one's first trade, never in a ring. */
import { randomBytes } from 'node:crypto';
import { ApiError } from '@orrery/api';
import { type AccountId, accountId } from '@orrery/units';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { CampaignTables } from '../tables/tables.ts';

/** RFC 4648 base 32. */
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const CODE_LENGTH = 8;
/** The number of an inviter's first invitations that are checked: the rewards end far below. */
const INVITED_COUNTED = 100;

export interface InvitePort {
  /** Whether it has ever traded. */
  hasTraded(account: AccountId): Promise<boolean>;
  /** How many of `accounts` have traded for a fee with an account that is none of `except`, which names one at least. */
  countTraders(query: { accounts: readonly AccountId[]; except: readonly AccountId[] }): Promise<number>;
}

export interface InvitedAccount {
  readonly account: AccountId;
  /** Unix milliseconds. */
  readonly boundAt: number;
  readonly hasTraded: boolean;
}

export class Invites {
  readonly #db: Kysely<CampaignTables>;
  readonly #port: InvitePort;
  readonly #now: () => number;

  constructor(parts: { db: Kysely<CampaignTables>; port: InvitePort; now: () => number }) {
    this.#db = parts.db;
    this.#port = parts.port;
    this.#now = parts.now;
  }

  /** The account's code, made when it is first asked for. */
  async codeOf(account: AccountId): Promise<string> {
    await this.#db
      .insertInto('campaign_invite_code')
      .values({ account, code: newCode() })
      .onConflict((conflict) => conflict.column('account').doNothing())
      .execute();
    const row = await this.#db.selectFrom('campaign_invite_code').select('code').where('account', '=', account).executeTakeFirstOrThrow();
    return row.code;
  }

  async invitedBy(account: AccountId): Promise<number> {
    const { count } = await this.#db
      .selectFrom('campaign_invite')
      .select((of) => of.fn.countAll<number>().as('count'))
      .where('inviter', '=', account)
      .executeTakeFirstOrThrow();
    return count;
  }

  /** By whom `invited` was brought, and when in unix milliseconds; undefined when by nobody. */
  async inviterOf(invited: AccountId): Promise<{ readonly inviter: AccountId; readonly boundAt: number } | undefined> {
    const row = await this.#db
      .selectFrom('campaign_invite')
      .select(['inviter', 'bound_at'])
      .where('invited', '=', invited)
      .executeTakeFirst();
    return row === undefined ? undefined : { inviter: accountId(row.inviter), boundAt: row.bound_at };
  }

  /** Those `inviter` has brought, newest first. @param page from 1. */
  async listInvitedBy({ inviter, page, size }: { inviter: AccountId; page: number; size: number }): Promise<readonly InvitedAccount[]> {
    const rows = await this.#db
      .selectFrom('campaign_invite')
      .select(['invited', 'bound_at'])
      .where('inviter', '=', inviter)
      .orderBy('bound_at', 'desc')
      .orderBy('invited', 'desc')
      .limit(size)
      .offset((page - 1) * size)
      .execute();
    return Promise.all(
      rows.map(async (row) => {
        const account = accountId(row.invited);
        return { account, boundAt: row.bound_at, hasTraded: await this.#port.hasTraded(account) };
      }),
    );
  }

  /** Of those `inviter` has brought, how many have traded for a fee with somebody who is not of its `cluster`, itself among them. */
  async tradersInvitedBy({ inviter, cluster }: { inviter: AccountId; cluster: readonly AccountId[] }): Promise<number> {
    const rows = await this.#db
      .selectFrom('campaign_invite')
      .select('invited')
      .where('inviter', '=', inviter)
      .orderBy('bound_at')
      .limit(INVITED_COUNTED)
      .execute();
    if (rows.length === 0) return 0;
    return this.#port.countTraders({ accounts: rows.map(({ invited }) => accountId(invited)), except: cluster });
  }

  /** @throws ApiError when the invitation can not be taken. */
  async bind({ account, code }: { account: AccountId; code: string }): Promise<void> {
    const owner = await this.#db.selectFrom('campaign_invite_code').select('account').where('code', '=', code).executeTakeFirst();
    if (owner === undefined) throw new ApiError('UnknownThing', { field: 'inviteCode' });
    if (owner.account === account) throw refused('this is your own invite code');
    if (await this.#port.hasTraded(account)) throw refused('an invitation is taken before the first trade');
    await this.#db.transaction().execute(async (tx) => {
      // One at a time: two that invite each other at once would close a ring.
      await sql`lock table campaign_invite in share row exclusive mode`.execute(tx);
      const taken = await tx.selectFrom('campaign_invite').select('inviter').where('invited', '=', account).executeTakeFirst();
      if (taken !== undefined) throw refused('you have taken an invitation before');
      if (await isBroughtBy(tx, { invited: owner.account, inviter: account })) throw refused('you have invited this person yourself');
      await tx.insertInto('campaign_invite').values({ invited: account, inviter: owner.account, bound_at: this.#now() }).execute();
    });
  }
}

const refused = (message: string): ApiError => new ApiError('InviteRefused', { message });

function newCode(): string {
  return Array.from(randomBytes(CODE_LENGTH), (byte) => LETTERS[byte % LETTERS.length]).join('');
}

/** Whether `inviter` stands anywhere above `invited`. Each has at most one above, and there is no ring: it ends. */
async function isBroughtBy(tx: Transaction<CampaignTables>, { invited, inviter }: { invited: number; inviter: number }): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    with recursive above as (
      select inviter from campaign_invite where invited = ${invited}
      union select campaign_invite.inviter from campaign_invite join above on campaign_invite.invited = above.inviter)
    select exists (select 1 from above where inviter = ${inviter}) as found`.execute(tx);
  return rows[0]?.found === true;
}
