/** What a column of a data table can do beyond showing a cell, and the lines of the file that the table is saved as. */
import type { ReactNode } from 'react';
import { csvOf } from '../format/csv.ts';
import type { Column } from './table.tsx';

export interface DataColumn<Row> extends Omit<Column<Row>, 'header' | 'sorted'> {
  /** Its name: in the heading, in the list of columns and in the file. */
  readonly header: string;
  /** What the heading shows instead of the name. */
  readonly heading?: ReactNode;
  /** Orders two rows by this column; only where all rows are there, as sorting one page of many would mislead. */
  readonly compare?: (left: Row, right: Row) => number;
  /** What the file says: decimal text with a point, UTC times. Without it the column is not in the file. */
  readonly csv?: (row: Row) => string;
  /** Cannot be hidden: without it the rows would not be known apart. */
  readonly fixed?: boolean;
}

/** The file, with every column that has something to say in it, hidden ones too. */
export function fileOf<Row>(columns: readonly DataColumn<Row>[], rows: readonly Row[]): string {
  const written = columns.filter((column) => column.csv !== undefined);
  return csvOf([written.map(({ header }) => header), ...rows.map((row) => written.map(({ csv }) => csv?.(row) ?? ''))]);
}
