/** The newest candles as a table: the chart for those who read it. */
import type { ReactElement } from 'react';
import type { Bar, Interval } from '../../platform/feed/bars.ts';
import { shownPair } from '../market.ts';
import type { TradedMarket } from '../market.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { useFormat } from '../../kit/settings/use-format.ts';
import { Dialog } from '../../kit/ui/dialog.tsx';
import type { Dialogue } from '../../kit/ui/dialogs.tsx';
import { Table } from '../../kit/ui/table.tsx';
import { barText, barTime } from './bar-text.ts';
import { known } from '../../kit/ui/loaded.ts';

export interface CandleTableProps {
  readonly market: TradedMarket;
  readonly interval: Interval;
  /** Oldest first. */
  readonly bars: readonly Bar[];
}

const VOLUME_DECIMALS = 2;

export function CandleTableDialog({ market, interval, bars, close }: CandleTableProps & Dialogue<never>): ReactElement {
  const text = useText();
  const format = useFormat();
  const number = (value: number, decimals: number): string => format.number(barText(value), { decimals });
  const title = text('chart.table.title', { pair: shownPair(market.symbol), interval });
  const prices = (['open', 'high', 'low', 'close'] as const).map((id) => ({
    id,
    header: text(`chart.table.${id}`),
    align: 'end' as const,
    cell: (bar: Bar) => number(bar[id], market.pricePrecision),
  }));
  const columns = [
    {
      id: 'time',
      header: text('trade.time'),
      cell: (bar: Bar) => {
        const time = barTime(bar.time, interval, (at) => format.time(at));
        return bar.outside === true ? `${time} · ${text('chart.outside')}` : time;
      },
    },
    ...prices,
    {
      id: 'volume',
      header: text('chart.table.volume'),
      align: 'end' as const,
      wideOnly: true,
      cell: (bar: Bar) => number(bar.volume, VOLUME_DECIMALS),
    },
  ];
  return (
    <Dialog open onClose={close} title={title} width="wide">
      <div role="region" aria-label={title} tabIndex={0} className="-m-4 max-h-[66dvh] overflow-y-auto outline-offset-[-2px]">
        <Table
          label={title}
          columns={columns}
          read={known(bars.toReversed())}
          keyOf={(bar) => String(bar.time)}
          empty={text('trade.chart.empty')}
        />
      </div>
    </Dialog>
  );
}
