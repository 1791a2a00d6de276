/** What can be done with a data table: hide columns, save the rows as a file. */
import { Columns3, Download } from 'lucide-react';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useText } from '../i18n/text.tsx';
import { Button } from './button.tsx';
import { fileOf } from './data-columns.ts';
import type { DataColumn } from './data-columns.ts';
import type { DataTableState } from './data-table.tsx';
import { download } from './download.ts';
import { Menu, MenuCheck } from './menu.tsx';
import { showError } from './toast.ts';

export interface CsvSource<Row> {
  /** The file's name without its ending, such as `orders`. */
  readonly file: string;
  /** Loads all rows where the table shows a part of them, and reports how many have come; without it the table's rows are saved. */
  readonly load?: (onCount: (count: number) => void) => Promise<readonly Row[]>;
}

export interface TableToolsProps<Row> {
  readonly table: DataTableState<Row>;
  readonly csv?: CsvSource<Row>;
}

function ColumnMenu<Row>({ table: { columns, choices, choose } }: Pick<TableToolsProps<Row>, 'table'>): ReactElement {
  const text = useText();
  const { hidden } = choices;
  const change = ({ id }: DataColumn<Row>, isShown: boolean): void =>
    choose({ ...choices, hidden: isShown ? hidden.filter((one) => one !== id) : [...hidden, id] });
  return (
    <Menu
      trigger={
        <Button kind="quiet" size="small">
          <Columns3 size={14} aria-hidden="true" />
          {text('ui.columns')}
        </Button>
      }
    >
      {columns
        .filter(({ fixed }) => fixed !== true)
        .map((column) => (
          <MenuCheck key={column.id} value={!hidden.includes(column.id)} onChange={(isShown) => change(column, isShown)}>
            {column.header}
          </MenuCheck>
        ))}
    </Menu>
  );
}

function CsvButton<Row>({ table, csv }: Required<TableToolsProps<Row>>): ReactElement {
  const text = useText();
  const [count, setCount] = useState<number>();
  const save = async (): Promise<void> => {
    setCount(0);
    try {
      const rows = csv.load === undefined ? (table.shown.read.value ?? []) : await csv.load(setCount);
      download({ name: `${csv.file}.csv`, type: 'text/csv', text: fileOf(table.columns, rows) });
    } catch {
      showError(text('ui.csvFailed'));
    } finally {
      setCount(undefined);
    }
  };
  return (
    <Button
      kind="quiet"
      size="small"
      title={text('ui.csvHint')}
      disabled={count !== undefined || table.read.value === undefined || table.read.value.length === 0}
      onClick={() => void save()}
    >
      <Download size={14} aria-hidden="true" />
      {count === undefined ? text('ui.csv') : text('ui.csvLoading', { count })}
    </Button>
  );
}

export function TableTools<Row>({ table, csv }: TableToolsProps<Row>): ReactElement {
  return (
    <span className="flex items-center gap-1">
      <ColumnMenu table={table} />
      {csv !== undefined && <CsvButton table={table} csv={csv} />}
    </span>
  );
}
