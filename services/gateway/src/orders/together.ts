/** Orders that are placed or cancelled together, all or none: one command, and one answer to each item. */
import { ApiError, SUCCESS, type BatchItem } from '@orrery/api';
import type { Receipt } from '@orrery/protocol';
import { seq, type OrderId, type Seq } from '@orrery/units';
import type { Floor } from '../floor.ts';
import { isPlaced, tookEffect } from './receipt.ts';

/** The commands of the items; what is wrong with one is refused by its place: `orders.2.price`. */
export function eachOf<Item, Made>(list: string, items: readonly Item[], make: (item: Item) => Made): readonly Made[] {
  return items.map((item, index) => {
    try {
      return make(item);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const { reason, field } = error.data;
      throw new ApiError(reason, { field: fieldOf(list, String(index), field), message: error.message, cause: error });
    }
  });
}

const fieldOf = (list: string, place: string, field: string): string => [list, place, ...(field === '' ? [] : [field])].join('.');

interface Named {
  /** The field that holds the items. */
  readonly list: string;
  /** Of the fields of an order, as callers know them. */
  readonly names?: Readonly<Record<string, string>>;
}

/** What came of all of them; what is wrong with one is refused by its place. */
export function tookEffectTogether(floor: Floor, receipt: Receipt, { list, names }: Named): Receipt {
  const [first] = receipt.events;
  const [place = '', field = ''] = first?.type === 'CommandRejected' ? first.field.split('.') : [];
  if (first?.type !== 'CommandRejected' || !/^\d+$/.test(place)) return tookEffect(floor, receipt, names);
  try {
    return tookEffect(floor, { ...receipt, events: [{ ...first, field }] }, names);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { reason, figures } = error.data;
    throw new ApiError(reason, { field: fieldOf(list, place, error.data.field), figures, message: error.message, cause: error });
  }
}

export function placedTogether({ seq: at, events }: Receipt): { readonly seq: Seq; readonly data: BatchItem[] } {
  const ids = events.filter(isPlaced).map(({ orderId }) => orderId);
  return { seq: seq(at), data: ids.map(itemOf) };
}

export const itemOf = (orderId: OrderId): BatchItem => ({ code: SUCCESS, msg: 'success', data: String(orderId) });
