/** Orders that may only reduce a position, and what there is for them to reduce. */
import { lots, NO_LOTS, type Lots } from '@orrery/units';
import { POSITION_SIDES, type Order, type PositionSide, type Side } from '@orrery/protocol';
import type { Payer } from '../clearing/clearing.ts';
import { onlyReduces } from '../clearing/reduces.ts';
import type { PositionRow } from '../positions/position-row.ts';
import type { Trading } from './trading.ts';

/** A stop-loss or take-profit on a position. */
export const protects = (order: Pick<Order, 'side' | 'contract'>): boolean =>
  onlyReduces(order) && (order.contract?.source === 'takeProfit' || order.contract?.source === 'stopLoss');

export interface PositionName extends Pick<Order, 'account' | 'market'> {
  readonly positionSide: PositionSide;
}

/** The position of an account, if it has ever had one or an order for it. */
export function knownPosition({ positions }: Trading, { account, market, positionSide }: PositionName): PositionRow | undefined {
  const exposure = positions.known(account)?.exposures.find(({ contract }) => contract.terms.market === market);
  return exposure?.rows[POSITION_SIDES.indexOf(positionSide)];
}

/** A position, and the side of an order that is to reduce it. */
export interface Reduction {
  /** Of an order of the position. */
  readonly payer: Payer;
  readonly side: Side;
}

/** The lots that an order of this side can close; 0 when there is no position, or one that the order would grow. */
export function closableSize({ positions }: Trading, { payer, side }: Reduction): Lots {
  const { size } = positions.at(payer);
  const closable = side === 'sell' ? size : 0 - size;
  return closable > 0 ? lots(closable) : NO_LOTS;
}

/** The same by the name of the position. */
export function closableBy(trading: Trading, name: PositionName & Pick<Reduction, 'side'>): Lots {
  const row = knownPosition(trading, name);
  return row === undefined ? NO_LOTS : closableSize(trading, { payer: row.payer, side: name.side });
}
