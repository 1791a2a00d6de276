/** The markets beside the chart, where the window is wide: name, last price and the change of a day. */
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { shownPair } from '../../../market/market.ts';
import type { TradedMarket } from '../../../market/market.ts';
import { useTicker } from '../../../platform/data/streams/use-streams.ts';
import { useText } from '../../../kit/i18n/text.tsx';
import { useFormat } from '../../../kit/settings/use-format.ts';
import { atFirstPages } from '../../../kit/ui/choices-in-search.ts';
import { classes } from '../../../kit/ui/classes.ts';
import { panelMark } from '../../../kit/ui/panels.ts';
import { changeClass, changeText } from '../market/change.ts';
import { useListedMarkets, useMarket } from '../../../market/market-context.tsx';
import { useMarketKind } from '../../../market/market-kind.tsx';

function MarketLine({ market }: { readonly market: TradedMarket }): ReactElement {
  const format = useFormat();
  const here = useMarket();
  const { path, pairOf } = useMarketKind();
  const { value: ticker } = useTicker(market.symbol);
  const isHere = market.symbol === here.symbol;
  return (
    <li>
      <Link
        to={path}
        params={{ pair: pairOf(market.symbol) }}
        search={atFirstPages}
        aria-current={isHere ? 'page' : undefined}
        className={classes(
          'grid h-9 grid-cols-[1fr_auto_60px] items-center gap-3 px-2.5 text-sm hover:bg-hover focus-visible:outline-offset-[-2px]',
          isHere && 'bg-raised',
        )}
      >
        <span className="truncate font-medium">{shownPair(market.symbol)}</span>
        <span>{format.number(ticker?.c ?? undefined, { decimals: market.pricePrecision })}</span>
        <span className={classes('text-end', changeClass(ticker?.r))}>{changeText(ticker?.r, format)}</span>
      </Link>
    </li>
  );
}

export function MarketsPanel(): ReactElement {
  const text = useText();
  const markets = useListedMarkets();
  const practised = markets.filter(({ quote }) => quote === 'PRACTICE');
  const real = markets.filter((market) => !practised.includes(market));
  return (
    <section {...panelMark(text('layout.panel.markets'))} className="flex h-full min-h-0 flex-col bg-panel">
      <h2 className="flex h-8 shrink-0 items-center border-b border-line px-2.5 text-sm font-semibold">{text('layout.panel.markets')}</h2>
      <ul className="min-h-0 overflow-y-auto">
        {real.map((market) => (
          <MarketLine key={market.symbol} market={market} />
        ))}
      </ul>
      {practised.length > 0 && (
        <>
          <h3 className="striped flex h-8 shrink-0 items-center border-y border-line px-2.5 text-sm font-semibold">
            <span className="bg-panel px-1">{text('practice.name')}</span>
          </h3>
          <ul>
            {practised.map((market) => (
              <MarketLine key={market.symbol} market={market} />
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
