/** Says on every page that a newer version of the terminal waits; it takes over when the person agrees, and never by itself. */
import { useEffect, useState } from 'react';
import type { ReactElement } from 'react';
import { appWorker, takeNewer, useAppWorker } from '../../platform/offline/app-worker.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { Button } from '../../kit/ui/button.tsx';

export function NewerVersion(): ReactElement | null {
  const text = useText();
  const newer = useAppWorker((state) => state.newer);
  const [later, setLater] = useState<ServiceWorker>();
  useEffect(() => {
    // Without a worker the terminal is what it is everywhere else.
    void appWorker().catch(() => undefined);
  }, []);
  if (newer === undefined || newer === later) return null;
  return (
    <section
      aria-label={text('getApp.newer')}
      className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-raised px-3 py-1"
    >
      <p className="min-w-0 grow text-md text-fg2">{text('getApp.newerLead')}</p>
      <Button size="small" kind="primary" onClick={() => takeNewer(newer)}>
        {text('getApp.newerTake')}
      </Button>
      <Button size="small" onClick={() => setLater(newer)}>
        {text('getApp.newerLater')}
      </Button>
    </section>
  );
}
