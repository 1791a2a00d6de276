/** The candle chart with what is drawn on it; a sentence says what it shows to those who cannot see it, and a table lists it. */
import { useState } from 'react';
import type { KeyboardEvent, MouseEvent, ReactElement } from 'react';
import { shownPair } from '../market.ts';
import type { TradedMarket } from '../market.ts';
import { useSettings } from '../../kit/settings/settings.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { useFormat } from '../../kit/settings/use-format.ts';
import { lazyDialog, openDialog } from '../../kit/ui/dialogs.tsx';
import { FailedState } from '../../kit/ui/empty-state.tsx';
import { Spinner } from '../../kit/ui/spinner.tsx';
import { barText, barTime } from './bar-text.ts';
import { pressChartKey } from './chart-keys.ts';
import type { ChartMenuActions, MenuPlace } from './chart-menu.tsx';
import type { Bar } from '../../platform/feed/bars.ts';
import type { ChartPort } from './chart-port.ts';
import { useChartSettings, useDrawingTools } from './chart-settings.ts';
import { DistanceLabel } from './distance-label.tsx';
import { useChart } from './use-chart.ts';
import type { ChartContents } from './use-chart.ts';
import { lazyPart } from '../../kit/ui/lazy-part.ts';
import { Panel } from '../../kit/ui/panel.tsx';

const DrawingRail = lazyPart(async () => (await import('./drawing-rail.tsx')).DrawingRail);
const ChartMenu = lazyPart(async () => (await import('./chart-menu.tsx')).ChartMenu);
const CandleTableDialog = lazyDialog(async () => (await import('./candle-table-dialog.tsx')).CandleTableDialog);
/** Rows of the table of candles. */
const TABLE_BARS = 100;

export interface PriceChartProps extends ChartContents {
  /** A limit order at a price of the chart was asked for: nothing is sent by it. */
  readonly onOrder: ChartMenuActions['onOrder'];
}

interface SummaryProps {
  readonly market: TradedMarket;
  readonly bar: Bar | undefined;
  /** Whether it is read as soon as it changes: the bar that a person went to, and each new one for those who asked for it. */
  readonly isRead: boolean;
}

function Summary({ market, bar, isRead }: SummaryProps): ReactElement {
  const text = useText();
  const format = useFormat();
  const interval = useChartSettings((settings) => settings.interval);
  const price = (value: number): string => format.number(barText(value), { decimals: market.pricePrecision });
  return (
    <p className="sr-only" aria-live={isRead ? 'polite' : 'off'}>
      {bar?.outside === true && `${text('chart.outside')}. `}
      {bar !== undefined &&
        text('trade.chart.summary', {
          pair: shownPair(market.symbol),
          interval,
          time: barTime(bar.time, interval, (at) => format.time(at)),
          coin: market.sizeName,
          open: price(bar.open),
          high: price(bar.high),
          low: price(bar.low),
          close: price(bar.close),
          volume: format.number(barText(bar.volume), { decimals: 2 }),
        })}
    </p>
  );
}

/** The place of a right click; by key there is none, and the last price stands for it. */
function menuPlace(port: ChartPort, event: MouseEvent<HTMLElement>, precision: number): MenuPlace | undefined {
  const frame = event.currentTarget.getBoundingClientRect();
  const [x, y] = [event.clientX - frame.left, event.clientY - frame.top];
  const pointed = event.button === 2 ? port.placeAt(y) : undefined;
  const last = port.newest(1)[0]?.close;
  if (pointed !== undefined) return { x, y, price: pointed.price };
  return last === undefined ? undefined : { x: frame.width / 3, y: frame.height / 3, price: last.toFixed(precision) };
}

interface Menu {
  readonly place: MenuPlace | undefined;
  readonly open: (event: MouseEvent<HTMLElement>) => void;
  readonly element: ReactElement | null;
}

function useMenu(port: ChartPort | undefined, { market, onOrder }: Pick<PriceChartProps, 'market' | 'onOrder'>): Menu {
  const [place, setPlace] = useState<MenuPlace>();
  const interval = useChartSettings((settings) => settings.interval);
  return {
    place,
    open(event) {
      event.preventDefault();
      if (port !== undefined) setPlace(menuPlace(port, event, market.pricePrecision));
    },
    element:
      port === undefined || place === undefined ? null : (
        <Panel>
          <ChartMenu
            place={place}
            onClose={() => setPlace(undefined)}
            onOrder={onOrder}
            onLine={(price) => port.drawings.addLine(Number(price))}
            onRemove={() => port.drawings.removeSelected()}
            onNow={() => port.scrollToNow()}
            onTable={() => void openDialog(CandleTableDialog, { market, interval, bars: port.newest(TABLE_BARS) }, { of: 'everybody' })}
          />
        </Panel>
      ),
  };
}

export function PriceChart({ onOrder, ...contents }: PriceChartProps): ReactElement {
  const text = useText();
  const { market } = contents;
  const { symbol } = market;
  const [element, setElement] = useState<HTMLElement | null>(null);
  const interval = useChartSettings((settings) => settings.interval);
  const hasTools = useDrawingTools((tools) => tools.isShown);
  const { attached, load, bar } = useChart(element, contents);
  const marks = useChartSettings(({ fillMarks }) => (fillMarks === 'all' ? contents.fills.length : 0));
  const isMarketRead = useSettings((settings) => settings.readMarket);
  const [inspected, setInspected] = useState<Bar>();
  const menu = useMenu(attached?.port, { market, onOrder });
  const press = (event: KeyboardEvent): void => {
    const taken = attached && pressChartKey(attached.port, event);
    if (taken === undefined) return;
    if (taken.bar !== undefined) setInspected(taken.bar);
    event.preventDefault();
  };
  return (
    <div className="flex min-h-0 min-w-0 flex-1">
      {hasTools && attached !== undefined && (
        <Panel loading={<div className="w-9 shrink-0 border-e border-line" />}>
          <DrawingRail port={attached.port} />
        </Panel>
      )}
      <div className="relative min-h-0 min-w-0 flex-1" onContextMenu={menu.open}>
        <div
          ref={setElement}
          role="application"
          tabIndex={0}
          aria-label={text('trade.chart.label', { pair: shownPair(symbol), interval, keys: text('chart.keys') })}
          onKeyDown={press}
          onBlur={() => setInspected(undefined)}
          className="absolute inset-0 outline-offset-[-2px]"
        />
        {attached !== undefined && <DistanceLabel port={attached.port} />}
        {menu.element}
        <Summary market={market} bar={inspected ?? bar} isRead={inspected !== undefined || isMarketRead} />
        {marks > 0 && <p className="sr-only">{text('chart.fills.marked', { count: marks })}</p>}
        {(attached === undefined || load === 'loading') && <Spinner className="absolute top-1/2 left-1/2 -ms-2 text-fg3" />}
        {load === 'empty' && (
          <p className="pointer-events-none absolute inset-x-0 top-1/3 text-center text-md text-fg3">{text('trade.chart.empty')}</p>
        )}
        {load === 'failed' && (
          <div className="absolute inset-0 flex items-center justify-center bg-panel">
            <FailedState onRetry={() => attached?.port.reload()} />
          </div>
        )}
      </div>
    </div>
  );
}
