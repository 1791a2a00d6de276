/** What a contract has beyond a market: its terms, its prices, and how much of it is open. */
import { NO_LOTS, type Lots } from '@orrery/units';
import type { Contract, MarginGroup } from '@orrery/protocol';
import { newContractPrices, type ContractPrices } from '../prices/contract-prices.ts';
import type { ContractFunding } from './contract-funding.ts';

export interface ContractState {
  readonly terms: Contract;
  readonly group: MarginGroup;
  readonly prices: ContractPrices;
  /** Lots open on the long side, and as many on the short side. */
  openInterest: Lots;
  /** How many positions are open, each side of hedge mode by itself. */
  openPositions: number;
  readonly funding: ContractFunding;
}

/** @param isPractice whether its settle asset is the one of practice contracts */
export const newContractState = (terms: Contract, isPractice: boolean): ContractState => ({
  terms,
  group: isPractice ? 'practice' : terms.payoff,
  prices: newContractPrices(),
  openInterest: NO_LOTS,
  openPositions: 0,
  funding: { index: 0, unpaid: undefined },
});
