/** Rows of facts. Loading keeps the geometry, emptiness teaches, failure can be tried again. */
import type { ReactElement, ReactNode } from 'react';
import { classes } from './classes.ts';
import { EmptyState, FailedState } from './empty-state.tsx';
import type { Loaded } from './loaded.ts';
import { Panel } from './panel.tsx';
import { ScrollArea } from './scroll-area.tsx';
import { Skeleton } from './skeleton.tsx';
import { StaleNote } from './stale-note.tsx';

export interface Column<Row> {
  readonly id: string;
  readonly header: ReactNode;
  readonly cell: (row: Row) => ReactNode;
  /** By which the rows stand in order now; left out where they cannot be sorted by this column. */
  readonly sorted?: 'ascending' | 'descending' | 'none';
  /** Numbers and times stand at the end, so that digits line up. */
  readonly align?: 'start' | 'end';
  /** Left out on narrow screens. */
  readonly wideOnly?: boolean;
  /** Left out also where the table is no wider than a tablet: 800 px. */
  readonly roomyOnly?: boolean;
  /** Stays in reach at the right edge when the table is wider than its place. */
  readonly pinned?: boolean;
}

export interface TableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  /** Its rows, loading, failed or stale as they are; `known(rows)` where nothing is read. */
  readonly read: Loaded<readonly Row[]>;
  readonly keyOf: (row: Row) => string;
  /** A row that stands at the foot whatever page is shown. */
  readonly pinned?: Row | undefined;
  /** Shown when there are no rows: what would be here, and how to get it. */
  readonly empty: ReactNode;
  /** Other rows are on their way: these stand back until they come. */
  readonly updating?: boolean;
  readonly skeletonRows?: number;
  /** Alternating row shading. */
  readonly striped?: boolean;
}

interface ColumnShape extends Pick<Column<never>, 'align' | 'wideOnly' | 'roomyOnly' | 'pinned'> {
  /** The first that a phone shows. */
  readonly leads?: boolean;
}

function marked<Row>(columns: readonly Column<Row>[]): readonly (Column<Row> & ColumnShape)[] {
  const lead = columns.findIndex(({ wideOnly, roomyOnly }) => wideOnly !== true && roomyOnly !== true);
  return columns.map((column, at) => ({ ...column, leads: at === lead }));
}

const cellClasses = ({ align, wideOnly, roomyOnly, pinned, leads }: ColumnShape): string =>
  classes(
    'px-2.5 whitespace-nowrap first:ps-4 last:pe-4 max-tablet:px-1.5 max-tablet:last:pe-3 tablet:@max-[800px]:not-first:ps-2 tablet:@max-[800px]:not-last:pe-2',
    leads === true && 'max-tablet:ps-3',
    align === 'end' ? 'text-end' : 'text-start',
    wideOnly && 'max-tablet:hidden',
    roomyOnly && '@max-[800px]:hidden',
    // What passes below it fades.
    pinned &&
      'sticky inset-e-0 bg-panel before:pointer-events-none before:absolute before:-inset-s-2.5 before:inset-y-0 before:w-2.5 before:bg-linear-to-l before:from-panel before:to-transparent rtl:before:bg-linear-to-r',
  );

function Head<Row>({ columns }: Pick<TableProps<Row>, 'columns'>): ReactElement {
  return (
    <thead>
      <tr className="h-8 border-b border-line">
        {columns.map((column) => (
          <th
            key={column.id}
            scope="col"
            {...(column.sorted !== undefined && { 'aria-sort': column.sorted })}
            className={classes('bg-panel text-sm font-normal text-fg3', cellClasses(column))}
          >
            {column.header}
          </th>
        ))}
      </tr>
    </thead>
  );
}

function SkeletonRows({
  columns,
  count,
}: {
  readonly columns: readonly (ColumnShape & { readonly id: string })[];
  readonly count: number;
}): ReactElement {
  return (
    <>
      {Array.from({ length: count }, (_, row) => (
        <tr key={row} className="h-(--row) border-b border-line last:border-0">
          {columns.map((column) => (
            <td key={column.id} className={cellClasses(column)}>
              <Skeleton />
            </td>
          ))}
        </tr>
      ))}
    </>
  );
}

function Foot<Row>({ columns, row }: Pick<TableProps<Row>, 'columns'> & { readonly row: Row }): ReactElement {
  return (
    <tfoot>
      <tr className="h-(--row) border-t border-strong bg-raised">
        {columns.map((column) => (
          <td key={column.id} className={cellClasses(column)}>
            {column.cell(row)}
          </td>
        ))}
      </tr>
    </tfoot>
  );
}

export const Table = <Row,>(props: TableProps<Row>): ReactElement => (
  <Panel>
    <Rows {...props} />
  </Panel>
);

function Rows<Row>(props: TableProps<Row>): ReactElement {
  const { label, read, keyOf, empty, updating = false, skeletonRows = 5, striped = false } = props;
  const { value: rows, retry } = read;
  const hasFailed = read.phase === 'failed';
  const columns = marked(props.columns);
  const isLoading = rows === undefined && !hasFailed;
  return (
    <ScrollArea label={label}>
      <table aria-label={label} aria-busy={isLoading || updating} className="w-full border-collapse text-sm">
        <Head columns={columns} />
        <tbody className={dimmedWhile(updating)}>
          {isLoading && <SkeletonRows columns={columns} count={skeletonRows} />}
          {rows?.map((row) => (
            <tr
              key={keyOf(row)}
              className={classes('h-(--row) border-b border-line last:border-0 hover:bg-hover', striped && 'odd:bg-raised')}
            >
              {columns.map((column) => (
                // A button in a row leaves air to the lines above and below.
                <td key={column.id} className={classes(cellClasses(column), '[&_.h-7]:h-6')}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
        {!hasFailed && props.pinned !== undefined && <Foot columns={columns} row={props.pinned} />}
      </table>
      {hasFailed && <FailedState onRetry={retry} />}
      {rows?.length === 0 && <EmptyState>{empty}</EmptyState>}
      <StaleNote read={read} />
    </ScrollArea>
  );
}

/** How rows look while others are on their way. Not at once: what comes soon does not flicker. */
export const dimmedWhile = (updating: boolean): string => classes('transition-opacity', updating && 'opacity-50 delay-150');
