/** The market and its last 24 hours in two lines. */

import type { ReactElement, ReactNode } from 'react';
import { useTicker } from '../../../platform/data/streams/use-streams.ts';
import { useText } from '../../../kit/i18n/text.tsx';
import { useFormat } from '../../../kit/settings/use-format.ts';
import { useMarket } from '../../../market/market-context.tsx';
import { useMarketKind } from '../../../market/market-kind.tsx';
import { useNumbers } from '../../../market/use-numbers.ts';
import { changeClass, changeText } from './change.ts';
import { FeedNotice, LastPrice } from './market-bar.tsx';
import { FavouriteStar } from './favourite-star.tsx';
import { PracticeStripes } from './practice-stripes.tsx';
import { PairPicker } from './pair-picker.tsx';
import { Panel } from '../../../kit/ui/panel.tsx';

export function PhoneFigure({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactElement {
  return (
    <div className="contents">
      <dt className="text-fg3">{name}</dt>
      <dd className="text-end">{children}</dd>
    </div>
  );
}

/** Of a spot market. */
export function SpotPhoneFigures(): ReactElement {
  const market = useMarket();
  const text = useText();
  const numbers = useNumbers(market);
  const { value: ticker } = useTicker(market.symbol);
  return (
    <>
      <PhoneFigure name={text('trade.market.high')}>{numbers.priceOf(ticker?.h)}</PhoneFigure>
      <PhoneFigure name={text('trade.market.low')}>{numbers.priceOf(ticker?.l)}</PhoneFigure>
      <PhoneFigure name={text('trade.market.volume')}>
        {numbers.volumeOf(ticker?.a)} {market.baseName}
      </PhoneFigure>
    </>
  );
}

export function PhoneMarketBar(): ReactElement {
  const market = useMarket();
  const format = useFormat();
  const { PhoneFigures } = useMarketKind();
  const { value: ticker } = useTicker(market.symbol);
  return (
    <>
      <PracticeStripes />
      <div className="border-b border-line bg-page px-2 pt-1 pb-2">
        <div className="flex items-center justify-between">
          <span className="flex items-center">
            <FavouriteStar symbol={market.symbol} />
            <PairPicker />
          </span>
          <FeedNotice />
        </div>
        <div className="flex items-end justify-between gap-3 px-1.5">
          <div>
            <p className="text-2xl leading-8">
              <LastPrice size="large" />
            </p>
            <p className={changeClass(ticker?.r)}>{changeText(ticker?.r, format)}</p>
          </div>
          {/* Three lines, also while they are loaded. */}
          <dl className="grid min-h-12 grid-cols-[auto_auto] gap-x-3 text-sm">
            <Panel room="line">
              <PhoneFigures />
            </Panel>
          </dl>
        </div>
      </div>
    </>
  );
}
