/** Own orders on the chart: a dashed line at the price, its side and size at the left, its price on the axis. A line that is not locked is dragged. */
import type { OverlayTemplate } from 'klinecharts';

export interface OrderLineLook {
  readonly color: string;
  /** Behind the words: an own order is outlined, the market's last price is filled. */
  readonly background: string;
  readonly label: string;
  /** Of the place where the line is, also while it is dragged. */
  readonly priceAt: (value: number) => string;
  readonly fontFamily: string;
}

export const ORDER_LINE = 'orreryOrderLine';

const PADDING = { paddingLeft: 5, paddingRight: 5, paddingTop: 2, paddingBottom: 2 };

const labelStyle = ({ color, background, fontFamily }: OrderLineLook) => ({
  style: 'stroke_fill',
  size: 11,
  family: fontFamily,
  color,
  backgroundColor: background,
  borderColor: color,
  borderSize: 1,
  borderRadius: 2,
  ...PADDING,
});

export const orderLineOverlay: OverlayTemplate<OrderLineLook> = {
  name: ORDER_LINE,
  totalStep: 2,
  needDefaultPointFigure: false,
  needDefaultXAxisFigure: false,
  needDefaultYAxisFigure: false,
  createPointFigures: ({ overlay, coordinates, bounding }) => {
    const y = coordinates[0]?.y;
    if (y === undefined) return [];
    const look = overlay.extendData;
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
        ignoreEvent: overlay.lock,
      },
      {
        type: 'text',
        attrs: { x: 8, y, text: look.label, align: 'left', baseline: 'middle' },
        styles: labelStyle(look),
        ignoreEvent: overlay.lock,
      },
    ];
  },
  createYAxisFigures: ({ overlay, coordinates, bounding, yAxis }) => {
    const y = coordinates[0]?.y;
    if (y === undefined || !(yAxis?.isInCandle() ?? false)) return [];
    const look = overlay.extendData;
    return {
      type: 'text',
      attrs: { x: 0, y, width: bounding.width, text: look.priceAt(overlay.points[0]?.value ?? 0), align: 'left', baseline: 'middle' },
      styles: labelStyle(look),
      ignoreEvent: true,
    };
  },
};
