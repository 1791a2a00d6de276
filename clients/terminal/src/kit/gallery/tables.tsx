import { useState } from 'react';
import type { ReactElement } from 'react';
import { compareDecimals } from '../format/decimal.ts';
import { useText } from '../i18n/text.tsx';
import { DataTable, useDataTable } from '../ui/data-table.tsx';
import type { DataColumn } from '../ui/data-columns.ts';
import { Figure } from '../ui/figure.tsx';
import { Section } from '../ui/page.tsx';
import { PagedTable } from '../ui/paged-table.tsx';
import { firstPage } from '../ui/pager.tsx';
import { Segmented } from '../ui/radio-group.tsx';
import { Table } from '../ui/table.tsx';
import { TableTools } from '../ui/table-tools.tsx';
import { known } from '../ui/loaded.ts';
import type { Loaded } from '../ui/loaded.ts';

interface Line {
  readonly name: string;
  readonly price: string;
  readonly size: string;
}

const LINES: readonly Line[] = [
  { name: 'BTC', price: '60540.5', size: '0.25' },
  { name: 'ETH', price: '2500', size: '10' },
  { name: 'SOL', price: '150.25', size: '1.5' },
];

function useColumns(): readonly DataColumn<Line>[] {
  const text = useText();
  return [
    { id: 'name', header: text('gallery.name'), fixed: true, cell: (row) => row.name, csv: (row) => row.name },
    {
      id: 'price',
      header: text('gallery.price'),
      align: 'end',
      cell: (row) => <Figure value={row.price} decimals={2} />,
      compare: (left, right) => compareDecimals(left.price, right.price),
      csv: (row) => row.price,
    },
    {
      id: 'size',
      header: text('gallery.size'),
      align: 'end',
      cell: (row) => <Figure value={row.size} decimals={4} />,
      compare: (left, right) => compareDecimals(left.size, right.size),
      csv: (row) => row.size,
    },
  ];
}

const STATES = ['saved', 'stale', 'loading', 'failed', 'empty'] as const;

export function Tables(): ReactElement {
  const text = useText();
  const columns = useColumns();
  const table = useDataTable({ name: 'gallery', columns, read: known(LINES) });
  const [state, setState] = useState<(typeof STATES)[number]>('loading');
  const [page, setPage] = useState(firstPage);
  const empty = text('gallery.empty');
  const retry = (): void => setState('loading');
  const states = {
    saved: known(LINES),
    stale: { phase: 'stale', value: LINES, since: Date.UTC(2026, 0, 1, 12), retry },
    loading: { phase: 'loading', value: undefined, error: undefined, retry },
    failed: { phase: 'failed', value: undefined, error: undefined, retry },
    empty: known([]),
  } as const satisfies Record<string, Loaded<readonly Line[]>>;
  const label = (name: string): string => `${text('gallery.tables')}: ${name}`;
  return (
    <>
      <Section title={text('gallery.tables')} aside={<TableTools table={table} csv={{ file: 'gallery' }} />}>
        <DataTable table={table} label={label(text('ui.columns'))} keyOf={(row) => row.name} empty={empty} />
      </Section>
      <Section
        title={text('gallery.states')}
        aside={
          <Segmented
            size="small"
            label={text('gallery.states')}
            value={state}
            choices={STATES.map((value) => ({ value, label: text(value === 'empty' ? 'gallery.none' : `gallery.${value}`) }))}
            onChange={setState}
          />
        }
      >
        <Table label={label(text('gallery.states'))} columns={columns} read={states[state]} keyOf={(row) => row.name} empty={empty} />
      </Section>
      <Section title={text('ui.rowsPerPage')}>
        <PagedTable
          label={label(text('ui.rowsPerPage'))}
          columns={columns}
          keyOf={(row) => row.name}
          empty={empty}
          query={{
            read: known(LINES),
            updating: false,
            pager: { ...page, total: 40, onChange: setPage },
          }}
        />
      </Section>
    </>
  );
}
