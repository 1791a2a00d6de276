import { expect, test } from 'vitest';
import { orderLineOverlay } from './order-line-overlay.ts';

/** The figures of a line across a chart of 800 pixels, at 100 from its top. */
function figures(lock: boolean): readonly { readonly type: string; readonly ignoreEvent?: boolean }[] {
  const extendData = {
    color: '',
    background: '',
    label: 'Buy 0.6',
    lines: [{ price: 60_000, label: 'Buy 0.6' }],
    place: 0,
    fontFamily: '',
  };
  const drawn = orderLineOverlay.createPointFigures?.({
    overlay: { extendData, lock, points: [{ value: 60_000 }] },
    coordinates: [{ x: 0, y: 100 }],
    bounding: { width: 800 },
    yAxis: { convertToPixel: () => 100 },
  } as never);
  return drawn as unknown as readonly { readonly type: string; readonly ignoreEvent?: boolean }[];
}

const taken = (lock: boolean): readonly string[] => figures(lock).flatMap(({ type, ignoreEvent }) => (ignoreEvent === true ? [] : [type]));

test('an order is taken hold of by its words alone: its line crosses the chart, which is moved there', () => {
  expect(figures(false).map(({ type }) => type)).toEqual(['line', 'text']);
  expect([taken(false), taken(true)]).toEqual([['text'], []]);
});
