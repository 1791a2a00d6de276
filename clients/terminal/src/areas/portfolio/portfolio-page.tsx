/** Everything an account has and everything on its way. */
import type { ReactElement } from 'react';
import { TransferButton } from '../assets/transfer-button.tsx';
import { AssetNav } from '../assets/asset-nav.tsx';
import { BalanceTable } from '../assets/balance-table.tsx';
import { HideSmall } from '../assets/hide-small.tsx';
import { useText } from '../../kit/i18n/text.tsx';
import { Checklist } from '../onboarding/checklist.tsx';
import { SignedInOnly } from '../sign-in/signed-in-only.tsx';
import { lazyPart } from '../../kit/ui/lazy-part.ts';
import { Page, Section } from '../../kit/ui/page.tsx';
import { Panel } from '../../kit/ui/panel.tsx';
import { useChoiceInUrl } from '../../kit/ui/in-url.ts';
import { AllocationCard } from './allocation-card.tsx';
import { FundShares } from './fund-shares.tsx';
import { Overview } from './overview.tsx';
import { PracticeMoney } from './practice-money.tsx';
import { useFreshPortfolio } from './use-fresh-portfolio.ts';
import { scopes } from './use-history.ts';
import { WalletValues } from './wallet-values.tsx';

const PnlCalendar = lazyPart(async () => (await import('./pnl-calendar.tsx')).PnlCalendar);
const Activities = lazyPart(async () => (await import('./activities.tsx')).Activities);

export function PortfolioPage(): ReactElement {
  const text = useText();
  useFreshPortfolio();
  const [scope, setScope] = useChoiceInUrl({ name: 'scope', values: scopes, usual: 'all' });
  return (
    <Page title={text('portfolio.title')} lead={text('portfolio.lead')} actions={<TransferButton />}>
      <AssetNav />
      <SignedInOnly invitation="portfolio.connect">
        <div className="grid items-start gap-x-5 laptop:grid-cols-[minmax(0,1fr)_18rem]">
          <div className="min-w-0">
            <Overview scope={scope} onScope={setScope} />
            <Panel loading={<div className="mb-5 h-[23rem] rounded-md border border-line bg-panel" />}>
              <PnlCalendar scope={scope} />
            </Panel>
            <Section title={text('portfolio.balances')} aside={<HideSmall />}>
              <BalanceTable />
            </Section>
            <Panel loading={<div className="mb-5 h-48 rounded-md border border-line bg-panel" />}>
              <Activities />
            </Panel>
          </div>
          <aside className="min-w-0 tablet:max-laptop:grid tablet:max-laptop:grid-cols-2 tablet:max-laptop:gap-x-5">
            <div className="mb-5 rounded-md border-line bg-panel empty:hidden [&:not(:empty)]:border">
              <Checklist />
            </div>
            <AllocationCard />
            <WalletValues />
            <FundShares />
            <PracticeMoney />
          </aside>
        </div>
      </SignedInOnly>
    </Page>
  );
}
