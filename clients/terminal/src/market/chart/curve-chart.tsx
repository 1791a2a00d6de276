/** A value over time as a line, with others beside it to compare. Drawn by uPlot on a canvas in the colours of the moment; loaded when it is shown. */
import { useEffect, useRef, useState } from 'react';
import type { ReactElement } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';

export interface CurvePoint {
  /** Unix milliseconds. */
  readonly time: number;
  /** For the place on the canvas alone; null where the curve has not begun. */
  readonly value: number | null;
}

export type CurveTone = 'neutral' | 'up' | 'down';

/** What the curve is compared with, without a colour of its own, or continues. */
export interface BesideCurve {
  /** One for each point; null where it is not known. */
  readonly values: readonly (number | null)[];
  /** Pixels that are drawn, and left out. */
  readonly dash: readonly [number, number];
  /** In the colour of the curve. */
  readonly isOfCurve?: boolean;
}

export interface CurveChartProps {
  readonly points: readonly CurvePoint[];
  readonly beside?: readonly BesideCurve[];
  readonly tone: CurveTone;
  /** What the curve shows, in words: the canvas says nothing to a screen reader. */
  readonly label: string;
  readonly axisValue: (value: number) => string;
  readonly axisTime: (millis: number) => string;
  /** Which point the pointer is over; `undefined` beside the curve. */
  readonly onHover: (index: number | undefined) => void;
}

const HEIGHT = 232;
const FONT = '11px "Hanken Grotesk Variable", system-ui, sans-serif';

const tones: Readonly<Record<CurveTone, string>> = { neutral: '--fg2', up: '--up', down: '--down' };

const colour = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

const NOTHING_BESIDE: readonly BesideCurve[] = [];

interface Look extends Pick<CurveChartProps, 'tone' | 'axisValue' | 'axisTime' | 'onHover'> {
  readonly beside: readonly BesideCurve[];
}

function optionsOf({ tone, axisValue, axisTime, onHover, beside }: Look, width: number): uPlot.Options {
  const stroke = colour(tones[tone]);
  const axis = {
    stroke: colour('--fg3'),
    font: FONT,
    grid: { stroke: colour('--line'), width: 1 },
    ticks: { show: false },
  } as const;
  return {
    width,
    height: HEIGHT,
    padding: [8, 12, 0, 0],
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 7, fill: stroke, stroke } },
    scales: { x: { time: false } },
    axes: [
      { ...axis, grid: { show: false }, space: 90, values: (_, splits) => splits.map(axisTime) },
      { ...axis, size: 76, space: 44, values: (_, splits) => splits.map(axisValue) },
    ],
    series: [
      {},
      { stroke, width: 1.5, fill: `color-mix(in srgb, ${stroke} 10%, transparent)`, points: { show: false } },
      ...beside.map(({ dash, isOfCurve }) => ({
        stroke: isOfCurve === true ? stroke : colour('--fg3'),
        width: 1.5,
        dash: [...dash],
        points: { show: false },
      })),
    ],
    hooks: { setCursor: [({ cursor }) => onHover(cursor.idx ?? undefined)] },
  };
}

/** CSS pixels; `undefined` before the place has been measured. */
function useWidth(): readonly [(element: HTMLDivElement | null) => void, number | undefined] {
  const [element, setElement] = useState<HTMLDivElement | null>(null);
  const [width, setWidth] = useState<number>();
  useEffect(() => {
    if (element === null) return undefined;
    const observer = new ResizeObserver(([entry]) => setWidth(entry && Math.floor(entry.contentRect.width)));
    observer.observe(element);
    return () => observer.disconnect();
  }, [element]);
  return [setElement, width];
}

export function CurveChart({ points, beside = NOTHING_BESIDE, tone, label, axisValue, axisTime, onHover }: CurveChartProps): ReactElement {
  const [setElement, width] = useWidth();
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (place.current === null || width === undefined || width === 0) return undefined;
    const lines = beside.map(({ values }) => [...values]);
    const data: uPlot.AlignedData = [points.map(({ time }) => time), points.map(({ value }) => value), ...lines];
    const plot = new uPlot(optionsOf({ tone, axisValue, axisTime, onHover, beside }, width), data, place.current);
    return () => plot.destroy();
  }, [points, beside, tone, axisValue, axisTime, onHover, width]);
  return (
    <div ref={setElement} role="img" aria-label={label} className="h-[232px] min-w-0 overflow-hidden">
      <div ref={place} />
    </div>
  );
}
