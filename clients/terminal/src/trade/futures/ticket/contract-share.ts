/** The size as a share of the most that the ticket can take, and back. Shares are rounded down. Exact. */
import { contractNotional } from '@orrery/rules';
import { atoms, divFloor, lots, NO_LOTS, NO_TICKS, printAtoms, printLots } from '@orrery/units';
import type { Atoms, Lots, Ticks } from '@orrery/units';
import type { ContractMarket } from '../../../market/contract-market.ts';
import { sizeFor } from '../positions/projection.ts';
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

const MILLION = 1_000_000n;

/** The most lots: what closes the position, then what is free opens at the leverage, its taker fee and what it loses at once against the mark counted. */
export function mostLots(room: Room): Lots {
  const { market, price, leverage, available, closes, isReducing } = room;
  if (isReducing) return closes;
  if (price === NO_TICKS || available <= 0n) return closes;
  const { terms, margin } = market;
  const times = BigInt(leverage);
  const { loss, of } = lossShare(room);
  // Each atom of value needs 1 / leverage + the fee + loss / of.
  const need = (MILLION + BigInt(terms.takerFeePpm) * times) * of + MILLION * times * loss;
  const value = atoms(divFloor(available * MILLION * times * of, need));
  return lots(Math.min(sizeFor(value, price, margin) + closes, terms.maxSize));
}

/** What an order loses at once, as a fraction of its value at its price. */
function lossShare({ market, price, mark, side }: Room): { readonly loss: bigint; readonly of: bigint } {
  const worse = mark === NO_TICKS ? 0 : side === 'buy' ? price - mark : mark - price;
  if (worse <= 0) return { loss: 0n, of: 1n };
  return { loss: BigInt(worse), of: BigInt(market.margin.payoff === 'linear' ? price : mark) };
}

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
