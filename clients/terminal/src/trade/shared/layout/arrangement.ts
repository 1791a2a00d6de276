/** How the panels of the trading page are arranged: four presets, and what a person made of them, for each width of the window. */
import type { LayoutName } from '../../../kit/ui/use-layout.ts';

export type WideLayoutName = Exclude<LayoutName, 'phone'>;

export const PRESETS = ['classic', 'chartFirst', 'compact', 'ladder'] as const;
export type Preset = (typeof PRESETS)[number];

/** Beside the chart, which takes what is left and is always there. */
export const COLUMNS = ['markets', 'book', 'trades', 'ticket'] as const;
export type Column = (typeof COLUMNS)[number];
export type Hideable = Column | 'tables';

export interface Arrangement {
  readonly preset: Preset;
  /** In reading order, from the start of the line. */
  readonly before: readonly Column[];
  readonly after: readonly Column[];
  readonly hidden: readonly Hideable[];
  /** CSS pixels. */
  readonly widths: Readonly<Record<Column, number>>;
  /** CSS pixels of the panel of tables. */
  readonly tables: number;
}

export const BOUNDS: Readonly<Record<Column, { readonly least: number; readonly most: number }>> = {
  markets: { least: 180, most: 360 },
  book: { least: 220, most: 520 },
  trades: { least: 180, most: 420 },
  ticket: { least: 280, most: 480 },
};
export const TABLES_LEAST = 120;
const TABLES_MOST = 1200;

/** What the window has room for: tape and book share a column below 1680 px, the list of markets stands beside them from 2200 px. */
const ROOM: Readonly<Record<WideLayoutName, readonly Column[]>> = {
  vast: ['markets', 'book', 'trades', 'ticket'],
  grand: ['book', 'trades', 'ticket'],
  wide: ['book', 'ticket'],
  medium: ['book', 'ticket'],
  // The ticket is a drawer.
  narrow: ['book'],
};

export const hasRoomFor = (layout: WideLayoutName, column: Column): boolean => ROOM[layout].includes(column);

const WIDTHS: Readonly<Record<WideLayoutName, Readonly<Record<Column, number>>>> = {
  vast: { markets: 260, book: 320, trades: 280, ticket: 360 },
  grand: { markets: 220, book: 288, trades: 240, ticket: 320 },
  wide: { markets: 220, book: 264, trades: 220, ticket: 304 },
  medium: { markets: 220, book: 264, trades: 220, ticket: 304 },
  narrow: { markets: 220, book: 264, trades: 220, ticket: 304 },
};
const TABLES: Readonly<Record<WideLayoutName, number>> = { vast: 340, grand: 280, wide: 236, medium: 236, narrow: 236 };

type Change = Pick<Arrangement, 'before' | 'after' | 'hidden'> & {
  readonly widths: Partial<Arrangement['widths']>;
  readonly tables: number;
};

/** What each preset makes of the usual sizes. */
function changeOf(preset: Preset, tables: number): Change {
  switch (preset) {
    case 'classic':
      return { before: ['markets'], after: ['book', 'trades', 'ticket'], hidden: [], widths: {}, tables };
    case 'chartFirst':
      return { before: [], after: ['markets', 'book', 'trades', 'ticket'], hidden: ['markets', 'book', 'trades'], widths: {}, tables: 168 };
    case 'compact':
      return {
        before: ['markets', 'book'],
        after: ['trades', 'ticket'],
        hidden: ['markets'],
        widths: { book: BOUNDS.book.least, trades: BOUNDS.trades.least, ticket: BOUNDS.ticket.least },
        tables: 168,
      };
    case 'ladder':
      return {
        before: ['ticket', 'book'],
        after: ['trades', 'markets'],
        hidden: ['markets', 'trades'],
        widths: { book: 400 },
        tables: 200,
      };
  }
}

export function arrangementOf(preset: Preset, layout: WideLayoutName): Arrangement {
  const { widths, ...change } = changeOf(preset, TABLES[layout]);
  return { preset, ...change, widths: { ...WIDTHS[layout], ...widths } };
}

/** The columns in view on one side of the chart. */
export const columnsInView = (arrangement: Arrangement, side: 'before' | 'after', layout: WideLayoutName): readonly Column[] =>
  arrangement[side].filter((column) => hasRoomFor(layout, column) && !arrangement.hidden.includes(column));

export const bounded = (width: number, { least, most }: { readonly least: number; readonly most: number }): number =>
  Math.round(Math.max(least, Math.min(most, width)));

export const withWidth = (arrangement: Arrangement, column: Column, width: number): Arrangement => ({
  ...arrangement,
  widths: { ...arrangement.widths, [column]: bounded(width, BOUNDS[column]) },
});

export function toggledPanel(arrangement: Arrangement, panel: Hideable): Arrangement {
  const { hidden } = arrangement;
  return { ...arrangement, hidden: hidden.includes(panel) ? hidden.filter((other) => other !== panel) : [...hidden, panel] };
}

/** To the other side of the chart, next to it. */
export function swapped(arrangement: Arrangement, column: Column): Arrangement {
  const { before, after } = arrangement;
  const without = (columns: readonly Column[]): readonly Column[] => columns.filter((other) => other !== column);
  return before.includes(column)
    ? { ...arrangement, before: without(before), after: [column, ...after] }
    : { ...arrangement, before: [...before, column], after: without(after) };
}

const isNumber = (json: unknown, { least, most }: { readonly least: number; readonly most: number }): json is number =>
  typeof json === 'number' && json >= least && json <= most;

const columnsOf = (json: unknown): readonly Column[] | undefined =>
  Array.isArray(json)
    ? COLUMNS.filter((column) => json.includes(column)).toSorted((left, right) => json.indexOf(left) - json.indexOf(right))
    : undefined;

/** `undefined` for what is no arrangement: each column stands once, on one side, with a width that is allowed. */
export function parseArrangement(json: unknown): Arrangement | undefined {
  if (typeof json !== 'object' || json === null) return undefined;
  const { preset, before, after, hidden, widths, tables } = json as Readonly<Record<string, unknown>>;
  const known = PRESETS.find((name) => name === preset);
  const [start, end] = [columnsOf(before), columnsOf(after)];
  if (known === undefined || start === undefined || end === undefined || typeof widths !== 'object' || widths === null) return undefined;
  if (COLUMNS.some((column) => start.includes(column) === end.includes(column))) return undefined;
  const given = widths as Readonly<Record<string, unknown>>;
  if (!COLUMNS.every((column) => isNumber(given[column], BOUNDS[column]))) return undefined;
  if (!isNumber(tables, { least: TABLES_LEAST, most: TABLES_MOST }) || !Array.isArray(hidden)) return undefined;
  return {
    preset: known,
    before: start,
    after: end,
    hidden: ([...COLUMNS, 'tables'] as const).filter((panel) => hidden.includes(panel)),
    widths: given as Arrangement['widths'],
    tables,
  };
}
