/** The liquidation price of a position, out of the figures of its account. */
import { liquidationPrice } from '@orrery/rules';
import { atoms, type Ticks } from '@orrery/units';
import { holdingOf, type MarginFigures, type PositionFigures } from './margin-account.ts';

/**
 * The nearest mark in the losing direction of the position at which it is liquidated, while other contracts and other coins stay as they are; `NO_TICKS` when there
 * is none. Its other leg and collateral in the coin of its contract move with the mark.
 */
export function liquidationPriceOf(figures: PositionFigures, account: MarginFigures): Ticks {
  const { position, listed, isIsolated } = figures;
  const { contract, mark } = listed;
  const own = holdingOf(position);
  if (isIsolated) return liquidationPrice(own.direction, { mark, legs: [own], rest: position.margin, terms: contract });
  const legs = account.positions.filter((each) => !each.isIsolated && each.position.market === contract.market);
  const coin = account.collaterals.find(({ code }) => code === contract.baseCode);
  let rest: bigint = account.equity - account.maintenance - (coin?.worth ?? 0n);
  for (const { unrealized, maintenance } of legs) rest += maintenance - unrealized;
  return liquidationPrice(own.direction, {
    mark,
    legs: legs.map(({ position: leg }) => holdingOf(leg)),
    rest: atoms(rest),
    coin,
    terms: contract,
  });
}
