/** A position at work: what is open of one account in one contract on one side, and the orders that would change it. */
import {
  addLots,
  lots,
  millis,
  NO_ATOMS,
  NO_LOTS,
  NO_POSITION,
  type AccountId,
  type Atoms,
  type Lots,
  type Millis,
  type SignedLots,
} from '@orrery/units';
import type { MarginMode, Position, PositionMode, PositionSide, Side } from '@orrery/protocol';
import type { Balance } from '../ledger/balance.ts';
import type { ContractState } from './contract-state.ts';

/** Resting orders of one side that may open a position. */
export interface OrderSum {
  /** Lots still to trade. */
  size: Lots;
  /** Settle atoms at their limits. */
  notional: Atoms;
}

/** What an account has set for its futures. */
export interface Holder {
  readonly account: AccountId;
  /** Of its contracts of each margin group. */
  linear: PositionMode;
  inverse: PositionMode;
  practice: PositionMode;
  feeTier: number;
  rebateTier: number;
  /** By the id of the contract. */
  readonly exposures: Exposure[];
}

/** An account in one contract. */
export interface Exposure {
  readonly holder: Holder;
  readonly contract: ContractState;
  /** Of the settle asset in the wallet of the contract. */
  readonly balance: Balance;
  mode: MarginMode;
  /** By the place of the side in `POSITION_SIDES`. */
  readonly rows: [PositionRow | undefined, PositionRow | undefined, PositionRow | undefined];
  /** Settle atoms that its orders have reserved; 0 under cross. */
  reserved: Atoms;
  /** Whether its orders have to be looked at again before the command ends. */
  mustRecheck: boolean;
}

export interface PositionRow {
  readonly exposure: Exposure;
  readonly positionSide: PositionSide;
  /** Its number among all rows: what its orders pay from. */
  readonly payer: number;
  leverage: number;
  autoMargin: boolean;
  size: SignedLots;
  cost: Atoms;
  margin: Atoms;
  realised: Atoms;
  fees: Atoms;
  funding: Atoms;
  /** The index of its contract's funding up to which it has paid. */
  fundingIndex: number;
  openedAt: Millis;
  maxSize: Lots;
  readonly buys: OrderSum;
  readonly sells: OrderSum;
  /** Resting orders that only reduce, in lots: those that buy and those that sell. */
  readonly reducing: Record<Side, Lots>;
  /** Orders that wait for a trigger to reduce it. */
  waiting: number;
  /** Whether the command at work has changed it. */
  isTouched: boolean;
}

export const newRow = (exposure: Exposure, positionSide: PositionSide, payer: number): PositionRow => ({
  exposure,
  positionSide,
  payer,
  leverage: exposure.contract.terms.initLeverage,
  autoMargin: false,
  size: NO_POSITION,
  cost: NO_ATOMS,
  margin: NO_ATOMS,
  realised: NO_ATOMS,
  fees: NO_ATOMS,
  funding: NO_ATOMS,
  fundingIndex: 0,
  openedAt: millis(0),
  maxSize: NO_LOTS,
  buys: { size: NO_LOTS, notional: NO_ATOMS },
  sells: { size: NO_LOTS, notional: NO_ATOMS },
  reducing: { buy: NO_LOTS, sell: NO_LOTS },
  waiting: 0,
  isTouched: false,
});

export const isLong = ({ size }: Pick<PositionRow, 'size'>): boolean => size > 0;
/** Lots held, whichever way. */
export const heldLots = ({ size }: Pick<PositionRow, 'size'>): Lots => lots(Math.abs(size));

export const reducingLots = ({ reducing }: PositionRow): Lots => addLots(reducing.buy, reducing.sell);

export function positionOf(row: PositionRow): Position {
  const { exposure, positionSide, size, cost, margin, realised, fees, funding, openedAt, maxSize } = row;
  const { market } = exposure.contract.terms;
  return { account: exposure.holder.account, market, positionSide, size, cost, margin, realised, fees, funding, openedAt, maxSize };
}
