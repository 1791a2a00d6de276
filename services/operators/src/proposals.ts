/**
 * The two-person rule: one operator proposes, another one approves exactly that, within 15 minutes, once. The approval names the hash of the
 * change and of what it was proposed on; when either is not as it was, nothing happens. What gives more than there is then waits for the
 * timelock, and anybody who may approve may cancel it meanwhile.
 */
import { ApiError, PROPOSAL_MS, type Operator, type Proposal } from '@orrery/api';
import type { AuditLog } from './audit-log.ts';
import { refuseSecond } from './bug-reports.ts';
import { refuseReturned, refuseSecondWriteOff } from './write-offs.ts';
import { canonical } from './canonical.ts';
import type { Desk } from './desk.ts';
import type { Effects } from './effects.ts';
import type { PageOf, Slice } from './ports.ts';
import {
  baseOf,
  isLooser,
  proposalHash,
  proposedOf,
  subjectOfProposal,
  type Ground,
  type ProposalRow,
  type ProposedChange,
} from './proposed-change.ts';
import type { OperatorsDb, OperatorsTx } from './tables.ts';

export class Proposals {
  readonly #db: OperatorsDb;
  readonly #audit: AuditLog;
  readonly #desk: Desk;
  readonly #effects: Effects;
  readonly #ground: Ground;
  readonly #timelockMs: number;
  readonly #now: () => number;

  constructor(parts: {
    db: OperatorsDb;
    audit: AuditLog;
    desk: Desk;
    effects: Effects;
    ground: Ground;
    timelockMs: number;
    now: () => number;
  }) {
    this.#db = parts.db;
    this.#audit = parts.audit;
    this.#desk = parts.desk;
    this.#effects = parts.effects;
    this.#ground = parts.ground;
    this.#timelockMs = parts.timelockMs;
    this.#now = parts.now;
  }

  /** Newest first. @param only `OPEN`: those that wait for an approver or for their time. */
  async page({ page, size }: Slice, only?: 'OPEN'): Promise<PageOf<Proposal>> {
    const wanted = this.#db
      .selectFrom('operators_proposal')
      .$if(only === 'OPEN', (all) =>
        all.where((of) =>
          of.or([
            of('state', '=', 'APPROVED'),
            of.and([of('state', '=', 'WAITING'), of('operators_proposal.expires_at', '>', this.#now())]),
          ]),
        ),
      );
    const rows = await wanted
      .leftJoin('operators_action', 'operators_action.proposal_id', 'operators_proposal.proposal_id')
      .selectAll('operators_proposal')
      .select('operators_action.refusal')
      .orderBy('operators_proposal.proposal_id', 'desc')
      .limit(size)
      .offset((page - 1) * size)
      .execute();
    const { total } = await wanted.select((of) => of.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
    return { list: rows.map((row) => this.#shown(row, row.refusal)), total };
  }

  async propose(operator: Operator, proposed: ProposedChange): Promise<Proposal> {
    if (proposed.kind === 'CAMPAIGN' && proposed.startsAt <= this.#now() + this.#timelockMs)
      throw new ApiError('MalformedField', { field: 'startsAt', message: 'startsAt must come after the timelock' });
    return this.#db.transaction().execute(async (tx) => {
      const row = await this.#insert(tx, operator, proposed);
      if (proposed.kind === 'BUG_REPORT') await refuseSecond(tx, proposed, { now: this.#now(), but: row.proposal_id });
      if (proposed.kind === 'WRITE_OFF') await refuseSecondWriteOff(tx, proposed.depositKey, { now: this.#now(), but: row.proposal_id });
      return this.#shown(row);
    });
  }

  /** The second operator: there is no approver, so the invitation waits for the timelock, visible to everybody. */
  async inviteAlone(operator: Operator, invitation: ProposedChange & { kind: 'INVITE' }): Promise<Proposal> {
    return this.#db.transaction().execute(async (tx) => {
      const row = await this.#insert(tx, operator, invitation);
      const now = this.#now();
      const effectiveAt = now + this.#timelockMs;
      const alone = await this.#write(tx, row, { state: 'APPROVED', decided_at: now, effective_at: effectiveAt });
      await this.#log(tx, { operator, action: 'INVITE_ALONE', row: alone, more: { effectiveAt } });
      if (effectiveAt > now) return this.#shown(alone);
      await this.#effects.begin(tx, alone);
      return this.#shown({ ...alone, state: 'DONE' });
    });
  }

  async #insert(tx: OperatorsTx, operator: Operator, proposed: ProposedChange): Promise<ProposalRow> {
    const { kind, ...change } = proposed;
    const now = this.#now();
    const draft = await tx
      .insertInto('operators_proposal')
      .values({
        kind,
        change: canonical(change),
        base: await baseOf(tx, proposed, this.#ground),
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
    const detail = { proposalId: row.proposal_id, kind, change, hash: row.hash };
    await this.#audit.append(tx, { operator: operator.name, action: 'PROPOSE', detail });
    return row;
  }

  /** What waits for no timelock is done when this returns. */
  async approve(operator: Operator, approval: { proposalId: number; hash: string }): Promise<Proposal> {
    const row = await this.#db
      .selectFrom('operators_proposal')
      .selectAll()
      .where('proposal_id', '=', approval.proposalId)
      .executeTakeFirst();
    const subject = row === undefined ? undefined : subjectOfProposal(proposedOf(row));
    return this.#desk.inTurn(subject, () => this.#approve(operator, approval));
  }

  async #approve(operator: Operator, { proposalId, hash }: { proposalId: number; hash: string }): Promise<Proposal> {
    const { decided, due } = await this.#db.transaction().execute(async (tx) => {
      const row = await this.#waiting(tx, proposalId);
      if (row.proposer_id === operator.operatorId) throw new ApiError('OwnProposal');
      if (row.hash !== hash.toLowerCase()) throw new ApiError('MalformedField', { field: 'hash' });
      await refuseReturned(proposedOf(row), this.#ground);
      await this.#ground.arbiters.refuseSides(operator, proposedOf(row));
      if (!(await this.#effects.stands(tx, row))) throw new ApiError('ProposalOutdated');
      const proposed = proposedOf(row);
      const now = this.#now();
      const effectiveAt = isLooser(proposed, row.base) ? now + this.#timelockMs : now;
      // It would begin before it is there.
      if (proposed.kind === 'CAMPAIGN' && proposed.startsAt <= effectiveAt) throw new ApiError('ProposalOutdated');
      const decided = await this.#write(tx, row, {
        state: 'APPROVED',
        decided_by: operator.name,
        decided_at: now,
        approver_id: operator.operatorId,
        effective_at: effectiveAt,
      });
      await this.#log(tx, { operator, action: 'APPROVE', row: decided, more: { effectiveAt } });
      if (effectiveAt > now) return { decided, due: undefined };
      const due = await this.#effects.begin(tx, decided);
      return { decided: { ...decided, state: 'DONE' as const }, due };
    });
    if (due !== undefined) await this.#desk.carryOut(due.action, due.change);
    return this.#shown(decided);
  }

  /** By anybody, the proposer too: what is not done needs no second person. */
  async reject(operator: Operator, proposalId: number): Promise<Proposal> {
    return this.#db.transaction().execute(async (tx) => {
      const row = await this.#waiting(tx, proposalId);
      const decided = await this.#write(tx, row, { state: 'REJECTED', decided_by: operator.name, decided_at: this.#now() });
      await this.#log(tx, { operator, action: 'REJECT', row: decided });
      return this.#shown(decided);
    });
  }

  /** By anybody who might have approved it, before its time has come. */
  async cancel(operator: Operator, proposalId: number): Promise<Proposal> {
    return this.#db.transaction().execute(async (tx) => {
      const row = await this.#held(tx, proposalId);
      if (row.state !== 'APPROVED') throw new ApiError('ProposalOver');
      const cancelled = await this.#write(tx, row, { state: 'CANCELLED', cancelled_by: operator.name });
      await this.#log(tx, { operator, action: 'CANCEL', row: cancelled });
      return this.#shown(cancelled);
    });
  }

  async #held(tx: OperatorsTx, proposalId: number): Promise<ProposalRow> {
    const row = await tx.selectFrom('operators_proposal').selectAll().where('proposal_id', '=', proposalId).forUpdate().executeTakeFirst();
    if (row === undefined) throw new ApiError('UnknownThing', { field: 'proposalId' });
    return row;
  }

  async #waiting(tx: OperatorsTx, proposalId: number): Promise<ProposalRow> {
    const row = await this.#held(tx, proposalId);
    if (row.state !== 'WAITING' || row.expires_at <= this.#now()) throw new ApiError('ProposalOver');
    return row;
  }

  async #write(tx: OperatorsTx, row: ProposalRow, change: Partial<ProposalRow>): Promise<ProposalRow> {
    await tx.updateTable('operators_proposal').set(change).where('proposal_id', '=', row.proposal_id).execute();
    return { ...row, ...change };
  }

  async #log(
    tx: OperatorsTx,
    { operator, action, row, more = {} }: { operator: Operator; action: string; row: ProposalRow; more?: { effectiveAt?: number } },
  ): Promise<void> {
    const detail = { proposalId: row.proposal_id, kind: row.kind, hash: row.hash, ...more };
    await this.#audit.append(tx, { operator: operator.name, action, detail });
  }

  #shown(row: ProposalRow, refusal: string | null = null): Proposal {
    const isExpired = row.state === 'WAITING' && row.expires_at <= this.#now();
    return {
      proposalId: row.proposal_id,
      kind: row.kind,
      change: row.change,
      hash: row.hash,
      proposedBy: row.proposer,
      proposedAt: row.proposed_at,
      expiresAt: row.expires_at,
      state: isExpired ? 'EXPIRED' : refusal === null ? row.state : 'REFUSED',
      decidedBy: row.decided_by,
      decidedAt: row.decided_at,
      effectiveAt: row.effective_at,
      cancelledBy: row.cancelled_by,
      refusal,
    };
  }
}
