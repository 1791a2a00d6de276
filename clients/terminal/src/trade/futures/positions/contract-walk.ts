/** What an order would trade at once in the book of a contract as it stands, by the rules of the engine. Pure. */
import { contractNotional, DEFAULT_SLIPPAGE_PPM, entryPrice, isWorse, marketBandBound, tighterBound, worseBy } from '@orrery/rules';
import { addAtoms, addLots, bigintOf, divFloor, lots, minLots, NO_ATOMS, NO_LOTS, NO_TICKS, subtractLots, ticks } from '@orrery/units';
import type { Atoms, Lots, Ticks } from '@orrery/units';
import type { ContractMarket } from '../../../market/contract-market.ts';
import type { Levels } from '../../shared/ticket/book-walk.ts';

export interface ContractWalk {
  readonly filled: Lots;
  /** Settle atoms: the sum of the values of the trades. */
  readonly value: Atoms;
  /** 0 when nothing would trade. */
  readonly average: Ticks;
  /** What the book would not take within the bound of the order. */
  readonly rest: Lots;
  /** How much the average is worse than the best price, in hundredths of a per cent, rounded down. */
  readonly slippage: number;
}

export interface Walked {
  readonly market: ContractMarket;
  readonly side: 'buy' | 'sell';
  readonly size: Lots;
  /** Of the side that is taken from. */
  readonly levels: Levels;
  /** 0 while it is not known. */
  readonly mark: Ticks;
  /** Of a limit order. */
  readonly limit?: Ticks | undefined;
}

const TEN_THOUSAND = 10_000n;

/** An order to the market trades within its slippage of the best price and within the band of the mark. */
function boundOf({ market, side, levels, mark, limit }: Walked): Ticks {
  if (limit !== undefined) return limit;
  const best = ticks(levels[0] ?? 0);
  const slippage = best === NO_TICKS ? NO_TICKS : worseBy(best, DEFAULT_SLIPPAGE_PPM, side);
  return tighterBound(slippage, marketBandBound(side, mark, market.terms), side);
}

export function walkContract(order: Walked): ContractWalk {
  const { market, side, size, levels } = order;
  const bound = boundOf(order);
  let [filled, value] = [NO_LOTS, NO_ATOMS];
  for (let index = 0; 2 * index + 1 < levels.length && filled < size; index += 1) {
    const price = ticks(levels[2 * index] ?? 0);
    if (bound !== NO_TICKS && isWorse(price, bound, side)) break;
    const matched = minLots(subtractLots(size, filled), lots(levels[2 * index + 1] ?? 0));
    filled = addLots(filled, matched);
    value = addAtoms(value, contractNotional(price, matched, market.margin));
  }
  const average = filled === NO_LOTS ? NO_TICKS : entryPrice(value, filled, market.margin);
  const best = ticks(levels[0] ?? 0);
  const worse = side === 'buy' ? average - best : best - average;
  const slippage = average === NO_TICKS || worse <= 0 ? 0 : Number(divFloor(BigInt(worse) * TEN_THOUSAND, bigintOf(best)));
  return { filled, value, average, rest: subtractLots(size, filled), slippage };
}

/** Beyond a per cent it is said in words. */
export const isSlipping = ({ slippage }: ContractWalk): boolean => slippage > 100;
