/** Where the prices of this exchange begin: a line down the chart; what is left of it is of other exchanges, and says so. */
import type { OverlayTemplate } from 'klinecharts';

export interface OutsideLook {
  readonly color: string;
  readonly background: string;
  readonly label: string;
  readonly fontFamily: string;
}

export const OUTSIDE = 'orreryOutside';

/** Pixels; the choice of the price stands below it. */
const [GAP, FROM_BOTTOM, SIZE] = [6, 48, 12];

export const outsideOverlay: OverlayTemplate<OutsideLook> = {
  name: OUTSIDE,
  totalStep: 2,
  lock: true,
  needDefaultXAxisFigure: false,
  needDefaultYAxisFigure: false,
  createPointFigures: ({ overlay, coordinates, bounding }) => {
    const [at] = coordinates;
    if (at === undefined) return [];
    const { color, background, label, fontFamily } = overlay.extendData;
    return [
      {
        type: 'line',
        attrs: {
          coordinates: [
            { x: at.x, y: 0 },
            { x: at.x, y: bounding.height },
          ],
        },
        styles: { style: 'dashed', dashedValue: [2, 3], size: 1, color },
        ignoreEvent: true,
      },
      {
        type: 'text',
        attrs: { x: at.x - GAP, y: bounding.height - FROM_BOTTOM, text: label, align: 'right', baseline: 'bottom' },
        styles: { style: 'fill', size: SIZE, family: fontFamily, color, backgroundColor: background },
        ignoreEvent: true,
      },
    ];
  },
};

/** The first bar of this exchange after those of others; the last of all where there is none yet. `undefined` where none is of others. */
export function boundaryOf<Shown extends object>(bars: readonly Shown[]): Shown | undefined {
  const last = bars.findLastIndex((bar) => 'outside' in bar && bar.outside === true);
  return last === -1 ? undefined : (bars[last + 1] ?? bars[last]);
}
