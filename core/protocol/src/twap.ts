/** Orders that are placed in slices over time. */
import type { AccountId, Lots, MarketId } from '@orrery/units';
import type { PositionSide } from './contract.ts';
import type { Side } from './order.ts';

/** An order that is placed in slices over time. */
export interface TwapTerms {
  readonly account: AccountId;
  readonly market: MarketId;
  /** `^[0-9a-zA-Z_-]{1,36}$`; once per account. */
  readonly key: string;
  readonly side: Side;
  readonly positionSide: PositionSide;
  readonly size: Lots;
  readonly minutes: number;
  readonly reduceOnly: boolean;
  /** Slices of random size from this seed, a whole number of 32 bits; 0 for slices of equal size. */
  readonly seed: number;
}

/** Why a TWAP order is over. */
export type TwapEnd = 'completed' | 'canceledByAccount' | 'positionClosed' | 'refused' | 'accountBlocked' | 'liquidation';
export const TWAP_ENDS = [
  'completed',
  'canceledByAccount',
  'positionClosed',
  'refused',
  'accountBlocked',
  'liquidation',
] as const satisfies readonly TwapEnd[];
