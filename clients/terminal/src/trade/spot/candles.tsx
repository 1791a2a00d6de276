/** Candles with the account's own orders as lines, which can be dragged to another price. */
import { useCallback, useMemo } from 'react';
import type { ReactElement } from 'react';
import type { MoveListener, OrderLine } from '../../chart/chart-port.ts';
import { PriceChart } from '../../chart/price-chart.tsx';
import type { PriceChartProps } from '../../chart/price-chart.tsx';
import { useAccount } from '../../feed/use-feed.ts';
import { useText } from '../../i18n/text.tsx';
import { useMarket } from '../shared/market-context.tsx';
import { useMarketKind } from '../shared/market-kind.tsx';
import { isAmendable } from './tables/amend-cells.tsx';
import { useFillMarks } from './tables/fill-marks.ts';
import { moveOrder } from './tables/move-order.ts';
import { canonical } from './ticket/ticket-form.ts';

function useOrderLines(symbol: string): readonly OrderLine[] {
  const text = useText();
  const { orders } = useAccount();
  const [buy, sell] = [text('trade.buy'), text('trade.sell')];
  return useMemo(
    () =>
      orders
        .filter((order) => order.symbol === symbol && order.price !== null && order.state !== 5)
        .map((order) => ({
          orderId: order.orderId,
          side: order.orderSide === 'BUY' ? 'buy' : 'sell',
          price: Number(order.price),
          label: `${order.orderSide === 'BUY' ? buy : sell} ${order.origQty ?? ''}`,
          isMovable: isAmendable(order),
        })),
    [orders, symbol, buy, sell],
  );
}

export function SpotCandles(): ReactElement {
  const market = useMarket();
  const { orders } = useAccount();
  const move: MoveListener = useCallback(
    ({ orderId, price }) => {
      const order = orders.find((candidate) => candidate.orderId === orderId);
      if (order !== undefined) void moveOrder(order, price);
    },
    [orders],
  );
  const { setSide, takePrice } = useMarketKind().ticket;
  const order: PriceChartProps['onOrder'] = ({ side, price }) => {
    setSide(side);
    takePrice(canonical(price));
  };
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
