import type { ReactElement } from 'react';
import { useText } from '../../kit/i18n/text.tsx';
import { SignedInOnly } from '../sign-in/signed-in-only.tsx';
import { Page, Section } from '../../kit/ui/page.tsx';
import { TransferButton } from './transfer-button.tsx';
import { AssetNav } from './asset-nav.tsx';
import { BalanceTable } from './balance-table.tsx';
import { HideSmall } from './hide-small.tsx';
import type { WalletName } from '../balances/use-balances.ts';

function WalletPage({ wallet }: { readonly wallet: Exclude<WalletName, 'coinFutures'> }): ReactElement {
  const text = useText();
  return (
    <Page title={text(`assets.${wallet}Title`)} lead={text(`assets.${wallet}Lead`)} actions={<TransferButton />}>
      <AssetNav />
      <SignedInOnly invitation="portfolio.connect">
        <Section title={text('portfolio.balances')} aside={<HideSmall />}>
          <BalanceTable wallet={wallet} />
        </Section>
      </SignedInOnly>
    </Page>
  );
}

export const FundingPage = (): ReactElement => <WalletPage wallet="funding" />;
export const SpotPage = (): ReactElement => <WalletPage wallet="spot" />;
export const FuturesPage = (): ReactElement => <WalletPage wallet="futures" />;
