/** Own orders on the chart: a dashed line at the price, its side and size at the left, its price on the axis. A line that is not locked is dragged by its words. */
import type { OverlayTemplate } from 'klinecharts';
import { besideLast, placeLabels } from './label-lanes.ts';
import type { PlacedLabel } from './label-lanes.ts';

export interface OrderLineLook {
  readonly color: string;
  /** Behind the words: an own order is outlined, the market's last price is filled. */
  readonly background: string;
  readonly label: string;
  /** Every line of the chart, this one among them: labels keep out of each other's way. */
  readonly lines: readonly { readonly price: number; readonly label: string }[];
  /** Its place among them. */
  readonly place: number;
  /** Of the place where the line is, also while it is dragged. */
  readonly priceAt: (value: number) => string;
  readonly fontFamily: string;
}

export const ORDER_LINE = 'orreryOrderLine';

const PADDING = { paddingLeft: 5, paddingRight: 5, paddingTop: 2, paddingBottom: 2 };

const labelStyle = ({ color, background, fontFamily }: OrderLineLook) => ({
  style: 'stroke_fill',
  size: 12,
  family: fontFamily,
  color,
  backgroundColor: background,
  borderColor: color,
  borderSize: 1,
  borderRadius: 2,
  ...PADDING,
});

/** Of all labels where each line is now; the one that is dragged is where it is dragged to. */
function placed({ lines, place }: OrderLineLook, y: number, room: number, toPixel: (price: number) => number): PlacedLabel | undefined {
  const now = lines.map(({ price, label }, index) => ({ y: index === place ? y : toPixel(price), label }));
  return placeLabels(now, room)[place];
}

export const orderLineOverlay: OverlayTemplate<OrderLineLook> = {
  name: ORDER_LINE,
  totalStep: 2,
  needDefaultPointFigure: false,
  needDefaultXAxisFigure: false,
  needDefaultYAxisFigure: false,
  createPointFigures: ({ overlay, coordinates, bounding, yAxis }) => {
    const y = coordinates[0]?.y;
    if (y === undefined) return [];
    const look = overlay.extendData;
    const label = placed(look, y, bounding.width, (price) => yAxis?.convertToPixel(price) ?? y);
    return [
      {
        type: 'line',
        attrs: {
          coordinates: [
            { x: 0, y },
            { x: bounding.width, y },
          ],
        },
        styles: { style: 'dashed', dashedValue: [2, 3], size: 1, color: look.color },
        // It crosses the whole chart: who takes hold of it may mean to move the chart.
        ignoreEvent: true,
      },
      ...(label?.x === undefined
        ? []
        : [
            {
              type: 'text',
              attrs: { x: label.x, y, text: look.label, align: 'left', baseline: 'middle' },
              styles: labelStyle(look),
              ignoreEvent: overlay.lock,
            },
          ]),
    ];
  },
  createYAxisFigures: ({ chart, overlay, coordinates, bounding, yAxis }) => {
    const y = coordinates[0]?.y;
    if (y === undefined || !(yAxis?.isInCandle() ?? false)) return [];
    const look = overlay.extendData;
    if (placed(look, y, bounding.width, (price) => yAxis?.convertToPixel(price) ?? y)?.isFirst === false) return [];
    const last = chart.getDataList().at(-1)?.close;
    const free = last === undefined ? y : besideLast(y, yAxis?.convertToPixel(last) ?? y);
    return {
      type: 'text',
      attrs: { x: 0, y: free, width: bounding.width, text: look.priceAt(overlay.points[0]?.value ?? 0), align: 'left', baseline: 'middle' },
      styles: labelStyle(look),
      ignoreEvent: true,
    };
  },
};
