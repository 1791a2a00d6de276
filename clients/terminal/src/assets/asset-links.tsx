import type { ReactElement } from 'react';
import { useText } from '../i18n/text.tsx';
import { openTransfer } from '../onboarding/actions.ts';
import { Button } from '../ui/button.tsx';
import { LinkButton } from '../ui/link-button.tsx';

/** What can be done with money, on every page that shows some. */
export function AssetLinks(): ReactElement {
  const text = useText();
  return (
    <>
      <LinkButton kind="primary" to="/assets/deposit">
        {text('assets.deposit')}
      </LinkButton>
      <LinkButton to="/assets/withdraw">{text('assets.withdraw')}</LinkButton>
      <Button onClick={() => void openTransfer()}>{text('assets.transfer')}</Button>
      <LinkButton to="/assets/bills">{text('assets.bills')}</LinkButton>
    </>
  );
}
