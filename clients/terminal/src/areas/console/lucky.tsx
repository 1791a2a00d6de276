/** Lucky blocks with what was decided about each, and what chance does not explain. */
import { mayOperate, type LuckyAlarmEntry, type LuckyBlock } from '@orrery/api';
import type { ReactElement } from 'react';
import { UNKNOWN } from '../../kit/format/number-format.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { useFormat } from '../../kit/settings/use-format.ts';
import { Button } from '../../kit/ui/button.tsx';
import { Hash } from '../../kit/ui/hash.tsx';
import { Page, Section } from '../../kit/ui/page.tsx';
import { PagedTable } from '../../kit/ui/paged-table.tsx';
import { Table } from '../../kit/ui/table.tsx';
import type { Column } from '../../kit/ui/table.tsx';
import { usePageInUrl } from '../../kit/ui/in-url.ts';
import type { AreaProps } from './area.ts';
import { consoleHttp, pageOf, useAct, useList, useWhole } from '../../platform/data/operators.ts';
import { mapped } from '../../kit/ui/loaded.ts';

const MS = 1_000;

function useDecisionColumns(): readonly Column<LuckyBlock>[] {
  const text = useText();
  const format = useFormat();
  return [
    { id: 'block', header: text('console.lucky.block'), cell: (row) => row.blockId },
    { id: 'hash', header: text('console.hash'), wideOnly: true, cell: (row) => <Hash value={row.blockHash} /> },
    { id: 'at', header: text('console.at'), cell: (row) => format.time(row.blockTime * MS) },
    {
      id: 'winner',
      header: text('console.lucky.winner'),
      cell: (row) => (row.winner === null ? UNKNOWN : <Hash value={row.winner} />),
    },
    { id: 'decision', header: text('console.lucky.decision'), cell: (row) => text(`console.lucky.decision.${row.decision}`) },
    { id: 'points', header: text('console.rewards.howMany'), align: 'end', cell: (row) => row.points },
    { id: 'reason', header: text('console.reason'), cell: (row) => row.reason },
  ];
}

/** Awards wait until two operators say that they have looked at it. */
function Resume({ alarm: { period, blocks } }: { readonly alarm: LuckyAlarmEntry }): ReactElement {
  const text = useText();
  const { busy, act } = useAct();
  const propose = (): void => act(() => consoleHttp.call('proposeLuckyResume', { body: { period, blocks } }), 'console.proposed');
  return (
    <Button size="small" busy={busy} onClick={propose}>
      {text('console.lucky.resume')}
    </Button>
  );
}

function useAlarmColumns({ me }: AreaProps): readonly Column<LuckyAlarmEntry>[] {
  const text = useText();
  const format = useFormat();
  return [
    { id: 'at', header: text('console.at'), cell: (row) => format.time(row.at) },
    { id: 'subject', header: text('console.lucky.subject'), cell: (row) => <Hash value={row.subject} /> },
    { id: 'period', header: text('console.lucky.period'), cell: (row) => row.period },
    { id: 'what', header: text('console.lucky.what'), cell: (row) => row.sentence },
    {
      id: 'paused',
      header: text('console.lucky.paused'),
      pinned: true,
      cell: (row) => row.pausesAwards && mayOperate(me.role, 'operator') && <Resume alarm={row} />,
    },
  ];
}

export function LuckyArea({ me }: AreaProps): ReactElement {
  const text = useText();
  const [page, setPage] = usePageInUrl('lucky');
  const decisions = useList('luckyDecisions', page);
  const alarms = useWhole('luckyAlarms');
  return (
    <Page title={text('console.lucky.title')} lead={text('console.lucky.lead')}>
      <Section title={text('console.lucky.alarms')}>
        <Table
          label={text('console.lucky.alarms')}
          columns={useAlarmColumns({ me })}
          read={mapped(alarms, ({ list }) => list)}
          keyOf={(row) => `${row.kind} ${row.subject} ${row.period}`}
          empty={text('console.lucky.noAlarms')}
        />
      </Section>
      <Section title={text('console.lucky.decisions')}>
        <PagedTable
          query={pageOf(decisions, { page, onChange: setPage })}
          label={text('console.lucky.decisions')}
          columns={useDecisionColumns()}
          keyOf={(row) => row.blockHash}
          empty={text('console.lucky.none')}
        />
      </Section>
    </Page>
  );
}
