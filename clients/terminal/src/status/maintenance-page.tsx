import type { ReactElement } from 'react';
import { useText } from '../i18n/text.tsx';
import { LinkButton } from '../ui/link-button.tsx';
import { useDocumentTitle } from '../ui/page.tsx';

export function MaintenancePage(): ReactElement {
  const text = useText();
  useDocumentTitle(text('maintenance.title'));
  return (
    <main className="flex grow flex-col items-start justify-center gap-3 px-6 py-16 tablet:px-[12vw]">
      <h1 className="text-2xl font-semibold tracking-[-0.02em]">{text('maintenance.title')}</h1>
      <p className="max-w-[52ch] text-lg text-fg2">{text('maintenance.lead')}</p>
      <div className="mt-3 flex flex-wrap gap-2">
        <LinkButton kind="primary" to="/status">
          {text('maintenance.status')}
        </LinkButton>
        <LinkButton to="/">{text('maintenance.retry')}</LinkButton>
      </div>
    </main>
  );
}
