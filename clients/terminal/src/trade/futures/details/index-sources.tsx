/** The outside prices that index and mark of a contract are made of, each with its age and whether it counts. */
import type { CallData } from '@orrery/api';
import type { ReactElement } from 'react';
import { useData } from '../../../platform/data/use-data.ts';
import { formatSpan } from '../../../kit/format/time.ts';
import { useText } from '../../../kit/i18n/text.tsx';
import { useFormat } from '../../../kit/settings/use-format.ts';
import { StateTag } from '../../../kit/ui/state-tag.tsx';
import { Table } from '../../../kit/ui/table.tsx';
import type { Column } from '../../../kit/ui/table.tsx';
import { useServerNow } from '../../../platform/client/server-clock.ts';
import { useContract } from '../../../market/use-contracts.ts';
import { mapped } from '../../../kit/ui/loaded.ts';

type Source = CallData['indexSources']['sources'][number];

/** Between two readings their ages go on. */
const POLL_MS = 10_000;

function useColumns(since: number): readonly Column<Source>[] {
  const text = useText();
  const format = useFormat();
  const now = useServerNow(1_000);
  const { pricePrecision } = useContract();
  return [
    { id: 'source', header: text('contract.source'), cell: ({ source }) => <span className="font-medium">{source}</span> },
    { id: 'kind', header: text('contract.venue'), cell: ({ kind }) => text(`contract.venue.${kind}`) },
    {
      id: 'price',
      header: text('contract.price'),
      align: 'end',
      cell: ({ price }) => format.number(price, { decimals: pricePrecision }),
    },
    {
      id: 'weight',
      header: text('contract.weight'),
      align: 'end',
      wideOnly: true,
      cell: ({ weight }) => format.number(weight === null ? undefined : String(weight)),
    },
    { id: 'age', header: text('contract.age'), align: 'end', cell: ({ ageMs }) => formatSpan(ageMs + Math.max(0, now - since)) },
    {
      id: 'state',
      header: text('contract.state'),
      align: 'end',
      cell: ({ isFresh }) => <StateTag tone={isFresh ? 'done' : 'failed'}>{text(isFresh ? 'contract.fresh' : 'contract.tooOld')}</StateTag>,
    },
  ];
}

export function IndexSources(): ReactElement {
  const text = useText();
  const { wire } = useContract();
  const sources = useData({ name: 'indexSources', input: { query: { symbol: wire } }, of: 'everybody', pollMs: POLL_MS });
  const columns = useColumns(sources.value?.time ?? 0);
  return (
    <>
      <p className="max-w-[72ch] px-4 pb-2 text-md text-fg2">{text('contract.sourcesLead')}</p>
      <Table
        label={text('contract.sources')}
        columns={columns}
        read={mapped(sources, (value) => value.sources)}
        keyOf={({ source, kind }) => `${kind}:${source}`}
        empty={text('contract.noSources')}
        skeletonRows={3}
      />
    </>
  );
}
