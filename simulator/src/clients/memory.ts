/** The answers that a client received and those still missing: the witness checks every answer, and open calls are kept until a query resolves them. */
import type { AccountId } from '@orrery/units';
import type { Meters } from '../meters.ts';
import type { Witness } from '../oracle/witness.ts';
import { Violation } from '../violation.ts';
import type { Outcome } from './remote.ts';

/** What was asked under a name and never answered. */
export interface Unknown {
  readonly kind: 'order' | 'contractOrder' | 'plan' | 'transfer' | 'withdrawal';
  readonly name: string;
}

export type OrderKind = Extract<Unknown['kind'], 'order' | 'contractOrder' | 'plan'>;

export interface MemoryParts {
  readonly name: string;
  readonly account: AccountId;
  readonly witness: Witness;
  readonly meters: Meters;
}

type Answered = Extract<Outcome, { kind: 'ok' }>;

/** Of the orders that may be open. */
export const KNOWN_ORDERS = 60;

export class Memory {
  readonly unknowns: Unknown[] = [];
  /** The newest command that it knows of. */
  lastSeq = 0;
  orders: string[] = [];
  readonly #parts: MemoryParts;

  constructor(parts: MemoryParts) {
    this.#parts = parts;
  }

  settleOrder(clientOrderId: string, outcome: Outcome, kind: OrderKind = 'order'): void {
    const { witness, account, name } = this.#parts;
    if (outcome.kind === 'ok') {
      const orderId = String(outcome.data);
      this.acknowledge(outcome, orderId);
      this.#accepted(clientOrderId, orderId, outcome.seq ?? 0);
      return;
    }
    this.rememberUnknown(outcome, [clientOrderId], kind);
    if (outcome.kind === 'refused' && outcome.arrivals === 1 && witness.ordersNamed(account, clientOrderId).length > 0)
      throw new Violation('O7', `order ${clientOrderId} of ${name} was refused (${outcome.reason}) and was accepted`);
  }

  /** Both orders of a pair, the one above first. */
  settlePair(names: readonly [string, string], outcome: Outcome): void {
    if (outcome.kind !== 'ok') {
      this.rememberUnknown(outcome, names);
      return;
    }
    const { above, below } = outcome.data as { readonly above: string; readonly below: string };
    this.acknowledge(outcome, above);
    this.#accepted(names[0], above, outcome.seq ?? 0);
    this.#accepted(names[1], below, outcome.seq ?? 0);
    this.#parts.meters.count('pair answered');
  }

  settleBatch(names: readonly string[], outcome: Answered): void {
    const items = Array.isArray(outcome.data) ? outcome.data : [];
    for (const [index, name] of names.entries()) {
      const item: unknown = items[index];
      const orderId = typeof item === 'object' && item !== null && 'data' in item && typeof item.data === 'string' ? item.data : undefined;
      // A refusal may be temporary: history has the outcome.
      if (orderId === undefined) this.unknowns.push({ kind: 'order', name });
      else this.#accepted(name, orderId, outcome.seq ?? 0);
    }
    this.#parts.meters.count('batch answered');
  }

  settleTransfer(transferId: string, outcome: Outcome): void {
    const { witness, account, name } = this.#parts;
    if (outcome.kind === 'ok') this.acknowledge(outcome, undefined);
    else if (isOpen(outcome)) this.unknowns.push({ kind: 'transfer', name: transferId });
    else if (outcome.kind === 'refused' && witness.isTransferred(account, transferId))
      throw new Violation('O7', `transfer ${transferId} of ${name} was refused (${outcome.reason}) and was made`);
  }

  settleWithdrawal(withdrawalId: string, outcome: Outcome): void {
    if (outcome.kind === 'ok') this.acknowledge(outcome, undefined);
    else if (isOpen(outcome)) this.unknowns.push({ kind: 'withdrawal', name: withdrawalId });
  }

  /** Of orders. */
  rememberUnknown(outcome: Outcome, names: readonly string[], kind: OrderKind = 'order'): void {
    this.#parts.meters.count(`order ${outcome.kind}`);
    if (isOpen(outcome)) for (const name of names) this.unknowns.push({ kind, name });
  }

  acknowledge({ seq }: Answered, orderId: string | undefined): void {
    if (seq === undefined || seq === 0) return;
    this.lastSeq = Math.max(this.lastSeq, seq);
    this.#parts.witness.acknowledge({ seq, account: this.#parts.account, orderId });
  }

  #accepted(clientOrderId: string, orderId: string, seq: number): void {
    const { witness, account, meters, name } = this.#parts;
    meters.count('order accepted');
    this.orders.push(orderId);
    if (this.orders.length > 2 * KNOWN_ORDERS) this.orders.splice(0, KNOWN_ORDERS);
    const named = witness.ordersNamed(account, clientOrderId);
    if (named.length > 1) throw new Violation('R3', `order ${clientOrderId} of ${name} was accepted ${named.length} times`);
    if (witness.seq >= seq && named.every(({ orderId: other }) => String(other) !== orderId))
      throw new Violation(
        'O7',
        `order ${clientOrderId} of ${name} is ${named[0]?.orderId ?? 'unknown to history'}, and ${orderId} was answered`,
      );
  }
}

/** A refusal of one of several arrivals says nothing of the others. */
const isOpen = (outcome: Outcome): boolean => outcome.kind === 'unknown' || outcome.arrivals > 1;
