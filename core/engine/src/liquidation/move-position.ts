/** Moves lots of a position to another account at a price, without an order: both sides are filled by the same notional, and no fee is paid. */
import { NO_ATOMS, type Atoms, type Lots, type Ticks } from '@orrery/units';
import type { ReductionCause } from '@orrery/protocol';
import { contractNotional } from '@orrery/rules';
import { fillPosition } from '../clearing/fill-position.ts';
import { payFunding } from '../clearing/pay-funding.ts';
import { isLong, type PositionRow } from '../positions/position-row.ts';
import type { LiquidationScope } from './liquidation-scope.ts';

export interface Move {
  readonly size: Lots;
  readonly price: Ticks;
  readonly cause: Extract<ReductionCause, 'takeover' | 'adl'>;
}

export function movePosition(scope: LiquidationScope, from: PositionRow, to: PositionRow, move: Move): void {
  moveNotional(scope, from, to, move, contractNotional(move.price, move.size, from.exposure.contract.terms));
}

/** The same for a part of a whole, whose notional is given. */
export function moveNotional(
  { state, at, events }: LiquidationScope,
  from: PositionRow,
  to: PositionRow,
  { size, price, cause }: Move,
  notional: Atoms,
): void {
  const side = isLong(from) ? 'sell' : 'buy';
  const fill = { price, size, notional, fee: NO_ATOMS, cause, at };
  payFunding(state, from.exposure.holder, events);
  payFunding(state, to.exposure.holder, events);
  fillPosition(state, from, { ...fill, side }, events);
  fillPosition(state, to, { ...fill, side: side === 'sell' ? 'buy' : 'sell' }, events);
}
