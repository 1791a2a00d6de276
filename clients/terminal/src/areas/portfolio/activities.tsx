/** What is on its way, and what has arrived. */
import type { ReactElement } from 'react';
import { Deposits, Transfers, Withdrawals } from '../assets/movements.tsx';
import { useText } from '../../kit/i18n/text.tsx';
import { useChoiceInUrl } from '../../kit/ui/in-url.ts';
import { TabPanel, Tabs } from '../../kit/ui/tabs.tsx';

const activities = ['deposits', 'withdrawals', 'transfers'] as const;
const activityLabel = {
  deposits: 'portfolio.latestDeposits',
  withdrawals: 'portfolio.latestWithdrawals',
  transfers: 'portfolio.latestTransfers',
} as const;

export function Activities(): ReactElement {
  const text = useText();
  const [active, setActive] = useChoiceInUrl({ name: 'activity', values: activities, usual: 'deposits' });
  return (
    <section className="mb-5 overflow-hidden rounded-md border border-line bg-panel">
      <Tabs
        label={text('portfolio.activity')}
        value={active}
        onChange={setActive}
        tabs={activities.map((id) => ({ id, label: text(activityLabel[id]) }))}
        className="[&>div:first-child]:h-10 [&>div:first-child]:px-4"
      >
        <TabPanel id="deposits">
          <Deposits />
        </TabPanel>
        <TabPanel id="withdrawals">
          <Withdrawals />
        </TabPanel>
        <TabPanel id="transfers">
          <Transfers />
        </TabPanel>
      </Tabs>
    </section>
  );
}
