/** Everything an account has and everything on its way. */
import { useState } from 'react';
import type { ReactElement } from 'react';
import { TransferButton } from '../assets/transfer-button.tsx';
import { AssetNav } from '../assets/asset-nav.tsx';
import { BalanceTable } from '../assets/balance-table.tsx';
import { HideSmall } from '../assets/hide-small.tsx';
import { Deposits, Transfers, Withdrawals } from '../assets/movements.tsx';
import { inWallet, useBalances } from '../balances/use-balances.ts';
import type { WalletName } from '../balances/use-balances.ts';
import { walletLabel } from '../balances/wallet-label.ts';
import { sumDecimals } from '../format/decimal.ts';
import { useText } from '../i18n/text.tsx';
import { Checklist } from '../onboarding/checklist.tsx';
import { SignedInOnly } from '../sign-in/signed-in-only.tsx';
import { useFormat } from '../settings/use-format.ts';
import { Page, Section } from '../ui/page.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { TabPanel, Tabs } from '../ui/tabs.tsx';

const wallets: readonly WalletName[] = ['funding', 'spot', 'futures'];

/** `undefined` while loading. Coins without a price count for nothing, and their rows say so. */
function useValue(wallet?: WalletName): string | undefined {
  const { rows } = useBalances();
  const counted = wallet === undefined ? rows : inWallet(rows, wallet);
  return counted && sumDecimals(counted.map((row) => row.estimatedTotalAmount ?? '0'));
}

function WalletValue({ wallet }: { readonly wallet: WalletName }): ReactElement {
  const text = useText();
  const format = useFormat();
  const value = useValue(wallet);
  return (
    <div className="min-w-0">
      <p className="text-sm text-fg3">{text(walletLabel[wallet])}</p>
      <p className="truncate text-lg font-medium">{value === undefined ? <Skeleton /> : format.fiat(value)}</p>
    </div>
  );
}

function Totals(): ReactElement {
  const text = useText();
  const format = useFormat();
  const total = useValue();
  return (
    <div data-read className="mb-5 flex flex-wrap items-end gap-x-10 gap-y-4 rounded-md border border-line bg-panel px-4 py-4">
      <div>
        <p className="text-sm text-fg3">{text('portfolio.total')}</p>
        <p className="text-2xl font-semibold tracking-[-0.02em]">
          {total === undefined ? <Skeleton className="h-6 w-40" /> : format.fiat(total)}
        </p>
      </div>
      <div className="flex flex-wrap gap-x-8 gap-y-2">
        {wallets.map((wallet) => (
          <WalletValue key={wallet} wallet={wallet} />
        ))}
      </div>
    </div>
  );
}

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
        <div className="grid items-start gap-5 laptop:has-[aside:not(:empty)]:grid-cols-[minmax(0,1fr)_auto]">
          <div className="min-w-0">
            <Totals />
            <Section title={text('portfolio.balances')} aside={<HideSmall />}>
              <BalanceTable />
            </Section>
            <Activities />
          </div>
          <aside className="w-full rounded-md border-line bg-panel empty:hidden max-laptop:order-first laptop:w-72 [&:not(:empty)]:border">
            <Checklist />
          </aside>
        </div>
      </SignedInOnly>
    </Page>
  );
}
