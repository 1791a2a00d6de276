import { assert, minAtoms, NO_ATOMS, subtractAtoms, type AssetId, type Atoms } from '@orrery/units';
import type { Event, WriteOffDeposit } from '@orrery/protocol';
import { reject } from '@orrery/rules';
import { pay } from '../ledger/movements.ts';
import { repayUncovered } from '../ledger/repay-uncovered.ts';
import { checkKey } from './check-money.ts';
import { bodyOfOrphan } from './money-records.ts';
import type { MoneyState } from './money-state.ts';
import { sumOf, takeFree } from './take-free.ts';

/**
 * A deposit in suspense that will not return leaves the ledger: all of its amount goes back to EXTERNAL, which then has what the vault has. What the
 * account spent of it the insurance fund pays, and UNCOVERED owes what the fund lacks; so nothing of it is made.
 */
export function writeOffDeposit(state: MoneyState, { key }: WriteOffDeposit): Event[] {
  const malformed = checkKey(key, 'key');
  if (malformed !== undefined) return [malformed];
  const { money, ledger } = state;
  if (money.writtenOff(key) !== undefined) return [{ type: 'CommandRepeated', key }];
  const deposit = money.deposit(key);
  if (deposit === undefined) return [reject('UnknownDeposit', 'key')];
  if (state.rules < 6) return [reject('RulesTooOld')];
  const orphan = money.orphan(key);
  if (orphan === undefined) return [reject('DepositNotInSuspense', 'key')];
  // After this point nothing fails.
  const { account, asset, amount: fromSuspense } = orphan;
  const to = ledger.system('EXTERNAL', asset);
  pay(ledger, ledger.system('SUSPENSE', asset), to, fromSuspense);
  const funding: Event[] = [];
  const taken = takeFree(state, { account, asset, amount: subtractAtoms(deposit.amount, fromSuspense), to }, funding);
  const missing = subtractAtoms(subtractAtoms(deposit.amount, fromSuspense), sumOf(taken));
  const paid = payMissing(state, asset, missing);
  money.forget('orphan', key);
  money.remember('writtenOff', key, bodyOfOrphan({ account, asset, amount: missing }));
  return [{ type: 'DepositWrittenOff', key, account, asset, amount: deposit.amount, fromSuspense, ...taken, ...paid }, ...funding];
}

function payMissing({ ledger }: MoneyState, asset: AssetId, missing: Atoms): { fromInsurance: Atoms; uncovered: Atoms } {
  const to = ledger.system('EXTERNAL', asset);
  const fund = ledger.system('INSURANCE', asset);
  const fromInsurance = minAtoms(ledger.free(fund), missing);
  const uncovered = subtractAtoms(missing, fromInsurance);
  if (fromInsurance > NO_ATOMS) pay(ledger, fund, to, fromInsurance);
  if (uncovered > NO_ATOMS) pay(ledger, ledger.system('UNCOVERED', asset), to, uncovered);
  return { fromInsurance, uncovered };
}

/**
 * The deposit is on the chain after all, and comes in again: what the exchange paid for it returns to the insurance fund, which first pays what is
 * uncovered. What is left for the account is what was taken of it.
 */
export function repayWriteOff({ ledger, rules, money }: MoneyState, key: string, amount: Atoms): { left: Atoms; events: Event[] } {
  const written = money.writtenOff(key);
  assert(written !== undefined && written.amount <= amount, 'the exchange pays no more for a deposit than it was');
  const { account, asset, amount: paid } = written;
  money.forget('writtenOff', key);
  const left = subtractAtoms(amount, paid);
  if (paid === NO_ATOMS) return { left, events: [] };
  pay(ledger, ledger.system('EXTERNAL', asset), ledger.system('INSURANCE', asset), paid);
  repayUncovered(ledger, rules, asset);
  return { left, events: [{ type: 'WriteOffRepaid', key, account, asset, amount: paid }] };
}
