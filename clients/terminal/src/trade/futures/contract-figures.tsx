/** Mark and index price, the funding that is predicted with the time to it, and the last 24 hours. */
import type { ReactElement } from 'react';
import { formatSpan } from '../../kit/format/time.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { useFormat } from '../../kit/settings/use-format.ts';
import { Explained } from '../../kit/ui/tooltip.tsx';
import { useServerNow } from '../../platform/client/server-clock.ts';
import { changeClass, changeText } from '../shared/market/change.ts';
import { Figure } from '../shared/market/market-bar.tsx';
import { useNumbers } from '../../market/use-numbers.ts';
import { ratePercent, rateStyle } from '../../kit/format/rate.ts';
import { useContract, useFunding, useQuote } from '../../market/use-contracts.ts';

/** The rate that is predicted, and in how long it is paid. */
export function Funding(): ReactElement {
  const text = useText();
  const format = useFormat();
  const now = useServerNow(1_000);
  const funding = useFunding();
  if (funding === undefined) return <>{format.number(undefined)}</>;
  const left = Math.max(0, funding.nextCollectionTime - now);
  const percent = ratePercent(funding.fundingRate);
  const rate = format.number(percent, rateStyle(percent));
  return (
    <span>
      {rate}% <span className="text-fg3">{text('futures.market.fundingIn', { time: formatSpan(left) })}</span>
    </span>
  );
}

export function ContractFigures(): ReactElement {
  const text = useText();
  const format = useFormat();
  const market = useContract();
  const numbers = useNumbers(market);
  const quote = useQuote();
  return (
    <dl className="flex items-center gap-5">
      <Figure label={<Explained content={text('futures.market.markExplained')}>{text('futures.market.mark')}</Explained>}>
        {numbers.priceOf(quote?.m)}
      </Figure>
      <Figure label={text('trade.market.index')}>{numbers.priceOf(quote?.i)}</Figure>
      <Figure label={<Explained content={text('futures.market.fundingExplained')}>{text('futures.market.funding')}</Explained>}>
        <Funding />
      </Figure>
      <Figure label={text('trade.market.change')}>
        <span className={changeClass(quote?.r)}>{changeText(quote?.r, format)}</span>
      </Figure>
      <Figure label={text('trade.market.high')}>{numbers.priceOf(quote?.h)}</Figure>
      <Figure label={text('trade.market.low')}>{numbers.priceOf(quote?.l)}</Figure>
      <Figure label={text('trade.market.turnover')}>
        {format.number(quote?.v, { decimals: market.turnoverDecimals })} {market.valueName}
      </Figure>
      {market.info.isDegraded && (
        <span role="status" className="shrink-0 rounded-sm border border-warn px-2 py-0.5 text-sm text-warn">
          {text('futures.market.degraded')}
        </span>
      )}
    </dl>
  );
}
