/** What a transaction brought to the signed-in account or took from it, each with its bill. Nobody else is shown it. */
import type { Bill, ChainRecord } from '@orrery/api';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { coinName } from '../balances/coin-name.ts';
import { useData } from '../../platform/data/use-data.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { useFormat } from '../../kit/settings/use-format.ts';
import { Section } from '../../kit/ui/page.tsx';
import { Skeleton } from '../../kit/ui/skeleton.tsx';

/** A deposit that is not final yet is booked soon. */
const POLL_MS = 2_000;

function BillLine({ reference }: { readonly reference: string }): ReactElement | null {
  const text = useText();
  const format = useFormat();
  const { phase, value } = useData({
    name: 'bills',
    input: { query: { reference } },
    of: 'account',
    pollMs: (bills) => (bills?.list.length === 0 ? POLL_MS : undefined),
  });
  if (phase === 'loading') return <Skeleton className="w-40" />;
  const bill: Bill | undefined = value?.list[0];
  if (bill === undefined) return null;
  return (
    <Link to="/assets/bills" className="text-focus hover:underline">
      {text('explorer.bill', { time: format.time(bill.createdTime), amount: format.number(bill.afterAmount), coin: coinName(bill.coin) })}
    </Link>
  );
}

function RecordLine({ record }: { readonly record: ChainRecord }): ReactElement {
  const text = useText();
  const format = useFormat();
  return (
    <li className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 border-b border-line px-4 py-2 last:border-0">
      <span>
        {text(`explorer.record.${record.kind}`)} {format.number(record.amount)} {coinName(record.coin)}
      </span>
      {record.reference === null ? (
        <span className="text-fg3">{text('explorer.notBooked')}</span>
      ) : (
        <BillLine reference={record.reference} />
      )}
    </li>
  );
}

export function OwnRecords({ hash }: { readonly hash: string }): ReactElement | null {
  const text = useText();
  const { value: records } = useData({
    name: 'chainRecords',
    input: { query: { hash } },
    of: 'account',
    pollMs: (known) => (known?.some(({ reference }) => reference === null) === true ? POLL_MS : undefined),
  });
  if (records === undefined || records.length === 0) return null;
  return (
    <Section title={text('explorer.own')}>
      <ul>
        {records.map((record) => (
          <RecordLine key={`${record.kind}:${record.coin}:${record.reference}`} record={record} />
        ))}
      </ul>
    </Section>
  );
}
