/** Cells that the tables of orders and fills share. Numbers have the decimals of their own market. */
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import type { Order } from '@orrery/api';
import { CoinAmount } from '../../../areas/balances/coin-amount.tsx';
import { shownName, shownPair } from '../../../market/market.ts';
import { useMarketTerms } from '../../../market/markets.ts';
import { useText } from '../../../kit/i18n/text.tsx';
import { useSettings } from '../../../kit/settings/settings.ts';
import { HIDDEN, useFormat } from '../../../kit/settings/use-format.ts';
import { classes } from '../../../kit/ui/classes.ts';
import { Figure } from '../../../kit/ui/figure.tsx';

export type Direction = Order['orderSide'];

export function TimeCell({ at }: { readonly at: number }): ReactElement {
  const format = useFormat();
  return (
    <time dateTime={new Date(at).toISOString()} className="text-fg2">
      {format.time(at)}
    </time>
  );
}

/** The side is a stripe as well as a word and a colour. */
export function MarketCell({ symbol, direction }: { readonly symbol: string; readonly direction: Direction }): ReactElement {
  return (
    <span className="flex items-center gap-2">
      <span className={classes('h-4 w-[3px]', direction === 'BUY' ? 'bg-up' : 'bg-down')} aria-hidden="true" />
      <Link to="/trade/spot/$pair" params={{ pair: symbol }} className="font-medium hover:underline">
        {shownPair(symbol)}
      </Link>
    </span>
  );
}

export function SideCell({ direction }: { readonly direction: Direction }): ReactElement {
  const text = useText();
  return <span className={direction === 'BUY' ? 'text-up' : 'text-down'}>{text(direction === 'BUY' ? 'trade.buy' : 'trade.sell')}</span>;
}

interface AmountProps {
  readonly symbol: string;
  readonly value: string | null | undefined;
}

export function PriceCell({ symbol, value }: AmountProps): ReactElement {
  const market = useMarketTerms().value?.find((known) => known.symbol === symbol);
  return <Figure value={value ?? undefined} {...(market !== undefined && { decimals: market.pricePrecision })} />;
}

/** Dots while amounts are hidden: what a person trades says what they own. */
export function SizeCell({ symbol, value }: AmountProps): ReactElement {
  const isHidden = useSettings((settings) => settings.hideAmounts);
  const market = useMarketTerms().value?.find((known) => known.symbol === symbol);
  if (isHidden) return <>{HIDDEN}</>;
  return <Figure value={value ?? undefined} {...(market !== undefined && { decimals: market.sizePrecision })} />;
}

/** What a trade cost or brought, in the precision that its coin has on every page. */
export function ValueCell({ symbol, value }: { readonly symbol: string; readonly value: string }): ReactElement {
  return <CoinAmount coin={symbol.split('_')[1] ?? ''} value={value} />;
}

/** Filled of the whole. An order given by funds has no size of its own until it is over. */
export function FilledCell({ order }: { readonly order: Pick<Order, 'symbol' | 'executedQty' | 'origQty' | 'funds'> }): ReactElement {
  const quote = order.symbol.split('_')[1] ?? '';
  return (
    <>
      <SizeCell symbol={order.symbol} value={order.executedQty} />
      <span className="text-fg3">
        {' / '}
        {order.origQty === null && order.funds !== null ? (
          <>
            <CoinAmount coin={quote} value={order.funds} /> {shownName(quote)}
          </>
        ) : (
          <SizeCell symbol={order.symbol} value={order.origQty} />
        )}
      </span>
    </>
  );
}

export function StatusCell({ order }: { readonly order: Pick<Order, 'state' | 'closeReason'> }): ReactElement {
  const text = useText();
  const { state, closeReason } = order;
  const reason =
    state === 4 && closeReason !== null && closeReason !== 'canceledByAccount' ? text(`trade.reason.${closeReason}`) : undefined;
  return (
    <span className={state === 3 ? 'text-fg' : 'text-fg2'}>
      {text(`trade.tables.state.${state}`)}
      {reason !== undefined && <span className="text-fg3"> · {reason}</span>}
    </span>
  );
}
