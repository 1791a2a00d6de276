/** Everything an account has and everything on its way. */
import { useState } from 'react';
import type { ReactElement } from 'react';
import { TransferButton } from '../assets/transfer-button.tsx';
import { AssetNav } from '../assets/asset-nav.tsx';
import { BalanceTable } from '../assets/balance-table.tsx';
import { HideSmall } from '../assets/hide-small.tsx';
import { Deposits, Transfers, Withdrawals } from '../assets/movements.tsx';
import { useText } from '../i18n/text.tsx';
import { Checklist } from '../onboarding/checklist.tsx';
import { SignedInOnly } from '../sign-in/signed-in-only.tsx';
import { Page, Section } from '../ui/page.tsx';
import { TabPanel, Tabs } from '../ui/tabs.tsx';
import { AllocationCard } from './allocation-card.tsx';
import { Overview } from './overview.tsx';
import { WalletValues } from './wallet-values.tsx';

const activities = ['deposits', 'withdrawals', 'transfers'] as const;
type Activity = (typeof activities)[number];
const activityLabel = {
  deposits: 'portfolio.latestDeposits',
  withdrawals: 'portfolio.latestWithdrawals',
  transfers: 'portfolio.latestTransfers',
} as const;

function Activities(): ReactElement {
  const text = useText();
  const [active, setActive] = useState<Activity>('deposits');
  return (
    <section className="mb-5 overflow-hidden rounded-md border border-line bg-panel">
      <Tabs
        label={text('portfolio.activity')}
        active={active}
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

export function PortfolioPage(): ReactElement {
  const text = useText();
  return (
    <Page title={text('portfolio.title')} actions={<TransferButton />}>
      <AssetNav />
      <SignedInOnly invitation="portfolio.connect">
        <div className="grid items-start gap-x-5 laptop:grid-cols-[minmax(0,1fr)_18rem]">
          <div className="min-w-0">
            <Overview />
            <Section title={text('portfolio.balances')} aside={<HideSmall />}>
              <BalanceTable />
            </Section>
            <Activities />
          </div>
          <aside className="min-w-0 tablet:max-laptop:grid tablet:max-laptop:grid-cols-2 tablet:max-laptop:gap-x-5">
            <div className="mb-5 rounded-md border-line bg-panel empty:hidden [&:not(:empty)]:border">
              <Checklist />
            </div>
            <AllocationCard />
            <WalletValues />
          </aside>
        </div>
      </SignedInOnly>
    </Page>
  );
}
