/** `/otc`: the best advertisement for an amount, and all of them by side, coin, currency, amount and way to pay. */
import type { OtcAdvertisement } from '@orrery/api';
import type { ReactElement } from 'react';
import { useText } from '../../kit/i18n/text.tsx';
import { Button } from '../../kit/ui/button.tsx';
import { Checkbox } from '../../kit/ui/checkbox.tsx';
import { LinkButton } from '../../kit/ui/link-button.tsx';
import { Notice } from '../../kit/ui/notice.tsx';
import { Page, Section } from '../../kit/ui/page.tsx';
import { Select } from '../../kit/ui/select.tsx';
import { ask } from '../../platform/data/calls.ts';
import { usePageQuery } from '../../platform/data/page-query.ts';
import { useData } from '../../platform/data/use-data.ts';
import { coinName } from '../balances/coin-name.ts';
import { AdvertisementTable } from './advertisement-table.tsx';
import { Express } from './express.tsx';
import { useOtcNews } from './follow-otc.ts';
import { OtcNav } from './otc-nav.tsx';
import { postAdvertisement } from './post-advertisement.ts';
import { ADVERTISEMENTS, ANY_KIND, queryOf, useFilters } from './use-filters.ts';
import { PAYMENT_KINDS } from './use-otc.ts';

/** Prices follow the market. */
const POLL_MS = 20_000;

/** What waits for the person comes first. */
function OpenOrders(): ReactElement | null {
  const text = useText();
  const { value } = useData({ name: 'otcOrders', of: 'account', input: { query: { status: 'OPEN', page: 1, pageSize: 10 } } });
  const count = value?.total ?? 0;
  const only = count === 1 ? value?.list[0] : undefined;
  if (count === 0) return null;
  return (
    <div className="mb-5">
      <Notice tone="warn">
        <span className="flex flex-wrap items-center justify-between gap-3">
          {text('otc.openOrders', { count })}
          {only === undefined ? (
            <LinkButton size="small" to="/otc/orders">
              {text('otc.openOrders.show', { count })}
            </LinkButton>
          ) : (
            <LinkButton size="small" to="/otc/order/$orderId" params={{ orderId: only.orderId }}>
              {text('otc.openOrders.show', { count })}
            </LinkButton>
          )}
        </span>
      </Notice>
    </div>
  );
}

export function OtcPage(): ReactElement {
  const text = useText();
  const [filters, change] = useFilters();
  const { side, coin } = filters;
  useOtcNews();
  const query = usePageQuery<OtcAdvertisement>({
    key: [ADVERTISEMENTS, filters],
    of: 'everybody',
    pollMs: POLL_MS,
    load: (page) => ask('otcAdvertisements', { query: { ...queryOf(filters), ...page } }),
  });
  const kinds = ([ANY_KIND, ...PAYMENT_KINDS] as const).map((value) => ({ value, label: text(`otcName.kind.${value}`) }));
  return (
    <Page
      title={text('otc.title')}
      lead={text('otc.lead')}
      actions={<Button onClick={() => void postAdvertisement()}>{text('otc.post')}</Button>}
    >
      <OtcNav />
      <OpenOrders />
      <Express filters={filters} change={change} />
      <Section
        title={`${text(`otc.order.${side}`, { coin: coinName(coin) })}: ${text('otc.ads')}`}
        aside={
          <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
            <Checkbox value={filters.from === 'MERCHANTS'} onChange={(isOnly) => change.from(isOnly ? 'MERCHANTS' : 'ALL')}>
              {text('otc.merchantsOnly')}
            </Checkbox>
            <Select label={text('otc.kind')} size="small" value={filters.kind} choices={kinds} onChange={change.kind} />
          </div>
        }
      >
        <AdvertisementTable query={query} label={text('otc.ads')} empty={text('otc.ads.empty')} total={filters.total} />
      </Section>
    </Page>
  );
}
