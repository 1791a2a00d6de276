/**
 * What becomes of an approved change at its time: once, if it still stands. The row that waits for its time, the audit row and what is left to
 * be done elsewhere change in one transaction, so that neither a restart nor a crash does it twice or forgets it.
 */
import { ApiError, APPROVAL_MS, type OperatorRole } from '@orrery/api';
import { unreachable } from '@orrery/units';
import type { AuditLog } from './audit-log.ts';
import { BUG_REPORT_REASON } from './bug-reports.ts';
import type { Change } from './change.ts';
import type { Desk } from './desk.ts';
import { baseOf, proposalHash, proposedOf, subjectOfProposal, type Ground, type ProposalRow } from './proposed-change.ts';
import type { OperatorsDb, OperatorsTx } from './tables.ts';

const CONSOLE = 'the console';

/** To be carried out when the transaction is through. */
export interface Due {
  readonly action: number;
  readonly change: Change;
}

export class Effects {
  readonly #db: OperatorsDb;
  readonly #audit: AuditLog;
  readonly #desk: Desk;
  readonly #ground: Ground;
  readonly #now: () => number;

  constructor(parts: { db: OperatorsDb; audit: AuditLog; desk: Desk; ground: Ground; now: () => number }) {
    this.#db = parts.db;
    this.#audit = parts.audit;
    this.#desk = parts.desk;
    this.#ground = parts.ground;
    this.#now = parts.now;
  }

  /** Whether the change and its ground are as they were, and those who decided it may still decide. */
  async stands(tx: OperatorsTx, row: ProposalRow): Promise<boolean> {
    if (proposalHash(row) !== row.hash) return false;
    if (isAlone(row) && !(await this.#ground.invitations.isAlone(tx))) return false;
    for (const operatorId of [row.proposer_id, row.approver_id])
      if (operatorId !== null && !(await this.#ground.roster.mayAct(tx, operatorId))) return false;
    try {
      return (await baseOf(tx, proposedOf(row), this.#ground)) === row.base;
    } catch (error) {
      // What it was proposed on is gone.
      if (error instanceof ApiError && error.data.reason === 'UnknownThing') return false;
      throw error;
    }
  }

  /** @param row is approved and held by this transaction. */
  async begin(tx: OperatorsTx, row: ProposalRow): Promise<Due | undefined> {
    await this.#end(tx, row, 'DONE');
    const proposed = proposedOf(row);
    const operator = row.decided_by ?? CONSOLE;
    const decide = async (change: Change): Promise<Due> => ({
      action: await this.#desk.decide(tx, { operator, change, proposalId: row.proposal_id }),
      change,
    });
    switch (proposed.kind) {
      case 'ROLE':
        await this.#ground.roster.setRole(tx, { ...proposed, before: row.base as OperatorRole });
        return undefined;
      case 'RIGHT':
        await this.#ground.roster.giveRight(tx, proposed);
        return undefined;
      case 'INVITE':
        await this.#ground.invitations.open(tx, { ...proposed, alone: isAlone(row) });
        return undefined;
      case 'BUDGET':
      case 'REVERSAL':
      case 'TASK':
      case 'CAMPAIGN':
      case 'APPEAL':
      case 'LUCKY_RESUME':
      case 'FUND_RESUME':
      case 'ERASURE':
      case 'WRITE_OFF':
      case 'OTC_DECISION':
      case 'OTC_PAYMENT':
        return decide(proposed);
      case 'AWARD':
        return decide({ ...proposed, id: `proposal-${row.proposal_id}` });
      case 'BUG_REPORT': {
        const { id, address, points } = proposed;
        return decide({ kind: 'AWARD', id, address, points, reason: BUG_REPORT_REASON });
      }
      default:
        return unreachable(proposed);
    }
  }

  /** Does what is due by the clock, in the order in which it is due. */
  async runDue(onTrouble: (error: unknown) => void): Promise<void> {
    const due = await this.#db
      .selectFrom('operators_proposal')
      .selectAll()
      .where('state', '=', 'APPROVED')
      .where('effective_at', '<=', this.#now())
      .orderBy('effective_at')
      .orderBy('proposal_id')
      .execute();
    for (const row of due) await this.#inTurn(row).catch(onTrouble);
  }

  async #inTurn(row: ProposalRow): Promise<void> {
    await this.#desk.inTurn(subjectOfProposal(proposedOf(row)), () => this.#takeEffect(row.proposal_id));
  }

  async #takeEffect(proposalId: number): Promise<void> {
    const due = await this.#db.transaction().execute(async (tx) => {
      const row = await this.#held(tx, proposalId);
      // Cancelled meanwhile.
      if (row === undefined) return undefined;
      const isLate = (row.effective_at ?? 0) + APPROVAL_MS <= this.#now();
      if (isLate) return this.#drop(tx, row, 'EXPIRED');
      return (await this.stands(tx, row)) ? this.begin(tx, row) : this.#drop(tx, row, 'OUTDATED');
    });
    if (due !== undefined) await this.#desk.carryOut(due.action, due.change);
  }

  #held(tx: OperatorsTx, proposalId: number): Promise<ProposalRow | undefined> {
    return tx
      .selectFrom('operators_proposal')
      .selectAll()
      .where('proposal_id', '=', proposalId)
      .where('state', '=', 'APPROVED')
      .forUpdate()
      .executeTakeFirst();
  }

  async #drop(tx: OperatorsTx, row: ProposalRow, state: 'OUTDATED' | 'EXPIRED'): Promise<undefined> {
    await this.#end(tx, row, state);
    const { proposal_id: proposalId, kind, hash } = row;
    await this.#audit.append(tx, { operator: CONSOLE, action: state, detail: { proposalId, kind, hash } });
  }

  async #end(tx: OperatorsTx, { proposal_id: proposalId }: ProposalRow, state: 'DONE' | 'OUTDATED' | 'EXPIRED'): Promise<void> {
    await tx.updateTable('operators_proposal').set({ state }).where('proposal_id', '=', proposalId).execute();
  }
}

/** Without approval: there was no second operator. */
const isAlone = ({ state, approver_id: approverId }: ProposalRow): boolean => state !== 'WAITING' && approverId === null;
