/** Wash rings: accounts that trade with one another beyond chance, why they are taken for one, and what of theirs counts for nothing. */
import { mayOperate, type SuspiciousCluster } from '@orrery/api';
import type { ReactElement } from 'react';
import { useText } from '../../kit/i18n/text.tsx';
import { useFormat } from '../../kit/settings/use-format.ts';
import { LinkButton } from '../../kit/ui/link-button.tsx';
import { Page, Section } from '../../kit/ui/page.tsx';
import { PagedTable } from '../../kit/ui/paged-table.tsx';
import type { Column } from '../../kit/ui/table.tsx';
import { usePageInUrl } from '../../kit/ui/in-url.ts';
import { Appeals } from './appeals.tsx';
import { pageOf, useList } from '../../platform/data/operators.ts';
import type { AreaProps } from './area.ts';
import { PersonCell } from './person-cell.tsx';
import { FundDealings } from './fund-dealings.tsx';
import { Funders } from './funders.tsx';
import { Pairs } from './pairs.tsx';

function Members({ members, mayShow }: Pick<SuspiciousCluster, 'members'> & { readonly mayShow: boolean }): ReactElement {
  const text = useText();
  return (
    <ul className="py-1">
      {members.map(({ account, address, isWasher }) => (
        <li key={account}>
          <PersonCell kind="CLUSTER" id={account} address={address} mayShow={mayShow} />
          {isWasher && <span className="ms-1.5 text-fg3">{text('console.clusters.washer')}</span>}
        </li>
      ))}
    </ul>
  );
}

function useColumns(mayShow: boolean): readonly Column<SuspiciousCluster>[] {
  const text = useText();
  const format = useFormat();
  const reasonOf = ({ evidence, trades, expected }: SuspiciousCluster): string => {
    const kinds = evidence.map((kind) => text(`console.clusters.evidence.${kind}`)).join(', ');
    return `${kinds}; ${text('console.clusters.trades', { trades, expected: expected.toFixed(1) })}`;
  };
  return [
    { id: 'campaign', header: text('console.clusters.campaign'), cell: (row) => row.campaignId },
    { id: 'members', header: text('console.clusters.members'), cell: (row) => <Members members={row.members} mayShow={mayShow} /> },
    { id: 'reason', header: text('console.reason'), cell: reasonOf },
    { id: 'volume', header: text('console.clusters.volume'), align: 'end', cell: (row) => format.number(row.volume) },
  ];
}

export function ClustersArea({ me }: AreaProps): ReactElement {
  const text = useText();
  const [page, setPage] = usePageInUrl('clusters');
  const list = useList('suspiciousClusters', page);
  const reversal = (
    <LinkButton to="/console/$area" params={{ area: 'rewards' }}>
      {text('console.rewards.reversal')}
    </LinkButton>
  );
  return (
    <Page title={text('console.clusters.title')} lead={text('console.clusters.lead')} actions={mayOperate(me.role, 'operator') && reversal}>
      <Section title={text('console.clusters.title')}>
        <PagedTable
          query={pageOf(list, { page, onChange: setPage })}
          label={text('console.clusters.title')}
          columns={useColumns(mayOperate(me.role, 'operator'))}
          keyOf={(row) => `${row.campaignId} ${row.members.map(({ account }) => account).join(' ')}`}
          empty={text('console.clusters.empty')}
        />
      </Section>
      <Pairs me={me} />
      <FundDealings me={me} />
      <Appeals me={me} />
      <Funders />
    </Page>
  );
}
