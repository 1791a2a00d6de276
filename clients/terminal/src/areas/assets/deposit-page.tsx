import type { ReactElement } from 'react';
import { useText } from '../../kit/i18n/text.tsx';
import { openFaucet } from '../onboarding/actions.ts';
import { SignedInOnly } from '../sign-in/signed-in-only.tsx';
import { Button } from '../../kit/ui/button.tsx';
import { Page, Section } from '../../kit/ui/page.tsx';
import { AssetNav } from './asset-nav.tsx';
import { DepositForm } from './deposit-form.tsx';
import { Deposits } from './movements.tsx';
import { useContracts } from '../balances/chain-contracts.ts';

export function DepositPage(): ReactElement {
  const text = useText();
  const confirmations = useContracts()?.confirmations ?? 1;
  const actions = <Button onClick={() => void openFaucet()}>{text('assets.getTokens')}</Button>;
  return (
    <Page title={text('deposit.title')} lead={text('deposit.lead', { confirmations })} actions={actions}>
      <AssetNav />
      <SignedInOnly invitation="portfolio.connect">
        <div className="grid items-start gap-x-5 laptop:grid-cols-[360px_minmax(0,1fr)]">
          <DepositForm />
          <Section title={text('portfolio.latestDeposits')}>
            <Deposits />
          </Section>
        </div>
      </SignedInOnly>
    </Page>
  );
}
