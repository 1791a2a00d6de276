/**
 * Sizes of contract orders in the unit a caller writes them in. What counts the lots themselves is parsed exactly or refused; a value buys the largest number of
 * lots that is not worth more.
 */
import { ApiError, type QuantityUnit } from '@orrery/api';
import { bigintOf, divFloor, lots, NO_LOTS, NO_TICKS, parseAtoms, parseLots, type Lots, type Ticks } from '@orrery/units';
import type { ListedContract } from '@orrery/views';
import type { Floor } from '../floor.ts';
import { offGrid } from '../orders/parse-order.ts';
import { settleOf } from './contract-listing.ts';

export interface WrittenSize {
  readonly origQty?: string;
  readonly unit?: QuantityUnit;
}

/** Units that count lots, by payoff: a lot is a part of the base coin, of an inverse contract a part of the quote. */
const COUNTING = {
  linear: ['COIN', 'SHEET'],
  inverse: ['USD', 'USDT', 'SHEET'],
} as const satisfies Record<string, readonly QuantityUnit[]>;

/**
 * `NO_LOTS` where no size is given.
 * @param price by which a value is a size: the order's limit, or `NO_TICKS` to take the mark price
 */
export function sizeIn(floor: Floor, listed: ListedContract, { origQty, unit = 'COIN' }: WrittenSize, price: Ticks): Lots {
  if (origQty === undefined) return NO_LOTS;
  const { contract, mark } = listed;
  const counting: readonly QuantityUnit[] = COUNTING[contract.payoff];
  if (counting.includes(unit)) {
    const size = parseLots(origQty, contract.sizePrecision);
    if (size === undefined || size === NO_LOTS) throw offGrid('origQty', contract.sizePrecision);
    return size;
  }
  const { decimals } = settleOf(floor, contract);
  const value = parseAtoms(origQty, decimals);
  if (value === undefined || value === 0n) throw offGrid('origQty', decimals);
  const at = price === NO_TICKS ? mark : price;
  if (at === NO_TICKS) throw new ApiError('PricesDegraded', { field: 'unit' });
  const size = worth(value, at, listed);
  if (size === 0n) throw new ApiError('MalformedField', { field: 'origQty', message: 'origQty is worth less than the least size' });
  if (size > BigInt(Number.MAX_SAFE_INTEGER)) throw new ApiError('MalformedField', { field: 'origQty' });
  return lots(Number(size));
}

/** The largest number of lots that is not worth more than `value` settle atoms at this price. */
const worth = (value: bigint, price: Ticks, { contract: { payoff, tickLotAtoms } }: ListedContract): bigint =>
  payoff === 'linear' ? divFloor(value, bigintOf(price) * tickLotAtoms) : divFloor(value * bigintOf(price), tickLotAtoms);
