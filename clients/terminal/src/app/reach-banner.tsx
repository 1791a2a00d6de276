/** Says on every page that the exchange cannot be reached, since when, and that nobody has to do anything about it. */
import type { ReactElement } from 'react';
import { useEffect } from 'react';
import { useReach } from '../platform/client/exchange-reach.ts';
import { isAway } from '../platform/client/reach.ts';
import { useText } from '../kit/i18n/text.tsx';
import { useFormat } from '../kit/settings/use-format.ts';

/** Lets the style sheet dim what was read before the outage. */
function useDimming(isLost: boolean): void {
  useEffect(() => {
    if (isLost) document.documentElement.dataset['reach'] = 'lost';
    else delete document.documentElement.dataset['reach'];
  }, [isLost]);
}

export function ReachBanner(): ReactElement {
  const text = useText();
  const format = useFormat();
  const reach = useReach();
  const isLost = isAway(reach);
  useDimming(isLost);
  return (
    <div aria-live="polite">
      {isLost && (
        <p className="border-b border-error bg-raised px-3 py-1.5 text-md text-fg">
          {text(navigator.onLine ? 'reach.lost' : 'reach.offline', { time: format.time(reach.since) })}
        </p>
      )}
    </div>
  );
}
