/** How the connection to the exchange is doing: own orders, market data, and what had to be read again. */
import { Link } from '@tanstack/react-router';
import type { ReactElement, ReactNode } from 'react';
import { ORDERS_KEPT, percentile, useOrderLatency } from '../platform/client/order-latency.ts';
import { useRunningFeedStatus } from '../platform/data/streams/use-running.ts';
import { formatSpan } from '../kit/format/time.ts';
import { useText } from '../kit/i18n/text.tsx';
import { useNow } from '../kit/ui/use-now.ts';
import { usePulse } from '../platform/data/streams/pulse.ts';
import { UNKNOWN } from '../kit/format/number-format.ts';

function Row({ label, children }: { readonly label: string; readonly children: ReactNode }): ReactElement {
  return (
    <div className="flex justify-between gap-6 py-1">
      <dt className="text-fg3">{label}</dt>
      <dd className="text-fg">{children}</dd>
    </div>
  );
}

/** @param children how fresh each topic is. */
export function Connection({ children }: { readonly children: ReactNode }): ReactElement {
  const text = useText();
  const now = useNow(1_000);
  const { latencyMs } = usePulse();
  const { spans } = useOrderLatency();
  const status = useRunningFeedStatus();
  const heardAt = status?.heardAt ?? 0;
  const [median, slowest] = [0.5, 0.95].map((share) => percentile(spans, share));
  const count = Math.min(ORDERS_KEPT, spans.length);
  return (
    <div className="w-72 p-3 text-sm">
      <h2 className="mb-1 text-md font-semibold">{text('latency.title')}</h2>
      <dl>
        <Row label={text('latency.orders')}>
          {median === undefined || slowest === undefined ? text('latency.noOrders') : text('latency.ordersOf', { median, slowest, count })}
        </Row>
        <Row label={text('latency.call')}>{latencyMs === undefined ? UNKNOWN : `${latencyMs} ms`}</Row>
        <Row label={text('latency.feed')}>
          {heardAt === 0 ? UNKNOWN : text('latency.feedAge', { age: formatSpan(Math.max(0, now - heardAt)) })}
        </Row>
        <Row label={text('latency.gaps')}>{status?.resyncs ?? UNKNOWN}</Row>
        <Row label={text('latency.reconnects')}>{status?.reconnects ?? UNKNOWN}</Row>
      </dl>
      <div className="mt-2 border-t border-line pt-2">{children}</div>
      <Link to="/status" className="text-link mt-2 inline-block">
        {text('latency.more')}
      </Link>
    </div>
  );
}
