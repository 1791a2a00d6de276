/**
 * The two-person rule: one operator proposes, another one approves exactly that, within 15 minutes, once. The approval names the hash of the
 * change and of what it was proposed on; when either is not as it was, nothing happens.
 */
import { ApiError, PROPOSAL_MS, type Operator, type OperatorRole, type Proposal } from '@orrery/api';
import { unreachable } from '@orrery/units';
import type { Selectable } from 'kysely';
import type { AuditLog } from './audit-log.ts';
import { canonical, hashOf } from './canonical.ts';
import type { Roster } from './roster.ts';
import type { PageOf, Slice } from './ports.ts';
import type { OperatorsDb, OperatorsTables, OperatorsTx } from './tables.ts';

export type ProposedChange =
  | { readonly kind: 'ROLE'; readonly operatorId: string; readonly name: string; readonly role: OperatorRole }
  | { readonly kind: 'INVITE'; readonly name: string; readonly role: OperatorRole; readonly codeHash: string };

type Row = Selectable<OperatorsTables['operators_proposal']>;

export class Proposals {
  readonly #db: OperatorsDb;
  readonly #audit: AuditLog;
  readonly #roster: Roster;
  readonly #now: () => number;

  constructor(parts: { db: OperatorsDb; audit: AuditLog; roster: Roster; now: () => number }) {
    this.#db = parts.db;
    this.#audit = parts.audit;
    this.#roster = parts.roster;
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
    return this.#db.transaction().execute(async (tx) => {
      const row = await this.#waiting(tx, proposalId);
      if (row.proposer_id === operator.operatorId) throw new ApiError('OwnProposal');
      if (row.hash !== hash.toLowerCase()) throw new ApiError('MalformedField', { field: 'hash' });
      const proposed = { kind: row.kind, ...(JSON.parse(row.change) as object) } as ProposedChange;
      if (proposalHash(row) !== row.hash || (await this.#baseOf(tx, proposed)) !== row.base) throw new ApiError('ProposalOutdated');
      const decided = await this.#decide(tx, { row, operator, state: 'APPROVED' });
      await this.#apply(tx, proposed);
      return decided;
    });
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
      case 'INVITE':
        return '';
      default:
        return unreachable(proposed);
    }
  }

  async #apply(tx: OperatorsTx, proposed: ProposedChange): Promise<void> {
    switch (proposed.kind) {
      case 'ROLE':
        return this.#roster.setRole(tx, proposed);
      case 'INVITE':
        return this.#roster.openInvitation(tx, proposed);
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
