/** The size as a share of the most that the ticket can take, and back. Shares are rounded down. Exact. */
import { contractNotional, mostOfContract } from '@orrery/rules';
import { divFloor, lots, NO_LOTS, printAtoms, printLots } from '@orrery/units';
import type { Atoms, Lots, Ticks } from '@orrery/units';
import type { ContractMarket } from '../../../market/contract-market.ts';
import type { ContractContext } from './contract-draft.ts';

export interface Room {
  readonly market: ContractMarket;
  /** By which the order is valued. */
  readonly price: Ticks;
  /** 0 while it is not known. */
  readonly mark: Ticks;
  readonly side: 'buy' | 'sell';
  readonly leverage: number;
  /** What is free for initial margin and the fee. */
  readonly available: Atoms;
  /** Lots of a position that the order would close first. */
  readonly closes: Lots;
  /** Whether the order only closes. */
  readonly isReducing: boolean;
}

/** The most lots, by the rule that the exchange answers programs by. */
export const mostLots = ({ market, ...room }: Room): Lots =>
  mostOfContract({ ...room, takerFeePpm: market.terms.takerFeePpm, maxSize: market.terms.maxSize, terms: market.margin });

/** As the field of the size takes it, in the unit that is chosen. @param percent whole, from 0 to 100 */
export function sizeOfShare(room: Room, unit: ContractContext['unit'], percent: number): string {
  const share = BigInt(Math.max(0, Math.min(100, Math.round(percent))));
  const size = lots(Number(divFloor(BigInt(mostLots(room)) * share, 100n)));
  if (size === NO_LOTS) return '';
  const { market, price } = room;
  return unit.counts === 'lots'
    ? printLots(size, market.sizePrecision)
    : printAtoms(contractNotional(price, size, market.margin), market.settleDecimals);
}

/** Where the slider stands, to the nearest per cent. */
export function shareOfSize(room: Room, size: Lots): number {
  const most = mostLots(room);
  return most === NO_LOTS ? 0 : Math.min(100, Math.round((100 * size) / most));
}
