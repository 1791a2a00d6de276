/**
 * Pays what the positions of an account owe for the last settled interval. Whatever changes a position, or takes money that its account may owe, calls this first:
 * a position pays before its size changes, and an account receives before it pays, so that nobody else pays what it will have in the same moment.
 */
import { addAtoms, assert, negateAtoms, NO_ATOMS, type Atoms } from '@orrery/units';
import type { Event } from '@orrery/protocol';
import { hold, pay } from '../ledger/movements.ts';
import type { ContractState } from '../positions/contract-state.ts';
import type { Holder, PositionRow } from '../positions/position-row.ts';
import { owesFunding, unpaidOf } from '../positions/unpaid-funding.ts';
import { collect, type PaymentState } from './payment.ts';

/** @returns how many positions have paid or received */
export function payFunding(state: PaymentState, holder: Holder, events: Event[]): number {
  const received = payRows(state, holder, events, (amount) => amount >= NO_ATOMS);
  return received + payRows(state, holder, events, (amount) => amount < NO_ATOMS);
}

function payRows(state: PaymentState, { exposures }: Holder, events: Event[], isDue: (amount: Atoms) => boolean): number {
  let paid = 0;
  for (const { contract, rows } of exposures) {
    if (contract.funding.unpaid === undefined) continue;
    for (const row of rows) {
      if (row === undefined || !owesFunding(row)) continue;
      const amount = unpaidOf(row);
      if (!isDue(amount)) continue;
      payRow(state, row, amount, events);
      paid += 1;
    }
  }
  return paid;
}

function payRow(state: PaymentState, row: PositionRow, amount: Atoms, events: Event[]): void {
  const { contract, holder } = row.exposure;
  const { unpaid, index } = contract.funding;
  assert(unpaid !== undefined, 'P2: what is paid was settled');
  row.fundingIndex = index;
  if (amount !== NO_ATOMS) {
    moveFunding(state, row, amount, events);
    const { account } = holder;
    const { market } = contract.terms;
    events.push({ type: 'FundingPaid', account, market, positionSide: row.positionSide, interval: unpaid.interval, amount });
  }
  unpaid.received = addAtoms(unpaid.received, amount);
  unpaid.left -= 1;
  if (unpaid.left === 0) endSettlement(state, contract, unpaid.received);
}

/** @param amount what the position receives; below zero what it pays */
export function moveFunding(state: PaymentState, row: PositionRow, amount: Atoms, events: Event[]): void {
  const { ledger, positions } = state;
  const clearing = ledger.system('CLEARING', row.exposure.contract.terms.settle);
  positions.touch(row);
  if (amount < NO_ATOMS) collect(state, row, clearing, negateAtoms(amount), events);
  else receive(state, row, amount);
  row.funding = addAtoms(row.funding, amount);
}

/** An isolated position keeps what it receives as margin. */
function receive({ ledger }: PaymentState, row: PositionRow, amount: Atoms): void {
  const { balance, contract, mode } = row.exposure;
  pay(ledger, ledger.system('CLEARING', contract.terms.settle), balance, amount);
  if (mode !== 'isolated') return;
  hold(ledger, balance, 'positionMargin', amount);
  row.margin = addAtoms(row.margin, amount);
}

function endSettlement(state: PaymentState, contract: ContractState, received: Atoms): void {
  contract.funding.unpaid = undefined;
  payRemainder(state, contract, received);
}

/** P2: positions never receive more than they pay, and what rounding leaves over goes to DUST. @param received by all positions together */
export function payRemainder({ ledger }: PaymentState, { terms }: ContractState, received: Atoms): void {
  assert(received <= NO_ATOMS, 'P2: funding is never created');
  if (received < NO_ATOMS) pay(ledger, ledger.system('CLEARING', terms.settle), ledger.system('DUST', terms.settle), negateAtoms(received));
}
