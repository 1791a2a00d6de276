/**
 * How much of a loss the insurance fund and the liquidator may bear: within a rolling hour no more of one contract than a share of what they had before. A price
 * that only moves, or an owner of several accounts that trade with each other, cannot empty the fund.
 */
import { addAtoms, atoms, NO_ATOMS, NO_POSITION, subtractAtoms, type AssetId, type Atoms, type Millis } from '@orrery/units';
import type { Event } from '@orrery/protocol';
import { FUND_LOSS_SHARE_PPM } from '@orrery/rules';
import { unrealisedOf } from '../margin/cross-margin.ts';
import type { ContractState } from '../positions/contract-state.ts';
import type { PositionRow } from '../positions/position-row.ts';
import { walletOf } from '../positions/positions.ts';
import type { LiquidationScope, LiquidationState } from './liquidation-scope.ts';

const MILLION = 1_000_000n;

/** Of the last hour, with what the liquidator's position has lost at mark. Below zero where more was gained. */
function lossOf(state: LiquidationState, contract: ContractState, at: Millis): Atoms {
  const realised = state.liquidations.fund.within(contract.terms.market, at);
  const row = liquidatorRow(state, contract);
  const open = row === undefined || row.size === NO_POSITION ? NO_ATOMS : unrealisedOf(row);
  return open < NO_ATOMS ? subtractAtoms(realised, open) : realised;
}

/** The most that may be lost of a contract: the share of what the fund and the liquidator had before the losses of the hour. */
function capOf(state: LiquidationState, { group, terms: { settle } }: ContractState, at: Millis): Atoms {
  const { ledger, liquidations } = state;
  let before = ledger.free(ledger.system('INSURANCE', settle));
  if (liquidations.liquidator !== 0) before = addAtoms(before, ledger.free(ledger.of(liquidations.liquidator, walletOf(group), settle)));
  before = addAtoms(before, lostOf(state, settle, at));
  return before > NO_ATOMS ? atoms((before * FUND_LOSS_SHARE_PPM) / MILLION) : NO_ATOMS;
}

function lostOf({ contracts, liquidations }: LiquidationState, settle: AssetId, at: Millis): Atoms {
  let lost = NO_ATOMS;
  for (const { terms } of contracts.values())
    if (terms.settle === settle) lost = addAtoms(lost, liquidations.fund.within(terms.market, at));
  return lost;
}

/** What may still be lost of a contract, from 0. */
export function allowanceOf(state: LiquidationState, contract: ContractState, at: Millis): Atoms {
  const left = subtractAtoms(capOf(state, contract, at), lossOf(state, contract, at));
  return left > NO_ATOMS ? left : NO_ATOMS;
}

/** What has been lost beyond the cap already, from 0. */
export function excessOf(state: LiquidationState, contract: ContractState, at: Millis): Atoms {
  const beyond = subtractAtoms(lossOf(state, contract, at), capOf(state, contract, at));
  return beyond > NO_ATOMS ? beyond : NO_ATOMS;
}

/** Nothing may be lost of it any more. A fund that is empty and has lost nothing is not meant. */
export const isSpent = (state: LiquidationState, contract: ContractState, at: Millis): boolean =>
  lossOf(state, contract, at) > NO_ATOMS && allowanceOf(state, contract, at) === NO_ATOMS;

/** Counts what the liquidator has realised since an event of the command at work. */
export function countRealised({ state, at, events }: LiquidationScope, start: number): void {
  const { liquidator, fund } = state.liquidations;
  if (state.rules < 7 || liquidator === 0) return;
  for (let index = start; index < events.length; index += 1) {
    const event: Event | undefined = events[index];
    if (event?.type === 'PositionReduced' && event.account === liquidator)
      fund.add(event.market, subtractAtoms(event.fee, event.profit), at);
  }
}

function liquidatorRow({ positions, liquidations }: LiquidationState, contract: ContractState): PositionRow | undefined {
  const holder = liquidations.liquidator === 0 ? undefined : positions.known(liquidations.liquidator);
  return holder?.exposures.find((exposure) => exposure.contract === contract)?.rows[0];
}
