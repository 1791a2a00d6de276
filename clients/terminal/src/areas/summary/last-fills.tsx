/** The newest own fills of a market. */
import type { ReactElement } from 'react';
import { useData } from '../../platform/data/use-data.ts';
import type { TradedMarket } from '../../market/market.ts';
import { formatSpan } from '../../kit/format/time.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { useSettings } from '../../kit/settings/settings.ts';
import { HIDDEN, useFormat } from '../../kit/settings/use-format.ts';
import { Figure } from '../../kit/ui/figure.tsx';
import { useServerNow } from '../../platform/client/server-clock.ts';
import { SummarySection } from './summary-section.tsx';

const SHOWN = 3;

export function LastFills({ market }: { readonly market: TradedMarket }): ReactElement | null {
  const text = useText();
  const format = useFormat();
  const isHidden = useSettings((settings) => settings.hideAmounts);
  const now = useServerNow(5_000);
  const { symbol, pricePrecision, sizePrecision } = market;
  // Under the name of the table of fills: a fill of one's own makes both stale.
  const { value: fills } = useData({ name: 'fills', input: { query: { page: 1, size: SHOWN, symbol } }, of: 'account' });
  if (fills === undefined || fills.items.length === 0) return null;
  return (
    <SummarySection title={text('summary.fills')}>
      <ul className="text-sm">
        {fills.items.map((fill) => (
          <li
            key={`${fill.execId}-${fill.orderId}`}
            className="grid grid-cols-[2.5rem_minmax(0,1fr)_auto_3rem] items-baseline gap-x-2 py-0.5"
          >
            <span className={fill.orderSide === 'BUY' ? 'text-up' : 'text-down'}>
              {text(fill.orderSide === 'BUY' ? 'trade.buy' : 'trade.sell')}
            </span>
            <span className="truncate">{isHidden ? HIDDEN : <Figure value={fill.quantity} decimals={sizePrecision} />}</span>
            <Figure value={fill.price} decimals={pricePrecision} className="text-fg2" />
            <time dateTime={new Date(fill.timestamp).toISOString()} title={format.time(fill.timestamp)} className="text-end text-fg3">
              {formatSpan(now - fill.timestamp)}
            </time>
          </li>
        ))}
      </ul>
    </SummarySection>
  );
}
