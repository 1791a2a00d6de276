/** Candles of the last, mark or index price, with positions and orders as lines: an order's is dragged to another price, a position's to where it is protected. */
import { useCallback, useMemo } from 'react';
import type { ReactElement } from 'react';
import { create } from 'zustand';
import type { FillMark, MoveListener } from '../../market/chart/chart-port.ts';
import { PriceChart } from '../../market/chart/price-chart.tsx';
import { useContractAccount } from '../../platform/data/streams/use-account.ts';
import { useData } from '../../platform/data/use-data.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { useSettings } from '../../kit/settings/settings.ts';
import { HIDDEN } from '../../kit/settings/use-format.ts';
import { loadCode } from '../../kit/ui/load-code.ts';
import { Segmented } from '../../kit/ui/radio-group.tsx';
import { useSignedIn } from '../shared/account.ts';
import { canonical } from '../shared/ticket/ticket-text.ts';
import { useContractOrders, usePositions } from './account.ts';
import { contractLines, fillMarks } from './contract-lines.ts';
import { contractCandles } from './contract-feed.ts';
import type { PriceSource } from './contract-feed.ts';
import { useContract } from '../../market/use-contracts.ts';
import { editContract } from './ticket/contract-tickets.ts';

/** Of which price the candles are. */
export const useChartSource = create<{ readonly source: PriceSource }>()(() => ({ source: 'LAST' }));

const SOURCES = { LAST: contractCandles('LAST'), MARK: contractCandles('MARK'), INDEX: contractCandles('INDEX') } as const;
const MARKS_MAX = 100;
const NONE: readonly never[] = [];

/** The newest that history has, and those that the stream has brought since. */
function useFillMarks(wire: string): readonly FillMark[] {
  const { value } = useData({
    name: 'futuresFills',
    input: { query: { page: 1, size: MARKS_MAX, symbol: wire } },
    of: 'account',
    when: useSignedIn(),
  });
  const fresh = useContractAccount('fills').value;
  return useMemo(() => fillMarks([...(fresh ?? NONE), ...(value?.items ?? NONE)], wire), [fresh, value, wire]);
}

export function ContractCandles(): ReactElement {
  const text = useText();
  const market = useContract();
  const isHidden = useSettings((settings) => settings.hideAmounts);
  const positions = usePositions().value ?? NONE;
  const orders = useContractOrders();
  const [open, plans, stops] = [orders.open.value ?? NONE, orders.plans.value ?? NONE, orders.stops.value ?? NONE];
  const { source } = useChartSource();
  const lines = useMemo(
    () =>
      contractLines({ positions, open, plans, stops }, market.wire, {
        buy: text('trade.buy'),
        sell: text('trade.sell'),
        plan: text('futures.ticket.triggerTab'),
        takeProfit: text('futures.orders.tp'),
        stopLoss: text('futures.orders.sl'),
        long: text('futures.direction.long'),
        short: text('futures.direction.short'),
        liquidation: text('futures.line.liquidation'),
        whole: text('futures.orders.whole'),
        size: (size) => `${isHidden ? HIDDEN : size} ${market.sizeName}`,
      }),
    [positions, open, plans, stops, market, isHidden, text],
  );
  const moved: MoveListener = useCallback(
    ({ orderId: id, price }) =>
      void loadCode(() => import('./move-line.ts')).then(({ moveLine }) => moveLine({ id, price, market, positions, open, stops })),
    [market, positions, open, stops],
  );
  return (
    <div className="relative flex min-h-0 min-w-0 flex-1">
      <div className="absolute inset-e-20 bottom-9 z-10 bg-panel">
        <Segmented
          label={text('futures.chart.source')}
          size="small"
          value={source}
          choices={(['LAST', 'MARK', 'INDEX'] as const).map((value) => ({ value, label: text(`futures.chart.${value}`) }))}
          onChange={(next) => useChartSource.setState({ source: next })}
        />
      </div>
      <PriceChart
        market={market}
        orderLines={lines}
        onMove={moved}
        fills={useFillMarks(market.wire)}
        onOrder={({ side, price }) => editContract(market.symbol, { tab: 'limit', side, price: canonical(price) })}
        source={SOURCES[source]}
      />
    </div>
  );
}
