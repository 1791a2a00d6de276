/** What a contract has beyond a market: its terms, its prices, and how much of it is open. */
import { NO_LOTS, type Lots } from '@orrery/units';
import type { Contract } from '@orrery/protocol';
import { newContractPrices, type ContractPrices } from '../prices/contract-prices.ts';

export interface ContractState {
  readonly terms: Contract;
  readonly prices: ContractPrices;
  /** Lots open on the long side, and as many on the short side. */
  openInterest: Lots;
}

export const newContractState = (terms: Contract): ContractState => ({ terms, prices: newContractPrices(), openInterest: NO_LOTS });
