/**
 * The faucet's policy: who may claim, how often, and how much in a day. Claiming is one command; the chain's hand reads it
 * from history, pays, and settles it at finality, so that no crash between two steps pays twice or forgets.
 */
import { randomBytes } from 'node:crypto';
import { ApiError, type FaucetStatus } from '@orrery/api';
import type { AccountDirectory } from '@orrery/foundation';
import type { Heart } from '@orrery/protocol';
import { CLAIM, CLAIM_INTERVAL_MS } from '@orrery/rules';
import type { AccountId, Address } from '@orrery/units';
import type { Kysely } from 'kysely';
import { type Claim, type Claims, statusOf } from './claims.ts';
import { DayBudget } from '../awards/day-budget.ts';
import type { CampaignTables } from '../tables/tables.ts';
import type { Whitelist } from '../whitelist/whitelist.ts';

const CLAIM_ID_BYTES = 32;
const DAY_MS = 86_400_000;

export interface FaucetTerms {
  /** Claims the budget pays for in one UTC day. */
  readonly claimsPerDay: number;
  /** What one claim brings, to be shown. */
  readonly amounts: FaucetStatus['amounts'];
  /** The chain transaction of a claim, once there is one. */
  readonly transactionOf: (claimId: string) => Promise<string | undefined>;
}

export class Faucet {
  readonly #heart: Heart;
  readonly #db: Kysely<CampaignTables>;
  readonly #members: AccountDirectory;
  readonly #claims: Claims;
  readonly #whitelist: Whitelist;
  readonly #terms: FaucetTerms;
  readonly #now: () => number;
  readonly #claimsPerDay: () => Promise<number>;
  readonly #budget: DayBudget;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(parts: {
    heart: Heart;
    db: Kysely<CampaignTables>;
    members: AccountDirectory;
    claims: Claims;
    whitelist: Whitelist;
    terms: FaucetTerms;
    /** Claims to which a new UTC day fills the budget up, and what is taken on one day at most. */
    claimsPerDay: () => Promise<number>;
    now: () => number;
  }) {
    this.#heart = parts.heart;
    this.#db = parts.db;
    this.#members = parts.members;
    this.#claims = parts.claims;
    this.#whitelist = parts.whitelist;
    this.#terms = parts.terms;
    this.#now = parts.now;
    this.#claimsPerDay = parts.claimsPerDay;
    const { heart, db, members, claimsPerDay: perDay, now } = parts;
    const taken = (): Promise<number> => this.#taken();
    this.#budget = new DayBudget({ heart, db, members, budget: 'faucet', code: CLAIM, perDay, taken, now });
  }

  /** @throws ApiError with a sentence for the person when there is nothing to claim now. */
  async claim({ account, address }: { account: AccountId; address: Address }): Promise<FaucetStatus> {
    await this.#checkTerms(account);
    await this.#whitelist.admit(address);
    await this.fundToday();
    return this.#inTurn(() => this.#claim({ account, address }));
  }

  /** One at a time, so that each counts the ones before it. */
  #inTurn(claim: () => Promise<FaucetStatus>): Promise<FaucetStatus> {
    const claimed = this.#turn.then(claim);
    this.#turn = claimed.catch(() => undefined);
    return claimed;
  }

  async #claim({ account, address }: { account: AccountId; address: Address }): Promise<FaucetStatus> {
    // The engine holds what the day was given; operators may have cut it since.
    if ((await this.#takenToday()) >= (await this.#claimsPerDay())) throw this.#refusal('BudgetExhausted', account);
    const claimId = `0x${randomBytes(CLAIM_ID_BYTES).toString('hex')}`;
    const { events, at } = await this.#heart.submit({ type: 'ReserveFaucetClaim', account, claimId });
    const rejected = events.find((event) => event.type === 'CommandRejected');
    if (rejected !== undefined) throw this.#refusal(rejected.reason, account);
    this.#claims.note(events, at);
    return this.status(address);
  }

  /** As for an order. */
  async #checkTerms(account: AccountId): Promise<void> {
    if (this.#members.get(account)?.flags.termsAccepted === true) return;
    await this.#members.caughtUp();
    if (this.#members.get(account)?.flags.termsAccepted !== true) throw new ApiError('TermsNotAccepted', { field: 'account' });
  }

  async status(address: Address): Promise<FaucetStatus> {
    const account = this.#members.find(address)?.account;
    const claim = account === undefined ? undefined : this.#claims.latest(account);
    const status = statusOf(claim, this.#now());
    if (claim === undefined || status === 0)
      return { status, claimId: null, txHash: null, nextClaimTime: null, amounts: this.#terms.amounts };
    return {
      status,
      claimId: claim.claimId,
      txHash: (await this.#terms.transactionOf(claim.claimId)) ?? null,
      nextClaimTime: nextClaimTime(claim),
      amounts: this.#terms.amounts,
    };
  }

  fundToday(): Promise<void> {
    return this.#budget.fillToday();
  }

  /** Claims taken from the budget in all: those that failed went back to it. */
  #taken(): Promise<number> {
    return this.#takenSince(0);
  }

  #takenToday(): Promise<number> {
    const now = this.#now();
    return this.#takenSince(now - (now % DAY_MS));
  }

  async #takenSince(from: number): Promise<number> {
    await this.#claims.reached(await this.#heart.end());
    const { count } = await this.#db
      .selectFrom('campaign_claim')
      .where('reserved_at', '>=', from)
      .where((row) => row.or([row('outcome', 'is', null), row('outcome', '=', 'paid')]))
      .select((row) => row.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow();
    return count;
  }

  #refusal(reason: 'ClaimTooSoon' | 'BudgetExhausted' | ConstructorParameters<typeof ApiError>[0], account: AccountId): ApiError {
    const claim = this.#claims.latest(account);
    if (reason === 'ClaimTooSoon' && claim !== undefined) {
      return new ApiError(reason, { message: `already claimed: come back after ${new Date(nextClaimTime(claim)).toISOString()}` });
    }
    if (reason === 'BudgetExhausted') return new ApiError(reason, { message: 'the faucet is empty for today: come back after 00:00 UTC' });
    return new ApiError(reason);
  }
}

const nextClaimTime = (claim: Claim): number => claim.reservedAt + CLAIM_INTERVAL_MS;
