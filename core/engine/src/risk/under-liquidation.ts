/** What an account cannot do while it is being liquidated: open positions, and take money out of what is liquidated. Since rules 7. */
import type { AccountId } from '@orrery/units';
import type { CommandRejected, Order, MarginGroup } from '@orrery/protocol';
import { POSITION_SIDES } from '@orrery/protocol';
import { reject, type RulesVersion } from '@orrery/rules';
import { onlyReduces } from '../clearing/reduces.ts';
import type { ContractState } from '../positions/contract-state.ts';
import type { Liquidations } from './liquidations.ts';

export interface Liquidated {
  readonly rules: RulesVersion;
  readonly liquidations: Liquidations;
}

/** Of the cross positions of a margin group. */
export const isGroupLiquidated = ({ rules, liquidations }: Liquidated, account: AccountId, group: MarginGroup): boolean =>
  rules >= 7 && liquidations.has(`${account} ${group}`);

/** Of its cross positions, or of an isolated one in this contract. */
export const isLiquidated = (state: Liquidated, account: AccountId, { group, terms }: Pick<ContractState, 'group' | 'terms'>): boolean =>
  isGroupLiquidated(state, account, group) || isPositionLiquidated(state, account, { terms });

/** Of an isolated position in this contract. */
export const isPositionLiquidated = (
  { rules, liquidations }: Liquidated,
  account: AccountId,
  { terms }: Pick<ContractState, 'terms'>,
): boolean => rules >= 7 && POSITION_SIDES.some((side) => liquidations.has(`${account} ${terms.market} ${side}`));

export function refuseOpening(state: Liquidated, order: Order, contract: ContractState): CommandRejected | undefined {
  return !onlyReduces(order) && isLiquidated(state, order.account, contract) ? reject('UnderLiquidation') : undefined;
}
