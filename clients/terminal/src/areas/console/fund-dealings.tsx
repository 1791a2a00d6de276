/** What funds traded in a day with those who lead them, and funds that nobody can subscribe to. */
import { mayOperate, type FundDealing } from '@orrery/api';
import type { ReactElement } from 'react';
import { useText } from '../../kit/i18n/text.tsx';
import { useFormat } from '../../kit/settings/use-format.ts';
import { Button } from '../../kit/ui/button.tsx';
import { Section } from '../../kit/ui/page.tsx';
import { PagedTable } from '../../kit/ui/paged-table.tsx';
import { StateTag } from '../../kit/ui/state-tag.tsx';
import type { Column } from '../../kit/ui/table.tsx';
import { usePageInUrl } from '../../kit/ui/in-url.ts';
import { consoleHttp, pageOf, useAct, useList } from '../../platform/data/operators.ts';
import type { AreaProps } from './area.ts';
import { PersonCell } from './person-cell.tsx';

/** Nobody subscribes until two operators say that they have looked at it. */
function Resume({ fundId }: Pick<FundDealing, 'fundId'>): ReactElement {
  const text = useText();
  const { busy, act } = useAct();
  const propose = (): void => act(() => consoleHttp.call('proposeFundResume', { body: { fundId } }), 'console.proposed');
  return (
    <Button size="small" busy={busy} onClick={propose}>
      {text('console.funds.resume')}
    </Button>
  );
}

function useColumns(mayAct: boolean): readonly Column<FundDealing>[] {
  const text = useText();
  const format = useFormat();
  const money = (value: string): string => format.number(value, { decimals: 2 });
  return [
    { id: 'fund', header: text('console.funds.fund'), cell: (row) => row.fundId },
    {
      id: 'members',
      header: text('console.funds.members'),
      cell: ({ members }) => (
        <ul className="py-1">
          {members.map(({ account, address }) => (
            <li key={account}>
              <PersonCell kind="CLUSTER" id={account} address={address} mayShow={mayAct} />
            </li>
          ))}
        </ul>
      ),
    },
    { id: 'trades', header: text('console.pairs.trades'), align: 'end', cell: (row) => row.trades },
    { id: 'volume', header: text('console.pairs.volume'), align: 'end', cell: (row) => money(row.volume) },
    { id: 'gain', header: text('console.funds.gain'), align: 'end', cell: (row) => money(row.gain) },
    { id: 'worth', header: text('console.funds.worth'), align: 'end', cell: (row) => money(row.worth) },
    {
      id: 'state',
      header: text('console.funds.state'),
      align: 'end',
      cell: ({ isBeyond, isPaused }) => (
        <StateTag tone={isBeyond ? 'failed' : isPaused ? 'waiting' : 'neutral'}>
          {text(isBeyond ? 'console.funds.beyond' : isPaused ? 'console.funds.paused' : 'console.funds.within')}
        </StateTag>
      ),
    },
    {
      id: 'resume',
      header: text('console.funds.subscriptions'),
      pinned: true,
      cell: ({ fundId, isPaused }) => isPaused && mayAct && <Resume fundId={fundId} />,
    },
  ];
}

export function FundDealings({ me }: AreaProps): ReactElement {
  const text = useText();
  const [page, setPage] = usePageInUrl('fundDealings');
  const list = useList('fundDealings', page);
  return (
    <Section title={text('console.funds.title')}>
      <p className="px-4 py-2 text-sm text-fg2">{text('console.funds.hint')}</p>
      <PagedTable
        query={pageOf(list, { page, onChange: setPage })}
        label={text('console.funds.title')}
        columns={useColumns(mayOperate(me.role, 'operator'))}
        keyOf={(row) => row.fundId}
        empty={text('console.funds.empty')}
      />
    </Section>
  );
}
