/**
 * A table whose rows a person can sort, whose columns can be hidden, and which can be saved as a file. What was chosen is
 * remembered by the table's name. `useDataTable` holds it, `DataTable` shows it, `TableTools` stands in the section's head.
 */
import { columnVisibilityFeature, createSortedRowModel, rowSortingFeature, tableFeatures, useTable } from '@tanstack/react-table';
import type { ColumnDef, RowData } from '@tanstack/react-table';
import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useText } from '../i18n/text.tsx';
import type { DataColumn } from './data-columns.ts';
import { mapped } from './loaded.ts';
import type { Loaded } from './loaded.ts';
import { Table } from './table.tsx';
import type { Column, TableProps } from './table.tsx';
import { NO_CHOICES, pressed, tableMemory } from './table-memory.ts';
import type { SortOrder, TableChoices } from './table-memory.ts';

const features = tableFeatures({ rowSortingFeature, columnVisibilityFeature, sortedRowModel: createSortedRowModel() });

export interface DataTableOptions<Row> {
  /** Unlike that of all other tables: under it the choices are remembered. */
  readonly name: string;
  readonly columns: readonly DataColumn<Row>[];
  readonly read: Loaded<readonly Row[]>;
}

export interface DataTableState<Row> extends DataTableOptions<Row> {
  /** Sorted, and in view. */
  readonly shown: { readonly read: Loaded<readonly Row[]>; readonly columns: readonly DataColumn<Row>[] };
  readonly choices: TableChoices;
  readonly choose: (choices: TableChoices) => void;
}

function definitionOf<Row extends RowData>(column: DataColumn<Row>): ColumnDef<typeof features, Row> {
  const { id, compare, fixed = false } = column;
  return {
    id,
    accessorFn: (row: Row) => row,
    enableHiding: !fixed,
    enableSorting: compare !== undefined,
    sortFn: (left, right) => compare?.(left.original, right.original) ?? 0,
  };
}

const NO_ROWS: readonly never[] = [];

export function useDataTable<Row extends RowData>({ name, columns, read }: DataTableOptions<Row>): DataTableState<Row> {
  // The library changes the table that it hands out: what is read of it must not be memoised by its identity.
  'use no memo';
  const [memory] = useState(() => tableMemory(name));
  const [choices, setChoices] = useState<TableChoices>(memory.read);
  const { sort, hidden } = choices;
  const table = useTable({
    features,
    columns: columns.map(definitionOf),
    data: read.value ?? NO_ROWS,
    enableMultiSort: false,
    state: {
      sorting: sort === undefined ? [] : [{ id: sort.column, desc: sort.direction === 'descending' }],
      columnVisibility: Object.fromEntries(hidden.map((id) => [id, false])),
    },
  });
  const visible = new Set(table.getVisibleLeafColumns().map(({ id }) => id));
  return {
    name,
    columns,
    read,
    shown: {
      read: mapped(read, () => table.getRowModel().rows.map(({ original }) => original)),
      columns: columns.filter(({ id, fixed }) => fixed === true || visible.has(id)),
    },
    choices,
    choose(next) {
      setChoices(next);
      if (next === NO_CHOICES) memory.clear();
      else memory.write(next);
    },
  };
}

interface HeadingProps<Row> {
  readonly column: DataColumn<Row>;
  readonly sort: SortOrder | undefined;
  readonly onPress: () => void;
}

const icons = { ascending: ArrowUp, descending: ArrowDown, none: ChevronsUpDown } as const;

function Heading<Row>({ column, sort, onPress }: HeadingProps<Row>): ReactElement {
  const text = useText();
  const Icon = icons[sort?.column === column.id ? sort.direction : 'none'];
  return (
    <button
      type="button"
      title={text('ui.sortBy', { column: column.header })}
      onClick={onPress}
      className="-mx-1 inline-flex items-center gap-1 rounded-sm px-1 hover:bg-hover hover:text-fg"
    >
      {column.heading ?? column.header}
      <Icon size={12} aria-hidden="true" className={sort?.column === column.id ? 'text-fg' : undefined} />
    </button>
  );
}

export interface DataTableProps<Row> extends Omit<TableProps<Row>, 'columns' | 'read'> {
  readonly table: DataTableState<Row>;
}

export function DataTable<Row>({ table, ...rest }: DataTableProps<Row>): ReactElement {
  const { shown, choices, choose } = table;
  const columns = shown.columns.map((column): Column<Row> => {
    if (column.compare === undefined) return { ...column, header: column.heading ?? column.header };
    const press = (): void => choose({ ...choices, sort: pressed(choices.sort, column.id) });
    return {
      ...column,
      header: <Heading column={column} sort={choices.sort} onPress={press} />,
      sorted: choices.sort?.column === column.id ? choices.sort.direction : 'none',
    };
  });
  return <Table {...rest} columns={columns} read={shown.read} />;
}
