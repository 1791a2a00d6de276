/** How a person of OTC trading is shown to others: a name, the badge, and what is computed from orders that have ended. */
import type { OtcTrader } from '@orrery/api';
import { Link } from '@tanstack/react-router';
import { BadgeCheck } from 'lucide-react';
import type { ReactElement } from 'react';
import { formatSpan } from '../../kit/format/time.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { useFormat } from '../../kit/settings/use-format.ts';

const SECOND_MS = 1_000;
const RATE_DECIMALS = 1;

/** Whole per cents of appraisals that are good, rounded down; `undefined` without one. */
export function positivePercent({ positive, negative }: Pick<OtcTrader, 'positive' | 'negative'>): number | undefined {
  const all = positive + negative;
  return all === 0 ? undefined : Math.floor((positive * 100) / all);
}

export const releaseSpan = (seconds: number): string => formatSpan(seconds * SECOND_MS);

export function useRate(): (rate: string) => string {
  const format = useFormat();
  return (rate) => format.number(rate, { decimals: RATE_DECIMALS });
}

export function MerchantBadge(): ReactElement {
  const text = useText();
  return (
    <span title={text('otc.badgeHint')} className="inline-flex items-center gap-0.5 text-sm font-medium text-ok">
      <BadgeCheck size={14} aria-hidden="true" />
      {text('otc.badge')}
    </span>
  );
}

/** The name leads to the public page. */
export function TraderName({ trader: { traderId, nickname, merchant, verified } }: { readonly trader: OtcTrader }): ReactElement {
  const text = useText();
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2">
      <Link
        to="/otc/trader/$traderId"
        params={{ traderId }}
        className="font-semibold underline decoration-line underline-offset-2 hover:decoration-fg2"
      >
        {nickname}
      </Link>
      {merchant && <MerchantBadge />}
      {verified && <span className="text-sm text-fg3">{text('otc.verified')}</span>}
    </span>
  );
}

/** In one line, as much as is known. */
export function TraderFacts({ trader }: { readonly trader: OtcTrader }): ReactElement {
  const text = useText();
  const rate = useRate();
  const percent = positivePercent(trader);
  const facts = [
    trader.finished === 0 ? text('otc.facts.new') : text('otc.facts.orders', { count: trader.finished }),
    ...(trader.completionRate === null ? [] : [text('otc.facts.rate', { rate: rate(trader.completionRate) })]),
    ...(trader.medianReleaseSeconds === null ? [] : [text('otc.facts.release', { span: releaseSpan(trader.medianReleaseSeconds) })]),
    ...(percent === undefined ? [] : [text('otc.facts.positive', { percent })]),
  ];
  return <span className="text-sm whitespace-normal text-fg3">{facts.join(' · ')}</span>;
}

export function Trader({ trader }: { readonly trader: OtcTrader }): ReactElement {
  return (
    <span className="flex flex-col gap-0.5 py-1.5">
      <TraderName trader={trader} />
      <TraderFacts trader={trader} />
    </span>
  );
}
