import { useRouter, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { ReactElement } from 'react';
import { safeRedirect } from '../account/safe-redirect.ts';
import { useReach } from '../../platform/client/exchange-reach.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { LinkButton } from '../../kit/ui/link-button.tsx';
import { useDocumentTitle } from '../../kit/ui/page.tsx';

/** Who was led here goes back to where they were, once the exchange answers. */
function useReturn(from: string | undefined): void {
  const router = useRouter();
  const { phase } = useReach();
  useEffect(() => {
    if (from !== undefined && phase === 'reached') router.history.replace(safeRedirect(from, location.origin));
  }, [from, phase, router]);
}

export function MaintenancePage(): ReactElement {
  const text = useText();
  const { from } = useSearch({ from: '/maintenance' });
  useDocumentTitle(text('maintenance.title'));
  useReturn(from);
  return (
    <main className="mx-auto flex w-full max-w-[1180px] grow flex-col items-start justify-center gap-3 px-4 py-16 tablet:px-6">
      <h1 className="text-2xl font-semibold tracking-[-0.02em]">{text('maintenance.title')}</h1>
      <p className="max-w-[52ch] text-lg text-fg2">{text('maintenance.lead')}</p>
      {from !== undefined && <p className="max-w-[52ch] text-md text-fg2">{text('maintenance.return')}</p>}
      <div className="mt-3 flex flex-wrap gap-2">
        <LinkButton kind="primary" to="/status">
          {text('maintenance.status')}
        </LinkButton>
        <LinkButton to="/">{text('maintenance.retry')}</LinkButton>
      </div>
    </main>
  );
}
