/** What holds of practice contracts: they are settled in an asset that is worth nothing, so that a liquidation can be seen before it matters. */
import { atoms, millis, type Atoms, type Millis } from '@orrery/units';
import type { Asset, Contract, MarginGroup } from '@orrery/protocol';
import { PRACTICE } from './limits.ts';

const DAY_MS = 24 * 3_600_000;
/** Units of the practice asset. */
const GRANT_UNITS = 10_000n;
const STOCK_UNITS_MAX = 10_000_000n;

/** What anyone may have in a UTC day. */
export const practiceGrant = ({ decimals }: Pick<Asset, 'decimals'>): Atoms => atoms(GRANT_UNITS * 10n ** BigInt(decimals));

/** The most that an account of the exchange is stocked up to. */
export const practiceStockMax = ({ decimals }: Pick<Asset, 'decimals'>): Atoms => atoms(STOCK_UNITS_MAX * 10n ** BigInt(decimals));

/** When the UTC day of a time began. */
export const dayOf = (at: Millis): Millis => millis(at - (at % DAY_MS));

/** By its quote alone, which of a linear contract is what it is settled in: for those who have no list of assets. Nothing that counts counts it. */
export const isPracticeContract = ({ quoteCode }: Pick<Contract, 'quoteCode'>): boolean => quoteCode === PRACTICE;

export const marginGroupOf = (contract: Pick<Contract, 'payoff' | 'quoteCode'>): MarginGroup =>
  isPracticeContract(contract) ? 'practice' : contract.payoff;
