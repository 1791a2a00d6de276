import type { Order } from '@orrery/protocol';

/** Whether an order may only reduce a position: it says so, or it is of hedge mode and against its side. */
export function onlyReduces({ side, contract }: Pick<Order, 'side' | 'contract'>): boolean {
  if (contract === undefined) return false;
  const { positionSide, reduceOnly, closePosition } = contract;
  return reduceOnly || closePosition || (positionSide === 'long' && side === 'sell') || (positionSide === 'short' && side === 'buy');
}
