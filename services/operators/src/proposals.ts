/**
 * The two-person rule: one operator proposes, another one approves exactly that, within 15 minutes, once. The approval names the hash of the
 * change and of what it was proposed on; when either is not as it was, nothing happens.
 */
import {
  ApiError,
  PROPOSAL_MS,
  type Budgets,
  type NewCampaign,
  type Operator,
  type OperatorRole,
  type Proposal,
  type TaskChange,
} from '@orrery/api';
import { unreachable, type Address } from '@orrery/units';
import type { Selectable } from 'kysely';
import type { AuditLog } from './audit-log.ts';
import { canonical, hashOf } from './canonical.ts';
import type { Change } from './change.ts';
import type { Desk } from './desk.ts';
import type { Roster } from './roster.ts';
import type { BudgetPort, PageOf, Slice, TaskPort } from './ports.ts';
import type { OperatorsDb, OperatorsTables, OperatorsTx } from './tables.ts';

export type ProposedChange =
  | { readonly kind: 'ROLE'; readonly operatorId: string; readonly name: string; readonly role: OperatorRole }
  | { readonly kind: 'INVITE'; readonly name: string; readonly role: OperatorRole; readonly codeHash: string }
  | ({ readonly kind: 'BUDGET' } & Budgets)
  | { readonly kind: 'AWARD'; readonly address: Address; readonly points: number; readonly reason: string }
  | { readonly kind: 'REVERSAL'; readonly key: string; readonly reason: string }
  | ({ readonly kind: 'TASK' } & TaskChange)
  | ({ readonly kind: 'CAMPAIGN' } & NewCampaign);

/** To be carried out when the approval is through. */
interface Due {
  readonly action: number;
  readonly change: Change;
}

/** Of the campaign: what changes are proposed on. */
interface Ground {
  readonly budgets: BudgetPort;
  readonly tasks: TaskPort;
}

type Row = Selectable<OperatorsTables['operators_proposal']>;

export class Proposals {
  readonly #db: OperatorsDb;
  readonly #audit: AuditLog;
  readonly #roster: Roster;
  readonly #desk: Desk;
  readonly #campaign: Ground;
  readonly #now: () => number;

  constructor(parts: { db: OperatorsDb; audit: AuditLog; roster: Roster; desk: Desk; campaign: Ground; now: () => number }) {
    this.#db = parts.db;
    this.#audit = parts.audit;
    this.#roster = parts.roster;
    this.#desk = parts.desk;
    this.#campaign = parts.campaign;
    this.#now = parts.now;
  }

  /** Newest first. */
  async page({ page, size }: Slice): Promise<PageOf<Proposal>> {
    const rows = await this.#db
      .selectFrom('operators_proposal')
      .selectAll()
      .orderBy('proposal_id', 'desc')
      .limit(size)
      .offset((page - 1) * size)
      .execute();
    const { total } = await this.#db
      .selectFrom('operators_proposal')
      .select((of) => of.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow();
    return { list: rows.map((row) => this.#shown(row)), total };
  }

  async propose(operator: Operator, proposed: ProposedChange): Promise<Proposal> {
    const now = this.#now();
    return this.#db.transaction().execute(async (tx) => {
      const { kind, ...change } = proposed;
      const draft = await tx
        .insertInto('operators_proposal')
        .values({
          kind,
          change: canonical(change),
          base: await this.#baseOf(tx, proposed),
          hash: '',
          proposer_id: operator.operatorId,
          proposer: operator.name,
          proposed_at: now,
          expires_at: now + PROPOSAL_MS,
          state: 'WAITING',
          decided_by: null,
          decided_at: null,
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      const row = { ...draft, hash: proposalHash(draft) };
      await tx.updateTable('operators_proposal').set({ hash: row.hash }).where('proposal_id', '=', row.proposal_id).execute();
      await this.#audit.append(tx, {
        operator: operator.name,
        action: 'PROPOSE',
        detail: { proposalId: row.proposal_id, kind, change, hash: row.hash },
      });
      return this.#shown(row);
    });
  }

  async approve(operator: Operator, { proposalId, hash }: { proposalId: number; hash: string }): Promise<Proposal> {
    const { decided, due } = await this.#db.transaction().execute(async (tx) => {
      const row = await this.#waiting(tx, proposalId);
      if (row.proposer_id === operator.operatorId) throw new ApiError('OwnProposal');
      if (row.hash !== hash.toLowerCase()) throw new ApiError('MalformedField', { field: 'hash' });
      const proposed = { kind: row.kind, ...(JSON.parse(row.change) as object) } as ProposedChange;
      if (proposalHash(row) !== row.hash || (await this.#baseOf(tx, proposed)) !== row.base) throw new ApiError('ProposalOutdated');
      const decided = await this.#decide(tx, { row, operator, state: 'APPROVED' });
      return { decided, due: await this.#apply(tx, { proposed, proposalId, operator }) };
    });
    if (due !== undefined) await this.#desk.carryOut(due.action, due.change);
    return decided;
  }

  /** By anybody, the proposer too: what is not done needs no second person. */
  async reject(operator: Operator, proposalId: number): Promise<Proposal> {
    return this.#db
      .transaction()
      .execute(async (tx) => this.#decide(tx, { row: await this.#waiting(tx, proposalId), operator, state: 'REJECTED' }));
  }

  async #waiting(tx: OperatorsTx, proposalId: number): Promise<Row> {
    const row = await tx.selectFrom('operators_proposal').selectAll().where('proposal_id', '=', proposalId).forUpdate().executeTakeFirst();
    if (row === undefined) throw new ApiError('UnknownThing', { field: 'proposalId' });
    if (row.state !== 'WAITING' || row.expires_at <= this.#now()) throw new ApiError('ProposalOver');
    return row;
  }

  async #decide(
    tx: OperatorsTx,
    { row, operator, state }: { row: Row; operator: Operator; state: 'APPROVED' | 'REJECTED' },
  ): Promise<Proposal> {
    const decided = { state, decided_by: operator.name, decided_at: this.#now() };
    await tx.updateTable('operators_proposal').set(decided).where('proposal_id', '=', row.proposal_id).execute();
    await this.#audit.append(tx, {
      operator: operator.name,
      action: state === 'APPROVED' ? 'APPROVE' : 'REJECT',
      detail: { proposalId: row.proposal_id, kind: row.kind, hash: row.hash },
    });
    return this.#shown({ ...row, ...decided });
  }

  /** What the change was proposed on: it must still be so when it is approved. */
  async #baseOf(tx: OperatorsTx, proposed: ProposedChange): Promise<string> {
    switch (proposed.kind) {
      case 'ROLE':
        return this.#roster.roleOf(tx, proposed.operatorId);
      case 'BUDGET':
        return canonical(await this.#campaign.budgets.list());
      case 'TASK':
        return canonical((await this.#campaign.tasks.list()).find(({ taskCode }) => taskCode === proposed.taskCode) ?? null);
      case 'INVITE':
      case 'AWARD':
      case 'REVERSAL':
      case 'CAMPAIGN':
        return '';
      default:
        return unreachable(proposed);
    }
  }

  async #apply(
    tx: OperatorsTx,
    { proposed, proposalId, operator }: { proposed: ProposedChange; proposalId: number; operator: Operator },
  ): Promise<Due | undefined> {
    switch (proposed.kind) {
      case 'ROLE':
        await this.#roster.setRole(tx, proposed);
        return undefined;
      case 'INVITE':
        await this.#roster.openInvitation(tx, proposed);
        return undefined;
      case 'BUDGET':
      case 'REVERSAL':
      case 'TASK':
      case 'CAMPAIGN':
        return { action: await this.#desk.decide(tx, operator.name, proposed), change: proposed };
      case 'AWARD': {
        const change = { ...proposed, id: `proposal-${proposalId}` };
        return { action: await this.#desk.decide(tx, operator.name, change), change };
      }
      default:
        return unreachable(proposed);
    }
  }

  #shown(row: Row): Proposal {
    const isExpired = row.state === 'WAITING' && row.expires_at <= this.#now();
    return {
      proposalId: row.proposal_id,
      kind: row.kind,
      change: row.change,
      hash: row.hash,
      proposedBy: row.proposer,
      proposedAt: row.proposed_at,
      expiresAt: row.expires_at,
      state: isExpired ? 'EXPIRED' : row.state,
      decidedBy: row.decided_by,
      decidedAt: row.decided_at,
    };
  }
}

const proposalHash = ({ proposal_id: proposalId, kind, change, base, proposer_id: proposerId }: Row): string =>
  hashOf({ proposalId, kind, change, base, proposerId });
