import type { ReactElement } from 'react';
import { useText } from '../../kit/i18n/text.tsx';
import { SignedInOnly } from '../sign-in/signed-in-only.tsx';
import { Page, Section } from '../../kit/ui/page.tsx';
import { TransferButton } from './transfer-button.tsx';
import { AssetNav } from './asset-nav.tsx';
import { BalanceTable } from './balance-table.tsx';
import { HideSmall } from './hide-small.tsx';
import type { WalletName } from '../balances/use-balances.ts';
import { wallets } from '../balances/wallets.ts';

function WalletPage({ wallet }: { readonly wallet: WalletName }): ReactElement {
  const text = useText();
  return (
    <Page title={text(wallets[wallet].title)} lead={text(wallets[wallet].lead)} actions={<TransferButton />}>
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
export const CoinFuturesPage = (): ReactElement => <WalletPage wallet="coinFutures" />;
