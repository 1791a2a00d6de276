/** Whether the use of the pages is measured, and what exactly is sent. */
import { useEffect, useState } from 'react';
import type { ReactElement } from 'react';
import { useText } from '../../kit/i18n/text.tsx';
import { useSession } from '../session/session.ts';
import { eventsOf } from './usage.ts';

/** What a view of this page sends, or would send. */
export function UsagePreview(): ReactElement {
  const text = useText();
  const address = useSession((state) => (state.signedIn === undefined ? undefined : state.address));
  const [shown, setShown] = useState('');
  useEffect(() => {
    let isOver = false;
    void eventsOf(location.pathname, address)
      .then((events) => (isOver ? undefined : setShown(JSON.stringify(events, undefined, 2))))
      .catch(() => undefined);
    return () => {
      isOver = true;
    };
  }, [address]);
  return (
    <details className="mt-1">
      <summary className="cursor-pointer text-sm text-link">{text('settings.analyticsShow')}</summary>
      <pre tabIndex={0} aria-label={text('settings.analyticsShow')} className="mt-1 max-h-48 overflow-auto font-mono text-sm text-fg2">
        {shown}
      </pre>
    </details>
  );
}
