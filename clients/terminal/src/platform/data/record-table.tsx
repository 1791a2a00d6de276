/** A list of an account's records, page by page: columns that can be hidden, and a file of all of it. */
import type { ReactElement, ReactNode } from 'react';
import { DataTable, useDataTable } from '../../kit/ui/data-table.tsx';
import type { DataColumn } from '../../kit/ui/data-columns.ts';
import { needsPager } from '../../kit/ui/paged-table.tsx';
import { Pager } from '../../kit/ui/pager.tsx';
import { TableTools } from '../../kit/ui/table-tools.tsx';
import { useText } from '../../kit/i18n/text.tsx';
import { LinkButton } from '../../kit/ui/link-button.tsx';
import { readAllPages, ROWS_MAX } from './read-all-pages.ts';
import { usePageQuery } from './page-query.ts';
import type { PageQueryOptions } from './page-query.ts';

export interface RecordTableProps<Row> {
  /** Unlike that of all other tables: its choices are remembered under it, and the file is called so. */
  readonly name: string;
  readonly label: string;
  readonly columns: readonly DataColumn<Row>[];
  readonly query: Omit<PageQueryOptions<Row>, 'of' | 'memory'>;
  readonly keyOf: (row: Row) => string;
  readonly empty: ReactNode;
  readonly skeletonRows?: number;
}

export function RecordTable<Row extends object>({
  name,
  label,
  columns,
  query,
  keyOf,
  empty,
  skeletonRows = 5,
}: RecordTableProps<Row>): ReactElement {
  const page = usePageQuery<Row>(query);
  const { read, updating, pager } = page;
  const { total } = pager;
  const text = useText();
  const table = useDataTable<Row>({ name, columns, read });
  const csv = {
    file: name,
    load: (onCount: (count: number) => void) => readAllPages({ load: query.load, keyOf }, onCount),
  };
  return (
    <>
      <DataTable table={table} label={label} updating={updating} keyOf={keyOf} empty={empty} skeletonRows={skeletonRows} />
      {needsPager(page, 0) && (
        <div className="flex flex-wrap items-center justify-between border-t border-line ps-2 [&>div]:border-t-0">
          <span className="flex items-center gap-1">
            {total !== undefined && total > ROWS_MAX ? <TableTools table={table} /> : <TableTools table={table} csv={csv} />}
            <LinkButton to="/account/export" kind="quiet" size="small">
              {text('exports.all')}
            </LinkButton>
          </span>
          <Pager {...pager} />
        </div>
      )}
    </>
  );
}
