/** Puts a depth curve on a canvas. */
import { lotsWithin, tickNear } from '@orrery/units';
import type { Lots, Ticks } from '@orrery/units';
import type { ChartTheme } from './chart-port.ts';
import type { DepthCurve, DepthPoint } from './depth-curve.ts';
import { translucent } from './translucent.ts';

export interface DepthPicture {
  readonly curve: DepthCurve;
  readonly theme: ChartTheme;
  /** CSS pixels. */
  readonly width: number;
  readonly height: number;
  /** The price under the pointer. */
  readonly hovered: Ticks | undefined;
  readonly price: (price: Ticks) => string;
  readonly size: (size: Lots) => string;
}

/** Room for the prices below and above the highest step. */
const AXIS = 24;
const HEADROOM = 40;

const xOf = (curve: DepthCurve, width: number, price: number): number => ((price - curve.from) / (curve.to - curve.from)) * width;

/** The tick nearest to a horizontal place. */
export function priceAt(curve: DepthCurve, width: number, x: number): Ticks {
  return tickNear(curve.from + (Math.max(0, Math.min(width, x)) / width) * (curve.to - curve.from));
}

function drawSide(context: CanvasRenderingContext2D, picture: DepthPicture, points: readonly DepthPoint[], side: 'bid' | 'ask'): void {
  const { curve, width, height, theme } = picture;
  const floor = height - AXIS;
  const yOf = (total: number): number => floor - (total / curve.highest) * (floor - HEADROOM);
  const color = side === 'bid' ? theme.up : theme.down;
  const edge = side === 'bid' ? 0 : width;
  context.beginPath();
  context.moveTo(xOf(curve, width, points[0]?.price ?? curve.middle), floor);
  let y = floor;
  for (const point of points) {
    const x = xOf(curve, width, point.price);
    context.lineTo(x, y);
    y = yOf(point.total);
    context.lineTo(x, y);
  }
  context.lineTo(edge, y);
  context.strokeStyle = color;
  context.lineWidth = 1.5;
  context.stroke();
  context.lineTo(edge, floor);
  context.closePath();
  context.fillStyle = translucent(color, 0.14);
  context.fill();
}

function drawAxes(context: CanvasRenderingContext2D, picture: DepthPicture): void {
  const { curve, theme, width, height } = picture;
  const floor = height - AXIS;
  context.fillStyle = theme.label;
  context.strokeStyle = theme.grid;
  context.lineWidth = 1;
  context.font = `12px ${theme.fontFamily}`;
  context.textBaseline = 'middle';
  context.textAlign = 'center';
  const columns = Math.max(2, Math.floor(width / 140));
  for (let column = 0; column <= columns; column += 1) {
    const x = Math.round(((column + 0.5) / (columns + 1)) * width);
    context.fillText(picture.price(priceAt(curve, width, x)), x, height - AXIS / 2);
  }
  context.textAlign = 'right';
  for (const part of [0.25, 0.5, 0.75, 1]) {
    const y = Math.round(floor - part * (floor - HEADROOM)) + 0.5;
    context.beginPath();
    context.moveTo(0, y);
    context.lineTo(width, y);
    context.stroke();
    context.fillText(picture.size(lotsWithin(curve.highest * part)), width - 8, y - 8);
  }
  context.strokeStyle = theme.line;
  context.beginPath();
  context.moveTo(0, floor + 0.5);
  context.lineTo(width, floor + 0.5);
  context.stroke();
}

function drawHover(context: CanvasRenderingContext2D, { curve, hovered, theme, width, height }: DepthPicture): void {
  if (hovered === undefined) return;
  const x = Math.round(xOf(curve, width, hovered)) + 0.5;
  context.strokeStyle = theme.label;
  context.setLineDash([3, 3]);
  context.beginPath();
  context.moveTo(x, 0);
  context.lineTo(x, height - AXIS);
  context.stroke();
  context.setLineDash([]);
}

export function drawDepth(canvas: HTMLCanvasElement, picture: DepthPicture): void {
  const context = canvas.getContext('2d');
  if (context === null) return;
  const scale = globalThis.devicePixelRatio;
  canvas.width = Math.round(picture.width * scale);
  canvas.height = Math.round(picture.height * scale);
  context.scale(scale, scale);
  drawAxes(context, picture);
  drawSide(context, picture, picture.curve.bids, 'bid');
  drawSide(context, picture, picture.curve.asks, 'ask');
  drawHover(context, picture);
}
