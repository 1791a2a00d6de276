/** Pages of lists of contracts: by number, and by cursor. */
import type { CursorPage, PageOf } from '../ports.ts';
import { rangeOf } from '../orders/orders.ts';

const SIZE_DEFAULT = 10;

interface SlotQuery {
  page?: number;
  size?: number;
  id?: string;
}

export const slotOf = ({ page, size, id }: SlotQuery) => ({
  page: page ?? 1,
  size: size ?? SIZE_DEFAULT,
  ...(id === undefined ? {} : { id }),
});

export const cursorOf = ({ id, limit }: { id?: string; limit?: number }) => ({
  limit: limit ?? SIZE_DEFAULT,
  ...(id === undefined ? {} : { id }),
});

export const cursorRangeOf = (query: { id?: string; limit?: number; startTime?: number; endTime?: number }) => ({
  ...cursorOf(query),
  ...rangeOf(query),
});

export const pageOf = <Item>({ items, ...ends }: CursorPage<Item>) => ({ ...ends, items: [...items] });

/** The page of a list in memory. */
export const cutTo = <Item>(all: readonly Item[], query: { page?: number; size?: number }) => {
  const { page, size } = slotOf(query);
  return { items: all.slice((page - 1) * size, page * size), page, ps: size, total: all.length };
};

export async function numbered<Item>(answer: Promise<PageOf<Item>>, query: SlotQuery) {
  const { page, size } = slotOf(query);
  const { items, total, next } = await answer;
  return { items: [...items], page, ps: size, total, next };
}
