/** What a request changes: before and after, and when. */
import { ArrowRight } from 'lucide-react';
import type { FundDetail } from '@orrery/api';
import type { ReactElement, ReactNode } from 'react';
import { useText } from '../../kit/i18n/text.tsx';
import { useFormat } from '../../kit/settings/use-format.ts';
import { useServerNow } from '../../platform/client/server-clock.ts';
import { earliestOf } from './earliest.ts';

export interface ReceiptRow {
  readonly label: string;
  readonly before: string;
  /** Undefined while nothing valid is entered. */
  readonly after: string | undefined;
}

interface ReceiptProps {
  readonly fund: FundDetail;
  readonly rows: readonly ReceiptRow[];
  readonly children: ReactNode;
}

export function Receipt({ fund, rows, children }: ReceiptProps): ReactElement {
  const text = useText();
  const format = useFormat();
  const earliest = earliestOf(fund, useServerNow(1_000));
  return (
    <section aria-label={text('quanto.receipt')} className="flex flex-col gap-2 rounded-md border border-line p-3 text-md">
      <dl className="flex flex-col gap-1.5">
        {rows.map(({ label, before, after }) => (
          <div key={label} className="flex flex-wrap items-baseline justify-between gap-x-4">
            <dt className="text-fg3">{label}</dt>
            <dd className="flex items-baseline gap-1.5">
              <span className="text-fg2">{before}</span>
              <ArrowRight size={12} className="self-center text-fg3" aria-label={text('quanto.becomes')} />
              <span className="font-medium">{after ?? before}</span>
            </dd>
          </div>
        ))}
        <div className="flex flex-wrap items-baseline justify-between gap-x-4">
          <dt className="text-fg3">{text('quanto.earliest')}</dt>
          <dd className="font-medium">{format.time(earliest)}</dd>
        </div>
      </dl>
      <div className="flex flex-col gap-1 text-sm text-fg2">{children}</div>
    </section>
  );
}
