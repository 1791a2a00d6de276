/** The depth of the market as two steps that meet in the middle. Drawn on a canvas; a sentence says the same. */
import { NO_LOTS, NO_TICKS } from '@orrery/units';
import type { Lots, Ticks } from '@orrery/units';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { PointerEvent, ReactElement } from 'react';
import { priceText, shownPair, sizeText } from '../market.ts';
import type { TradedMarket } from '../market.ts';
import { useDepth } from '../../platform/data/streams/use-streams.ts';
import { formatDecimal } from '../../kit/format/number-format.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { useSettings } from '../../kit/settings/settings.ts';
import { useChartTheme } from './chart-theme.ts';
import { depthAt, depthCurve } from './depth-curve.ts';
import type { DepthCurve } from './depth-curve.ts';
import { drawDepth, priceAt } from './draw-depth.ts';

interface Size {
  readonly width: number;
  readonly height: number;
}

function useSize(element: HTMLElement | null): Size {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  useEffect(() => {
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => setSize({ width: element.clientWidth, height: element.clientHeight }));
    observer.observe(element);
    return () => observer.disconnect();
  }, [element]);
  return size;
}

export interface DepthChartProps {
  readonly market: TradedMarket;
  /** A click takes the price under the pointer. */
  readonly onPick: (price: Ticks) => void;
}

function useSummary(market: TradedMarket, curve: DepthCurve | undefined): string | undefined {
  const text = useText();
  const format = useSettings((settings) => settings.numberFormat);
  if (curve === undefined) return undefined;
  const price = (value: Ticks): string => formatDecimal(priceText(market, value), { format });
  const size = (value: Lots | undefined): string => formatDecimal(sizeText(market, value ?? NO_LOTS), { format });
  return text('trade.depth.summary', {
    bid: price(curve.bids[0]?.price ?? NO_TICKS),
    ask: price(curve.asks[0]?.price ?? NO_TICKS),
    coin: market.sizeName,
    bids: size(curve.bids.at(-1)?.total),
    asks: size(curve.asks.at(-1)?.total),
    reach: price(curve.reach),
  });
}

function PointLine({
  market,
  curve,
  price,
}: {
  readonly market: TradedMarket;
  readonly curve: DepthCurve;
  readonly price: Ticks;
}): ReactElement {
  const text = useText();
  const format = useSettings((settings) => settings.numberFormat);
  const { side, point } = depthAt(curve, price);
  const values = {
    total: formatDecimal(sizeText(market, point?.total ?? NO_LOTS), { format }),
    coin: market.sizeName,
    price: formatDecimal(priceText(market, price), { format }),
  };
  return (
    <p className="pointer-events-none absolute top-2 left-1/2 -translate-x-1/2 rounded-sm border border-strong bg-raised px-2 py-1 text-sm whitespace-nowrap text-fg">
      {text(side === 'buy' ? 'trade.depth.bidLine' : 'trade.depth.askLine', values)}
    </p>
  );
}

export function DepthChart({ market, onPick }: DepthChartProps): ReactElement {
  const text = useText();
  const theme = useChartTheme();
  const format = useSettings((settings) => settings.numberFormat);
  const { value: depth } = useDepth();
  const curve = useMemo(() => depth && depthCurve(depth.bids, depth.asks), [depth]);
  const [frame, setFrame] = useState<HTMLElement | null>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const { width, height } = useSize(frame);
  const [hovered, setHovered] = useState<Ticks>();
  const summary = useSummary(market, curve);
  useEffect(() => {
    if (canvas.current === null || curve === undefined || width === 0) return;
    const price = (value: Ticks): string => formatDecimal(priceText(market, value), { format });
    const size = (value: Lots): string => formatDecimal(sizeText(market, value), { format, decimals: Math.min(2, market.sizePrecision) });
    drawDepth(canvas.current, { curve, theme, width, height, hovered, price, size });
  }, [curve, theme, width, height, hovered, market, format]);
  const under = (event: PointerEvent): Ticks | undefined => {
    if (curve === undefined) return undefined;
    return priceAt(curve, width, event.clientX - event.currentTarget.getBoundingClientRect().left);
  };
  return (
    <div ref={setFrame} className="relative min-h-0 min-w-0 flex-1 cursor-crosshair">
      <canvas
        ref={canvas}
        role="img"
        aria-label={`${text('trade.depth.label', { pair: shownPair(market.symbol) })}. ${summary ?? ''}`}
        className="absolute inset-0 size-full"
        onPointerMove={(event) => setHovered(under(event))}
        onPointerLeave={() => setHovered(undefined)}
        onClick={() => hovered !== undefined && onPick(hovered)}
      />
      {curve === undefined && <p className="absolute inset-x-0 top-1/3 text-center text-md text-fg3">{text('trade.depth.empty')}</p>}
      {curve !== undefined && hovered !== undefined && <PointLine market={market} curve={curve} price={hovered} />}
    </div>
  );
}
