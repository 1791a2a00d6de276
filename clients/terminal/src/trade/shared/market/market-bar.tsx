/** The market's name and its last 24 hours. */

import type { ReactElement, ReactNode } from 'react';
import { shownPair } from '../../../market/market.ts';
import { useStaleness, useTape, useTicker } from '../../../platform/data/streams/use-streams.ts';
import { formatSpan } from '../../../kit/format/time.ts';
import { useText } from '../../../kit/i18n/text.tsx';
import { useFormat } from '../../../kit/settings/use-format.ts';
import { classes } from '../../../kit/ui/classes.ts';
import { Explained } from '../../../kit/ui/tooltip.tsx';
import { Panel } from '../../../kit/ui/panel.tsx';
import { useDirection } from '../book/spread-line.tsx';
import { useMarket } from '../../../market/market-context.tsx';
import { useMarketKind } from '../../../market/market-kind.tsx';
import { useNumbers } from '../../../market/use-numbers.ts';
import { changeClass, changeText } from './change.ts';
import { FavouriteStar } from './favourite-star.tsx';
import { PracticeStripes } from './practice-stripes.tsx';
import { PairPicker } from './pair-picker.tsx';

export interface FigureProps {
  readonly label: ReactNode;
  readonly className?: string;
  readonly children: ReactNode;
}

export function Figure({ label, className, children }: FigureProps): ReactElement {
  return (
    <div className={classes('flex shrink-0 flex-col', className)}>
      <dt className="text-sm text-fg3">{label}</dt>
      <dd className="text-sm font-medium">{children}</dd>
    </div>
  );
}

export function LastPrice({ size }: { readonly size: 'medium' | 'large' }): ReactElement {
  const market = useMarket();
  const numbers = useNumbers(market);
  const { value: ticker } = useTicker(market.symbol);
  const traded = useTape().value?.[0]?.price;
  const direction = useDirection(traded);
  return (
    <span
      className={classes(
        'min-w-[5.5ch] shrink-0 font-semibold tracking-[-0.01em]',
        size === 'large' ? 'text-2xl' : 'text-xl',
        direction === 'up' && 'text-up',
        direction === 'down' && 'text-down',
      )}
    >
      {traded === undefined ? numbers.priceOf(ticker?.c) : numbers.price(traded)}
    </span>
  );
}

export function FeedNotice(): ReactElement | null {
  const text = useText();
  const staleness = useStaleness();
  if (staleness === undefined) return null;
  return (
    <span role="status" className="ms-auto flex shrink-0 items-center gap-1.5 rounded-sm border border-warn px-2 py-0.5 text-sm text-warn">
      <span className="size-1.5 animate-pulse rounded-full bg-warn" aria-hidden="true" />
      {text('trade.reconnecting')} · {text('trade.staleFor', { age: formatSpan(staleness) })}
    </span>
  );
}

/** Of a spot market. */
export function SpotFigures(): ReactElement {
  const market = useMarket();
  const text = useText();
  const format = useFormat();
  const numbers = useNumbers(market);
  const { value: ticker } = useTicker(market.symbol);
  return (
    <dl className="flex items-center gap-5">
      <Figure label={text('trade.market.change')}>
        <span className={changeClass(ticker?.r)}>{changeText(ticker?.r, format)}</span>
      </Figure>
      <Figure label={text('trade.market.high')}>{numbers.priceOf(ticker?.h)}</Figure>
      <Figure label={text('trade.market.low')}>{numbers.priceOf(ticker?.l)}</Figure>
      <Figure label={text('trade.market.volume')}>
        {numbers.volumeOf(ticker?.a)} {market.baseName}
      </Figure>
      <Figure label={text('trade.market.turnover')}>
        {format.number(ticker?.v, { decimals: market.turnoverDecimals })} {market.valueName}
      </Figure>
      <Figure
        label={
          <Explained content={text('trade.market.indexExplained', { pair: shownPair(market.symbol) })}>
            {text('trade.market.index')}
          </Explained>
        }
      >
        {numbers.priceOf(ticker?.i)}
      </Figure>
    </dl>
  );
}

export function MarketBar({ aside }: { readonly aside?: ReactNode }): ReactElement {
  const market = useMarket();
  const text = useText();
  const { Figures } = useMarketKind();
  const bar = (
    <div className="flex h-12 shrink-0 items-center gap-4 border-b border-line bg-page px-2">
      <div className="flex shrink-0 items-center">
        <FavouriteStar symbol={market.symbol} />
        <PairPicker />
      </div>
      <LastPrice size="medium" />
      <div className="fade-sides min-w-0 grow overflow-x-auto [scrollbar-width:none]">
        <Panel room="line">
          <Figures />
        </Panel>
      </div>
      {market.state !== 'TRADING' && (
        <span role="status" className="shrink-0 rounded-sm border border-warn px-2 py-0.5 text-sm text-warn">
          {text(market.state === 'HALT' ? 'trade.halted' : 'trade.cancelOnly')}
        </span>
      )}
      <FeedNotice />
      {aside}
    </div>
  );
  return (
    <>
      <PracticeStripes />
      {bar}
    </>
  );
}
