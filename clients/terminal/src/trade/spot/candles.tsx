/** Candles with the account's own orders as lines, which can be dragged to another price. */
import type { Order } from '@orrery/api';
import { useCallback, useMemo } from 'react';
import type { ReactElement } from 'react';
import type { MoveListener, OrderLine } from '../../market/chart/chart-port.ts';
import { PriceChart } from '../../market/chart/price-chart.tsx';
import type { PriceChartProps } from '../../market/chart/price-chart.tsx';
import { accountStream } from '../../platform/data/streams/streams.ts';
import { useAccount } from '../../platform/data/streams/use-account.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { useSettings } from '../../kit/settings/settings.ts';
import { HIDDEN } from '../../kit/settings/use-format.ts';
import { loadCode } from '../../kit/ui/load-code.ts';
import { useMarket } from '../../market/market-context.tsx';
import { useMarketKind } from '../../market/market-kind.tsx';
import { orderLines } from './order-lines.ts';
import { useFillMarks } from './tables/fill-marks.ts';
import { canonical } from '../shared/ticket/ticket-text.ts';

const NO_ORDERS: readonly Order[] = [];

function useOrderLines(symbol: string): readonly OrderLine[] {
  const text = useText();
  const orders = useAccount().value?.orders ?? NO_ORDERS;
  const [buy, sell, stop] = [text('trade.buy'), text('trade.sell'), text('trade.ticket.stop')];
  const isHidden = useSettings((settings) => settings.hideAmounts);
  return useMemo(
    () => orderLines(orders, symbol, { buy, sell, stop, size: (size) => (isHidden ? HIDDEN : size) }),
    [orders, symbol, buy, sell, stop, isHidden],
  );
}

export function SpotCandles(): ReactElement {
  const market = useMarket();
  // The order as it is when its line is dropped: it may have been filled in part meanwhile.
  const move: MoveListener = useCallback(({ orderId, price }) => {
    const order = accountStream.orders().find((candidate) => candidate.orderId === orderId);
    if (order !== undefined) void loadCode(() => import('./move-order.ts')).then(({ moveOrder }) => moveOrder(order, price));
  }, []);
  const { take } = useMarketKind().ticket;
  const order: PriceChartProps['onOrder'] = ({ side, price }) => take({ symbol: market.symbol, price: canonical(price), take: side });
  return (
    <PriceChart
      market={market}
      orderLines={useOrderLines(market.symbol)}
      onMove={move}
      fills={useFillMarks(market.symbol)}
      onOrder={order}
    />
  );
}
