/** Faucet claims as the heart emits them: the newest of each account in memory, all of them in SQL, changes published; and the events of the budgets. */
import { type AccountDirectory, HistoryReader } from '@orrery/foundation';
import type { Event, Heart } from '@orrery/protocol';
import { CLAIM, CLAIM_INTERVAL_MS, POINTS } from '@orrery/rules';
import { type AccountId, accountId, type Seq, seq } from '@orrery/units';
import { type Gathered, isOfOrders, type Moment, sifted, type Emitted } from '@orrery/views';
import type { Kysely, Transaction } from 'kysely';
import type { CampaignTables } from '../tables/tables.ts';
import { recordAward, type TaskNames, type LedgerAward } from '../awards/ledger-awards.ts';

/** Commands between writes of the offset when none concerns us: reading commands again is idempotent. */
const OFFSET_EVERY = 10_000;

export interface Claim {
  readonly claimId: string;
  readonly account: AccountId;
  readonly reservedAt: number;
  readonly outcome: 'paid' | 'failed' | undefined;
}

/** 0 may claim, 1 claiming, 2 claimed. */
export type ClaimStatus = 0 | 1 | 2;

export function statusOf(claim: Claim | undefined, now: number): ClaimStatus {
  if (claim === undefined || claim.outcome === 'failed') return 0;
  if (claim.outcome === undefined) return 1;
  return now - claim.reservedAt < CLAIM_INTERVAL_MS ? 2 : 0;
}

type Wanted = LedgerAward | Extract<Event, { type: 'FaucetClaimReserved' | 'FaucetClaimSettled' | 'BudgetFunded' }>;

export class Claims {
  readonly #db: Kysely<CampaignTables>;
  readonly #members: AccountDirectory;
  readonly #taskNameOf: TaskNames;
  readonly #onChange: (claim: Claim) => void;
  readonly #latest = new Map<AccountId, Claim>();
  readonly #reader: HistoryReader<Emitted<Wanted>[]>;

  constructor(parts: {
    heart: Heart;
    db: Kysely<CampaignTables>;
    members: AccountDirectory;
    taskNameOf: TaskNames;
    onTrouble: (error: unknown) => void;
    onChange: (claim: Claim) => void;
  }) {
    const { heart, onTrouble } = parts;
    this.#db = parts.db;
    this.#members = parts.members;
    this.#taskNameOf = parts.taskNameOf;
    this.#onChange = parts.onChange;
    const gathering = sifted({ isNear: (applied) => !isOfOrders(applied), isWanted });
    this.#reader = new HistoryReader({ heart, gathering, fold: (gathered, { written }) => this.#fold(gathered, written), onTrouble });
  }

  async start(): Promise<void> {
    this.#reader.start(await this.#load());
  }

  stop(): Promise<void> {
    return this.#reader.stop();
  }

  latest(account: AccountId): Claim | undefined {
    return this.#latest.get(account);
  }

  /** The result of a command of ours, known before the tail emits it. */
  note(events: readonly Event[], at: number): void {
    for (const event of events) this.#remember(event, at);
  }

  /** Resolves when everything up to `wanted` is in SQL. */
  reached(wanted: Seq): Promise<void> {
    return this.#reader.reached(wanted);
  }

  /** @returns the last command that is in SQL. */
  async #load(): Promise<Seq> {
    // Without the row it begins with the first command: what is there already is written again as it is.
    await this.#db
      .insertInto('campaign_offset')
      .values({ id: 1, seq: 0 })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const offset = await this.#db.selectFrom('campaign_offset').select('seq').executeTakeFirstOrThrow();
    const rows = await this.#db
      .selectFrom('campaign_claim')
      .selectAll()
      .distinctOn('account')
      .orderBy('account')
      .orderBy('reserved_at', 'desc')
      .execute();
    for (const row of rows) {
      this.#latest.set(accountId(row.account), {
        claimId: row.claim_id,
        account: accountId(row.account),
        reservedAt: row.reserved_at,
        outcome: (row.outcome ?? undefined) as Claim['outcome'],
      });
    }
    return seq(offset.seq);
  }

  async #fold({ piece: emitted, last }: Gathered<Emitted<Wanted>[]>, written: Seq): Promise<Seq> {
    const isDue = emitted.length > 0 || last - written >= OFFSET_EVERY;
    if (isDue)
      await this.#db.transaction().execute(async (tx) => {
        for (const { event, moment } of emitted) await this.#write(tx, event, moment);
        await tx.updateTable('campaign_offset').set({ seq: last }).where('seq', '<', last).execute();
      });
    for (const { event, moment } of emitted) this.#remember(event, moment.at);
    return isDue ? last : written;
  }

  async #write(tx: Transaction<CampaignTables>, event: Wanted, moment: Moment): Promise<void> {
    if (event.type === 'FaucetClaimReserved') {
      await tx
        .insertInto('campaign_claim')
        .values({ claim_id: event.claimId, account: event.account, reserved_at: moment.at, outcome: null })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    } else if (event.type === 'FaucetClaimSettled') {
      await tx.updateTable('campaign_claim').set({ outcome: event.outcome }).where('claim_id', '=', event.claimId).execute();
    } else if (event.type !== 'BudgetFunded') {
      if (event.budget === 'rewards' && event.asset === this.#members.asset(POINTS)?.asset)
        await recordAward(tx, event, { ...moment, taskNameOf: this.#taskNameOf });
    } else if (event.asset === this.#members.asset(event.budget === 'faucet' ? CLAIM : POINTS)?.asset) {
      await tx
        .insertInto('campaign_budget')
        .values({ key: event.key, amount: Number(event.amount), funded: true })
        .onConflict((conflict) => conflict.column('key').doUpdateSet({ funded: true }))
        .execute();
    }
  }

  #remember(event: Event, at: number): void {
    if (event.type !== 'FaucetClaimReserved' && event.type !== 'FaucetClaimSettled') return;
    const before = this.#latest.get(event.account);
    const claim = event.type === 'FaucetClaimReserved' ? reserved(event, before, at) : settled(event, before);
    if (claim === undefined) return;
    this.#latest.set(event.account, claim);
    this.#onChange(claim);
  }
}

const isWanted = (event: Event): event is Wanted =>
  event.type === 'FaucetClaimReserved' ||
  event.type === 'FaucetClaimSettled' ||
  event.type === 'BudgetFunded' ||
  event.type === 'Awarded' ||
  event.type === 'AwardReversed';

/** `undefined` when it changes nothing: it was read before. */
function reserved(
  { account, claimId }: Extract<Event, { type: 'FaucetClaimReserved' }>,
  before: Claim | undefined,
  at: number,
): Claim | undefined {
  if (before !== undefined && (before.claimId === claimId || before.reservedAt > at)) return undefined;
  return { claimId, account, reservedAt: at, outcome: undefined };
}

function settled({ claimId, outcome }: Extract<Event, { type: 'FaucetClaimSettled' }>, before: Claim | undefined): Claim | undefined {
  if (before === undefined || before.claimId !== claimId || before.outcome === outcome) return undefined;
  return { ...before, outcome };
}
