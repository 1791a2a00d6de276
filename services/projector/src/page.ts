/** A page of a history, newest first: by its number, or after the row that `id` names, where it stays the same while rows arrive. */

export interface PageOf<Item> {
  readonly items: readonly Item[];
  /** Of the whole list, wherever the page begins. */
  readonly total: number;
  /** The `id` of the page after this one; null at the end. */
  readonly next: string | null;
}

export interface Slot {
  /** From 1 on; counts for nothing beside `id`. */
  readonly page: number;
  readonly size: number;
  /** `next` of the page before. */
  readonly id?: string;
}

export const NOTHING: PageOf<never> = { items: [], total: 0, next: null };

/** Rows before the page, of those that were selected. */
const skip = ({ page, size, id }: Slot): number => (id === undefined ? (page - 1) * size : 0);

/** 'unknown' is after every page. */
export function cursorOf(id: string | undefined): number | 'unknown' | undefined {
  if (id === undefined) return undefined;
  const number = Number(id);
  return Number.isSafeInteger(number) && number >= 0 ? number : 'unknown';
}

/** The parts of a cursor like `12:3`, of which each is a number but those after the last `numbers`. */
export function cursorParts(
  id: string | undefined,
  numbers: number,
): { readonly numbers: readonly number[]; readonly rest: string } | 'unknown' | undefined {
  if (id === undefined) return undefined;
  const parts = id.split(':');
  const read = parts.slice(0, numbers).map(cursorOf);
  if (read.length < numbers || !read.every((part) => typeof part === 'number')) return 'unknown';
  return { numbers: read, rest: parts.slice(numbers).join(':') };
}

interface Read<Row, Item> {
  readonly slot: Slot;
  readonly total: number;
  readonly print: (row: Row) => Item;
  readonly nameOf: (row: Row) => string;
}

/** A query that is in the order of the history, without an end. */
interface Ordered<Row> {
  limit(most: number): { offset(first: number): { execute(): Promise<Row[]> } };
}

/** One row more than the page has is read: where it is there, another page follows. */
export async function pageOf<Row, Item>(select: Ordered<Row>, { slot, total, print, nameOf }: Read<Row, Item>): Promise<PageOf<Item>> {
  const rows = await select
    .limit(slot.size + 1)
    .offset(skip(slot))
    .execute();
  const shown = rows.slice(0, slot.size);
  const last = shown.at(-1);
  return { items: shown.map(print), total, next: rows.length > slot.size && last !== undefined ? nameOf(last) : null };
}

/** A page after `id`, which is `next` of the page before. */
export interface Cut {
  readonly id?: string;
  readonly limit: number;
}

export interface Cursored<Item> {
  readonly hasPrev: boolean;
  readonly hasNext: boolean;
  readonly next: string | null;
  readonly items: readonly Item[];
}

/** One row more than the page was read: where it is there, another page follows. */
export function cut<Row>(rows: readonly Row[], { id, limit }: Cut, nameOf: (row: Row) => string): Cursored<Row> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  const hasNext = rows.length > limit;
  return { hasPrev: id !== undefined, hasNext, next: hasNext && last !== undefined ? nameOf(last) : null, items };
}
