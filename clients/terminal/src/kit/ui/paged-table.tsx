/** A table of which the exchange answers one page at a time. */
import type { ReactElement } from 'react';
import type { Loaded } from './loaded.ts';
import { firstPage, Pager } from './pager.tsx';
import type { PagerProps } from './pager.tsx';
import { Table } from './table.tsx';
import type { TableProps } from './table.tsx';

/** A page of a list, as far as it has come. */
export interface PageOf<Row> {
  readonly read: Loaded<readonly Row[]>;
  /** The rows are of another page than the one asked for, which is on its way. */
  readonly updating: boolean;
  readonly pager: PagerProps;
}

/** Beyond the last page there are no rows, and a page may fail: the pager leads back. */
export const needsPager = <Row,>({ read, pager: { total, page } }: PageOf<Row>, pagedAbove: number): boolean =>
  total === undefined ? read.phase === 'failed' && page > firstPage.page : total > pagedAbove || page > firstPage.page;

/** The pager is there without rows too, where its page sizes are part of what the page promises. */
export const ALWAYS_PAGED = -1;

export interface PagedTableProps<Row> extends Omit<TableProps<Row>, 'read' | 'updating'> {
  readonly query: PageOf<Row>;
  /** Up to this number of rows there is no pager; 0 when left out. */
  readonly pagedAbove?: number;
}

export function PagedTable<Row>({ query, pagedAbove = 0, ...table }: PagedTableProps<Row>): ReactElement {
  const { read, updating, pager } = query;
  return (
    <>
      <Table {...table} read={read} updating={updating} />
      {needsPager(query, pagedAbove) && <Pager {...pager} />}
    </>
  );
}
