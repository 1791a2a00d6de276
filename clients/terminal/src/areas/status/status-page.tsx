import type { Status } from '@orrery/api';
import type { ReactElement } from 'react';
import { useData } from '../../platform/data/use-data.ts';
import { formatSpan } from '../../kit/format/time.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { useFormat } from '../../kit/settings/use-format.ts';
import { Hash } from '../../kit/ui/hash.tsx';
import { Notice } from '../../kit/ui/notice.tsx';
import { Fact, Facts, Page, Section } from '../../kit/ui/page.tsx';
import { Skeleton } from '../../kit/ui/skeleton.tsx';
import { StateTag } from '../../kit/ui/state-tag.tsx';
import { Table } from '../../kit/ui/table.tsx';
import type { Column } from '../../kit/ui/table.tsx';
import { ChaosPanel, ReportBug } from './tester-tools.tsx';
import { lazyPart } from '../../kit/ui/lazy-part.ts';
import { Panel } from '../../kit/ui/panel.tsx';
import { known } from '../../kit/ui/loaded.ts';

const OtcEscrow = lazyPart(async () => (await import('./otc-escrow.tsx')).OtcEscrow);

type Part = Status['parts'][number];

const MEGABYTE = 1_000_000;

function useColumns(): readonly Column<Part>[] {
  const text = useText();
  return [
    {
      id: 'name',
      header: text('status.part'),
      cell: (row) => (
        <span translate="no" className="font-medium">
          {row.name}
        </span>
      ),
    },
    {
      id: 'state',
      header: text('status.state'),
      cell: (row) => (
        <StateTag tone={row.ready ? 'done' : 'failed'}>
          {row.ready ? (
            text('status.running')
          ) : (
            <span translate="no" className="min-w-40 whitespace-normal">
              {row.detail}
            </span>
          )}
        </StateTag>
      ),
    },
  ];
}

function Parts({ parts }: Pick<Status, 'parts'>): ReactElement {
  const text = useText();
  const columns = useColumns();
  return (
    <Section title={text('status.parts')}>
      <Table label={text('status.parts')} columns={columns} read={known(parts)} keyOf={(row) => row.name} empty={text('status.noParts')} />
    </Section>
  );
}

function History({ status }: { readonly status: Status }): ReactElement {
  const text = useText();
  const format = useFormat();
  const megabytes = (bytes: number): string => format.number(String(Math.round(bytes / MEGABYTE)));
  const diskWords = ({ usedBytes, bytesPerDay }: NonNullable<Status['disk']>): string =>
    bytesPerDay === null
      ? text('status.diskUsed', { used: megabytes(usedBytes) })
      : text('status.diskGrows', { used: megabytes(usedBytes), perDay: megabytes(bytesPerDay) });
  return (
    <Section title={text('status.history')}>
      <Facts>
        <Fact term={text('status.version')}>{status.version}</Fact>
        <Fact term={text('status.uptime')}>{formatSpan(status.uptimeMs)}</Fact>
        <Fact term={text('status.time')}>{format.time(status.time)}</Fact>
        {status.clockAheadMs > 0 && <Fact term={text('status.clockAhead')}>{formatSpan(status.clockAheadMs)}</Fact>}
        <Fact term={text('status.seq')}>{format.number(String(status.seq))}</Fact>
        <Fact term={text('status.stateHash')}>
          <Hash value={status.stateHash} />{' '}
          <span className="text-fg3">{text('status.stateHashAt', { seq: format.number(String(status.stateHashSeq)) })}</span>
        </Fact>
        <Fact term={text('status.connections')}>{format.number(String(status.connections))}</Fact>
        {status.disk !== null && <Fact term={text('status.disk')}>{diskWords(status.disk)}</Fact>}
      </Facts>
    </Section>
  );
}

export function StatusPage(): ReactElement {
  const text = useText();
  const { value: data, phase } = useData({ name: 'status', of: 'everybody', pollMs: 10_000, retry: 'never' });
  const isError = phase === 'failed' || phase === 'stale';
  const headline = isError ? 'status.unreachable' : data?.ready === false ? 'status.notReady' : 'status.ready';
  return (
    <Page width="reading" title={text('status.title')} lead={text('status.lead')} actions={<ReportBug version={data?.version} />}>
      <div className="mb-5" role="status">
        {data === undefined && !isError ? (
          <Skeleton className="h-9 w-full" />
        ) : (
          <Notice tone={headline === 'status.ready' ? 'ok' : 'error'}>{text(headline)}</Notice>
        )}
      </div>
      {data !== undefined && <Parts parts={data.parts} />}
      {data !== undefined && <History status={data} />}
      <Panel>
        <OtcEscrow />
      </Panel>
      <ChaosPanel />
      <p className="text-sm text-fg3">{text('status.checked')}</p>
    </Page>
  );
}
