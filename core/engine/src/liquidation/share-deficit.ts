/**
 * Who pays what a bankrupt account is missing: the liquidator and the insurance fund as far as they may, and beyond them those whom its positions have made gain.
 * The rest is divided over its positions by notional; the part of each is paid by the positions against it in proportion to their gain, nobody more than that, and
 * what the gains of one contract cannot pay goes on to the others. Only what all of them cannot pay the rest of the fund pays, and else nobody. Every division is by
 * the largest remainder.
 */
import { addAtoms, atoms, lots, minAtoms, NO_ATOMS, NO_LOTS, subtractAtoms, type Atoms, type Lots } from '@orrery/units';
import { apportion, contractNotional, fillCapped, gainsByNotional, type AdlRanked, type AdlRanking } from '@orrery/rules';
import type { Balance } from '../ledger/balance.ts';
import type { ContractState } from '../positions/contract-state.ts';
import { walletOf } from '../positions/positions.ts';
import { heldLots, isLong, type PositionRow } from '../positions/position-row.ts';
import { rankedCounterparts, type Counterpart } from './counterparts.ts';
import { allowanceOf, excessOf } from './fund-allowance.ts';
import { endow, freelyHeld } from './liquidator-money.ts';
import type { LiquidationCase, LiquidationScope, LiquidationState } from './liquidation-scope.ts';

/** A position of a bankrupt account. */
export interface Due {
  readonly row: PositionRow;
  /** Lots beyond what the other side of the account has. */
  readonly size: Lots;
  /** Settle atoms at mark, at least 1. */
  readonly notional: Atoms;
}

/** The same, and who stands against it. */
export interface OpposedDue extends Due {
  readonly against: AdlRanking<Counterpart>;
}

/** Who paid a deficit. */
export interface Bearers {
  readonly fromLiquidator: Atoms;
  readonly fromInsurance: Atoms;
  /** Of the gains of others. */
  readonly shared: Atoms;
  readonly uncovered: Atoms;
}

/** What of these positions has to be closed against others. Of an account whose sides are equally large all of both counts: its deficit has no other measure. */
export function duesOf(rows: readonly PositionRow[]): readonly Due[] {
  const open = rows.map((row) => ({ row, size: beyondOther(row, rows) }));
  const left = open.filter(({ size }) => size > NO_LOTS);
  return (left.length > 0 ? left : rows.map((row) => ({ row, size: heldLots(row) }))).map(({ row, size }) => {
    const { prices, terms } = row.exposure.contract;
    const notional = contractNotional(prices.mark, size, terms);
    return { row, size, notional: notional > NO_ATOMS ? notional : atoms(1n) };
  });
}

/** Looks at every position of the other side, as it is at this moment. */
export const opposed = ({ state }: LiquidationScope, dues: readonly Due[]): readonly OpposedDue[] =>
  dues.map((due) => ({ ...due, against: rankedCounterparts(state, due.row) }));

function beyondOther(row: PositionRow, rows: readonly PositionRow[]): Lots {
  const other = rows.find(({ exposure, size }) => exposure === row.exposure && size > 0 !== isLong(row));
  return lots(Math.max(0, heldLots(row) - (other === undefined ? 0 : heldLots(other))));
}

/** A part of a deficit that the fund bears for a contract. */
export interface FundShare {
  readonly contract: ContractState;
  readonly amount: Atoms;
}

/** What the liquidator and the fund bear of it, by contract. A loss of the liquidator itself has been counted: the fund bears all but what is beyond the caps. */
export function fundShares(scope: LiquidationScope, one: LiquidationCase, dues: readonly Due[], missing: Atoms): readonly FundShare[] {
  const { state, at } = scope;
  const [first] = dues;
  if (first === undefined || missing === NO_ATOMS) return [];
  const { contract } = first.row.exposure;
  const money = addAtoms(state.ledger.free(state.ledger.system('INSURANCE', contract.terms.settle)), stakeOf(state, one, contract));
  const contracts = [...new Set(dues.map(({ row }) => row.exposure.contract))];
  if (one.cluster.account === state.liquidations.liquidator) {
    const beyond = contracts.reduce((sum, each) => addAtoms(sum, excessOf(state, each, at)), NO_ATOMS);
    const amount = minAtoms(money, subtractAtoms(missing, beyond));
    return amount > NO_ATOMS ? [{ contract, amount }] : [];
  }
  const vessels = contracts.map((each) => ({ weight: notionalOf(dues, each), cap: allowanceOf(state, each, at) }));
  return fillCapped(minAtoms(missing, money), vessels).map((amount, index) => ({ contract: contracts[index] ?? contract, amount }));
}

const notionalOf = (dues: readonly Due[], contract: ContractState): Atoms =>
  dues.reduce((sum, { row, notional }) => (row.exposure.contract === contract ? addAtoms(sum, notional) : sum), NO_ATOMS);

export const sumOfShares = (shares: readonly FundShare[]): Atoms => shares.reduce((sum, { amount }) => addAtoms(sum, amount), NO_ATOMS);

/** A position that lacks what it is to be closed with. */
export interface Lacking {
  readonly row: PositionRow;
  amount: Atoms;
}

/** Pays into those that lack it, one after the other. */
function endowAll(state: LiquidationState, lacking: readonly Lacking[], from: Balance, amount: Atoms): void {
  let left = amount;
  for (const one of lacking) {
    const part = minAtoms(left, one.amount);
    endow(state, one.row, from, part);
    one.amount = subtractAtoms(one.amount, part);
    left = subtractAtoms(left, part);
  }
}

/** Pays the shares of the fund. */
export function payFundShares(
  { state, at }: LiquidationScope,
  one: LiquidationCase,
  lacking: readonly Lacking[],
  shares: readonly FundShare[],
): Pick<Bearers, 'fromLiquidator' | 'fromInsurance'> {
  const { ledger, liquidations } = state;
  const [first] = lacking;
  const total = sumOfShares(shares);
  if (first === undefined || total === NO_ATOMS) return { fromLiquidator: NO_ATOMS, fromInsurance: NO_ATOMS };
  const { group, terms } = first.row.exposure.contract;
  const { liquidator } = liquidations;
  const fromLiquidator = minAtoms(total, stakeOf(state, one, first.row.exposure.contract));
  const fromInsurance = subtractAtoms(total, fromLiquidator);
  if (liquidator !== 0) endowAll(state, lacking, ledger.of(liquidator, walletOf(group), terms.settle), fromLiquidator);
  endowAll(state, lacking, ledger.system('INSURANCE', terms.settle), fromInsurance);
  // A loss of the liquidator is counted where it is realised.
  if (one.cluster.account !== liquidator)
    for (const { contract, amount } of shares) liquidations.fund.add(contract.terms.market, amount, at);
  return { fromLiquidator, fromInsurance };
}

/** What the liquidator may stake for somebody else. */
const stakeOf = (state: LiquidationState, { cluster }: LiquidationCase, { group, terms }: ContractState): Atoms =>
  cluster.account === state.liquidations.liquidator ? NO_ATOMS : freelyHeld(state, group, terms.settle);

export const sumOfLacking = (lacking: readonly Lacking[]): Atoms => lacking.reduce((sum, { amount }) => addAtoms(sum, amount), NO_ATOMS);

/**
 * Pays all that is lacking, so that positions can be closed at mark.
 * @param dues by whose notional and counterparts it is divided
 * @param least what must be paid; the gains alone pay what is beyond it
 */
export function payDeficit(
  scope: LiquidationScope,
  one: LiquidationCase,
  dues: readonly OpposedDue[],
  lacking: readonly Lacking[],
  least: Atoms = sumOfLacking(lacking),
): Bearers {
  const [first] = dues;
  const missing = sumOfLacking(lacking);
  if (first === undefined || missing === NO_ATOMS) return NOBODY;
  const { state } = scope;
  const shares = fundShares(scope, one, dues, missing);
  const paid = payFundShares(scope, one, lacking, shares);
  const rest = subtractAtoms(missing, sumOfShares(shares));
  const shared = shareByGain(scope, one, dues, rest);
  const { settle, market } = first.row.exposure.contract.terms;
  endowAll(state, lacking, state.ledger.system('CLEARING', settle), shared);
  // Beyond all gains the fund pays whatever it has: it has money only while nothing is uncovered.
  const fund = state.ledger.system('INSURANCE', settle);
  const needed = subtractAtoms(subtractAtoms(least, sumOfShares(shares)), shared);
  const unpaid = needed > NO_ATOMS ? needed : NO_ATOMS;
  const beyond = minAtoms(unpaid, state.ledger.free(fund));
  endowAll(state, lacking, fund, beyond);
  if (one.cluster.account !== state.liquidations.liquidator) state.liquidations.fund.add(market, beyond, scope.at);
  const uncovered = subtractAtoms(unpaid, beyond);
  endowAll(state, lacking, state.ledger.system('UNCOVERED', settle), uncovered);
  return { fromLiquidator: paid.fromLiquidator, fromInsurance: addAtoms(paid.fromInsurance, beyond), shared, uncovered };
}

export const NOBODY: Bearers = { fromLiquidator: NO_ATOMS, fromInsurance: NO_ATOMS, shared: NO_ATOMS, uncovered: NO_ATOMS };

/** @returns what the gains of others pay, from CLEARING, which has it from their costs */
function shareByGain(scope: LiquidationScope, { liquidation }: LiquidationCase, dues: readonly OpposedDue[], amount: Atoms): Atoms {
  const payers = dues.map(({ against }) => against.inOrder.filter(({ candidate }) => candidate.capacity > NO_ATOMS));
  const capacities = payers.map((of) => of.map(({ candidate }) => candidate.capacity));
  const vessels = dues.map(({ notional }, index) => ({ weight: notional, cap: (capacities[index] ?? []).reduce(addAtoms, NO_ATOMS) }));
  let shared = NO_ATOMS;
  for (const [index, part] of fillCapped(amount, vessels).entries()) {
    const paid = apportion(part, capacities[index] ?? []);
    for (const [place, payer] of (payers[index] ?? []).entries())
      payByGain(scope, liquidation.liquidationId, payer, paid[place] ?? NO_ATOMS);
    shared = addAtoms(shared, part);
  }
  return shared;
}

/** A gain that nobody has realised pays: the cost of its position moves towards the mark. What the account has in its wallet and its margin stays as it is. */
function payByGain(scope: LiquidationScope, liquidationId: number, { candidate, rank }: AdlRanked<Counterpart>, paid: Atoms): void {
  if (paid === NO_ATOMS) return;
  const { row, unrealized } = candidate;
  const { contract, holder } = row.exposure;
  const { market, payoff } = contract.terms;
  scope.state.positions.touch(row);
  row.cost = gainsByNotional(isLong(row) ? 'long' : 'short', payoff) ? addAtoms(row.cost, paid) : subtractAtoms(row.cost, paid);
  const place = { account: holder.account, market, positionSide: row.positionSide };
  scope.events.push({ type: 'DeficitShared', liquidationId, ...place, mark: contract.prices.mark, rank, gain: unrealized, paid });
}
