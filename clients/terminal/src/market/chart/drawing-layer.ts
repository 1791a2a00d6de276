/** Drawings on klinecharts' own drawing tools. */
import type { Chart, Overlay, OverlayTemplate, Point } from 'klinecharts';
import type { ChartDrawings } from './chart-port.ts';
import { withDrawing } from './drawing.ts';
import type { Drawing, DrawingTool } from './drawing.ts';

const TEXT_DRAWING = 'orreryText';
const GROUP = 'drawings';

const TEMPLATES = {
  trend: 'segment',
  horizontal: 'horizontalStraightLine',
  ray: 'rayLine',
  channel: 'parallelStraightLine',
  fibonacci: 'fibonacciLine',
  text: TEXT_DRAWING,
} as const satisfies Record<DrawingTool, string>;

/** A label whose lower left corner is at its point. */
export const textDrawing: OverlayTemplate<string> = {
  name: TEXT_DRAWING,
  totalStep: 2,
  needDefaultPointFigure: true,
  createPointFigures: ({ overlay, coordinates }) => {
    const [at] = coordinates;
    return at === undefined ? [] : { type: 'text', attrs: { ...at, text: overlay.extendData, align: 'left', baseline: 'bottom' } };
  },
};

const nothing = (): void => undefined;

const isWhole = (point: Partial<Point>): point is Partial<Point> & Pick<Point, 'timestamp' | 'value'> =>
  point.timestamp !== undefined && point.value !== undefined;

export class DrawingLayer implements ChartDrawings {
  readonly #chart: Chart;
  #drawings: readonly Drawing[] = [];
  #begun: string | undefined;
  #selected: string | undefined;
  #onChange: (drawings: readonly Drawing[]) => void = nothing;
  #onEnd: () => void = nothing;

  constructor(chart: Chart) {
    this.#chart = chart;
  }

  set(drawings: readonly Drawing[]): void {
    if (drawings === this.#drawings) return;
    this.cancel();
    this.#chart.removeOverlay({ groupId: GROUP });
    this.#drawings = drawings;
    this.#selected = undefined;
    for (const drawing of drawings) this.#show(drawing);
  }

  begin(tool: DrawingTool, text: string): void {
    this.cancel();
    const id = crypto.randomUUID();
    this.#begun = id;
    this.#chart.createOverlay({
      ...this.#overlay({ id, tool, text }),
      onDrawEnd: ({ overlay }) => {
        this.#begun = undefined;
        this.#keep(overlay, { id, tool, text });
        this.#onEnd();
      },
    });
  }

  cancel(): void {
    if (this.#begun === undefined) return;
    this.#chart.removeOverlay({ id: this.#begun });
    this.#begun = undefined;
    this.#onEnd();
  }

  addLine(price: number): void {
    const time = this.#chart.getDataList().at(-1)?.timestamp;
    if (time === undefined) return;
    const drawing: Drawing = { id: crypto.randomUUID(), tool: 'horizontal', points: [{ time, price }], text: '' };
    this.#show(drawing);
    this.#change(withDrawing(this.#drawings, drawing));
  }

  removeSelected(): void {
    const id = this.#selected;
    if (id === undefined) return;
    this.#selected = undefined;
    this.#chart.removeOverlay({ id });
    this.#change(this.#drawings.filter((drawing) => drawing.id !== id));
  }

  onChange(listener: (drawings: readonly Drawing[]) => void): void {
    this.#onChange = listener;
  }

  onEnd(listener: () => void): void {
    this.#onEnd = listener;
  }

  #show(drawing: Drawing): void {
    const points = drawing.points.map(({ time, price }) => ({ timestamp: time, value: price }));
    this.#chart.createOverlay({ ...this.#overlay(drawing), points });
  }

  #overlay({ id, tool, text }: Omit<Drawing, 'points'>) {
    return {
      name: TEMPLATES[tool],
      id,
      groupId: GROUP,
      extendData: text,
      onPressedMoveEnd: ({ overlay }: { readonly overlay: Overlay }) => this.#keep(overlay, { id, tool, text }),
      onSelected: () => {
        this.#selected = id;
      },
      onDeselected: () => {
        if (this.#selected === id) this.#selected = undefined;
      },
      // The library would remove it: the page's own menu opens instead, and the drawing is what it speaks about.
      onRightClick: (event: { readonly preventDefault?: () => void }) => {
        this.#selected = id;
        event.preventDefault?.();
      },
    };
  }

  #keep({ points }: Pick<Overlay, 'points'>, { id, tool, text }: Omit<Drawing, 'points'>): void {
    const whole = points.filter(isWhole).map(({ timestamp, value }) => ({ time: timestamp, price: value }));
    if (whole.length !== points.length) return;
    this.#change(withDrawing(this.#drawings, { id, tool, points: whole, text }));
  }

  #change(drawings: readonly Drawing[]): void {
    for (const { id } of this.#drawings) if (!drawings.some((kept) => kept.id === id)) this.#chart.removeOverlay({ id });
    this.#drawings = drawings;
    this.#onChange(drawings);
  }
}
