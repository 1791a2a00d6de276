/** The market and its last 24 hours in two lines. */
import type { ReactElement } from 'react';
import { useTicker } from '../../../data/streams/use-streams.ts';
import { useText } from '../../../i18n/text.tsx';
import { useFormat } from '../../../settings/use-format.ts';
import { useMarket } from '../market-context.tsx';
import { useNumbers } from '../use-numbers.ts';
import { changeClass, changeText } from './change.ts';
import { FeedNotice, LastPrice } from './market-bar.tsx';
import { FavouriteStar } from './favourite-star.tsx';
import { PairPicker } from './pair-picker.tsx';

export function PhoneMarketBar(): ReactElement {
  const market = useMarket();
  const text = useText();
  const format = useFormat();
  const numbers = useNumbers(market);
  const { value: ticker } = useTicker(market.symbol);
  const figures = [
    [text('trade.market.high'), numbers.priceOf(ticker?.h)],
    [text('trade.market.low'), numbers.priceOf(ticker?.l)],
    [text('trade.market.volume'), `${numbers.volumeOf(ticker?.a)} ${market.baseName}`],
  ] as const;
  return (
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
        <dl className="grid grid-cols-[auto_auto] gap-x-3 text-sm">
          {figures.map(([name, value]) => (
            <div key={name} className="contents">
              <dt className="text-fg3">{name}</dt>
              <dd className="text-end">{value}</dd>
            </div>
          ))}
        </dl>
      </div>
    </div>
  );
}
