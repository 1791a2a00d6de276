/** `/otc/merchants`: who is one, and the person's own way to be one. */
import type { OtcTrader } from '@orrery/api';
import type { ReactElement } from 'react';
import { useText } from '../../kit/i18n/text.tsx';
import { Page, Section } from '../../kit/ui/page.tsx';
import { PagedTable } from '../../kit/ui/paged-table.tsx';
import type { Column } from '../../kit/ui/table.tsx';
import { ask } from '../../platform/data/calls.ts';
import { usePageQuery } from '../../platform/data/page-query.ts';
import { SignedInOnly } from '../sign-in/signed-in-only.tsx';
import { OtcNav } from './otc-nav.tsx';
import { OwnMerchant } from './own-merchant.tsx';
import { positivePercent, releaseSpan, TraderName, useRate } from './trader.tsx';
import { UNKNOWN } from '../../kit/format/number-format.ts';

function useColumns(): readonly Column<OtcTrader>[] {
  const text = useText();
  const rate = useRate();
  const percent = (trader: OtcTrader): string => {
    const share = positivePercent(trader);
    return share === undefined ? UNKNOWN : `${share}%`;
  };
  return [
    {
      id: 'name',
      header: text('otc.merchant.name'),
      cell: (row) => (
        <span className="block py-1.5">
          <TraderName trader={row} />
        </span>
      ),
    },
    { id: 'finished', header: text('otc.person.finished'), align: 'end', cell: (row) => row.finished },
    {
      id: 'rate',
      header: text('otc.person.rate'),
      align: 'end',
      wideOnly: true,
      cell: (row) => (row.completionRate === null ? UNKNOWN : `${rate(row.completionRate)}%`),
    },
    {
      id: 'release',
      header: text('otc.person.release'),
      align: 'end',
      wideOnly: true,
      cell: (row) => (row.medianReleaseSeconds === null ? UNKNOWN : releaseSpan(row.medianReleaseSeconds)),
    },
    { id: 'positive', header: text('otc.merchant.positive'), align: 'end', cell: percent },
  ];
}

export function MerchantsPage(): ReactElement {
  const text = useText();
  const query = usePageQuery<OtcTrader>({
    key: ['otcMerchants'],
    of: 'everybody',
    load: (page) => ask('otcMerchants', { query: page }),
  });
  return (
    <Page title={text('otc.merchants')} lead={text('otc.merchant.lead')}>
      <OtcNav />
      <Section title={text('otc.merchant.list')}>
        <PagedTable
          query={query}
          label={text('otc.merchant.list')}
          columns={useColumns()}
          keyOf={(row) => row.traderId}
          empty={text('otc.merchant.empty')}
        />
      </Section>
      <SignedInOnly invitation="otc.connect">
        <OwnMerchant />
      </SignedInOnly>
    </Page>
  );
}
