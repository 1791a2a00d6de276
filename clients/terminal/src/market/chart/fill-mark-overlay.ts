/** Own fills on the chart: a triangle below the price for what was bought, above it for what was sold. */
import type { OverlayTemplate } from 'klinecharts';

export interface FillMarkLook {
  readonly side: 'buy' | 'sell';
  readonly color: string;
  /** Around the triangle, so that it stands out from a candle of its own colour. */
  readonly edge: string;
}

export const FILL_MARK = 'orreryFillMark';

/** Pixels. */
const [GAP, WIDTH, HEIGHT] = [3, 5, 8];

export const fillMarkOverlay: OverlayTemplate<FillMarkLook> = {
  name: FILL_MARK,
  totalStep: 2,
  lock: true,
  createPointFigures: ({ overlay, coordinates }) => {
    const [at] = coordinates;
    if (at === undefined) return [];
    const { side, color, edge } = overlay.extendData;
    const away = side === 'buy' ? 1 : -1;
    const [tip, base] = [at.y + away * GAP, at.y + away * (GAP + HEIGHT)];
    return {
      type: 'polygon',
      attrs: {
        coordinates: [
          { x: at.x, y: tip },
          { x: at.x + WIDTH, y: base },
          { x: at.x - WIDTH, y: base },
        ],
      },
      styles: { style: 'stroke_fill', color, borderColor: edge, borderSize: 1 },
      ignoreEvent: true,
    };
  },
};
