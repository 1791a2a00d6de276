/** Candles or depth, and how the candles are shown. */
import { useCallback, useMemo, useState } from 'react';
import type { ReactElement } from 'react';
import type { MoveListener, OrderLine } from '../../chart/chart-port.ts';
import { ChartToolbar } from '../../chart/chart-toolbar.tsx';
import { DepthChart } from '../../chart/depth-chart.tsx';
import { PriceChart } from '../../chart/price-chart.tsx';
import { priceText } from '../../feed/market.ts';
import { useAccount } from '../../feed/use-feed.ts';
import { useText } from '../../i18n/text.tsx';
import { TabPanel, Tabs } from '../../ui/tabs.tsx';
import { useMarket } from '../market-context.tsx';
import { isAmendable } from '../tables/amend-cells.tsx';
import { moveOrder } from '../tables/move-order.ts';
import { canonical } from '../ticket/ticket-form.ts';
import { useTicket } from '../ticket/ticket-store.ts';

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

export function Candles(): ReactElement {
  const market = useMarket();
  const { orders } = useAccount();
  const move: MoveListener = useCallback(
    ({ orderId, price }) => {
      const order = orders.find((candidate) => candidate.orderId === orderId);
      if (order !== undefined) void moveOrder(order, price);
    },
    [orders],
  );
  return <PriceChart market={market} orderLines={useOrderLines(market.symbol)} onMove={move} />;
}

export function Depth(): ReactElement {
  const market = useMarket();
  const takePrice = useTicket((ticket) => ticket.takePrice);
  return <DepthChart market={market} onPick={(ticks) => takePrice(canonical(priceText(market, ticks)))} />;
}

export function ChartPanel(): ReactElement {
  const text = useText();
  const [view, setView] = useState<'chart' | 'depth'>('chart');
  const tabs = (['chart', 'depth'] as const).map((id) => ({ id, label: text(`trade.tab.${id}`) }));
  return (
    <Tabs
      tabs={tabs}
      active={view}
      onChange={setView}
      label={text('trade.view')}
      className="h-full bg-panel"
      aside={view === 'chart' && <ChartToolbar />}
    >
      <TabPanel id={view} className="flex min-w-0 flex-col">
        {view === 'chart' ? <Candles /> : <Depth />}
      </TabPanel>
    </Tabs>
  );
}
