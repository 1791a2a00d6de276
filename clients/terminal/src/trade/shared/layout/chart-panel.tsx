/** Candles or depth, and how the candles are shown. */
import { printDecimal } from '@orrery/units';
import type { ReactElement } from 'react';
import { ChartToolbar } from '../../../market/chart/chart-toolbar.tsx';
import { useText } from '../../../kit/i18n/text.tsx';
import { useChoiceInUrl } from '../../../kit/ui/in-url.ts';
import { lazyPart } from '../../../kit/ui/lazy-part.ts';
import { Panel } from '../../../kit/ui/panel.tsx';
import { Spinner } from '../../../kit/ui/spinner.tsx';
import { TabPanel, Tabs } from '../../../kit/ui/tabs.tsx';
import { useMarket } from '../../../market/market-context.tsx';
import { useMarketKind } from '../../../market/market-kind.tsx';

const DepthChart = lazyPart(async () => (await import('../../../market/chart/depth-chart.tsx')).DepthChart);

export function Depth(): ReactElement {
  const market = useMarket();
  const { take } = useMarketKind().ticket;
  return (
    <Panel loading={<Spinner className="m-auto text-fg3" />}>
      <DepthChart
        market={market}
        onPick={(ticks) => take({ symbol: market.symbol, price: printDecimal(BigInt(ticks), market.pricePrecision) })}
      />
    </Panel>
  );
}

export function ChartPanel(): ReactElement {
  const text = useText();
  const { Candles, views } = useMarketKind();
  const tabs = [
    ...(['chart', 'depth'] as const).map((id) => ({ id, label: text(`trade.tab.${id}`) })),
    ...views.map(({ id, label }) => ({ id, label: text(label) })),
  ];
  const [view, setView] = useChoiceInUrl({ name: 'view', values: tabs.map(({ id }) => id), usual: 'chart' });
  const own = views.find(({ id }) => id === view);
  return (
    <Tabs
      tabs={tabs}
      value={view}
      onChange={setView}
      label={text('trade.view')}
      panel={text('trade.panel.chart')}
      className="h-full bg-panel"
      aside={view === 'chart' && <ChartToolbar />}
    >
      <TabPanel id={view} className="flex min-w-0 flex-col">
        {view === 'chart' && <Candles />}
        {view === 'depth' && <Depth />}
        {own !== undefined && (
          <Panel loading={<Spinner className="m-auto text-fg3" />}>
            <own.View />
          </Panel>
        )}
      </TabPanel>
    </Tabs>
  );
}
