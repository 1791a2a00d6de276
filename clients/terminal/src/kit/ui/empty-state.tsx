/** What stands where rows would be: how to get them, or that they could not be loaded. */
import type { ReactElement, ReactNode } from 'react';
import { useText } from '../i18n/text.tsx';
import { Button } from './button.tsx';

export function EmptyState({ children }: { readonly children: ReactNode }): ReactElement {
  return <div className="flex flex-col items-center gap-3 px-4 py-10 text-center text-md text-balance text-fg2">{children}</div>;
}

export function FailedState({ onRetry }: { readonly onRetry?: () => void }): ReactElement {
  const text = useText();
  return (
    <div role="alert" className="flex flex-col items-center gap-3 px-4 py-10 text-center text-md text-fg2">
      <p>{text('ui.loadFailed')}</p>
      {onRetry && (
        <Button size="small" onClick={onRetry}>
          {text('ui.retry')}
        </Button>
      )}
    </div>
  );
}
