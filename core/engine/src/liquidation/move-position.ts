/** Moves lots of a position to another account at a price, without an order: both sides are filled by the same notional, and no fee is paid. */
import { NO_ATOMS, type Lots, type Ticks } from '@orrery/units';
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

export function movePosition(
  { state, at, events }: LiquidationScope,
  from: PositionRow,
  to: PositionRow,
  { size, price, cause }: Move,
): void {
  const notional = contractNotional(price, size, from.exposure.contract.terms);
  const side = isLong(from) ? 'sell' : 'buy';
  const fill = { price, size, notional, fee: NO_ATOMS, cause, at };
  payFunding(state, from.exposure.holder, events);
  payFunding(state, to.exposure.holder, events);
  fillPosition(state, from, { ...fill, side }, events);
  fillPosition(state, to, { ...fill, side: side === 'sell' ? 'buy' : 'sell' }, events);
}
