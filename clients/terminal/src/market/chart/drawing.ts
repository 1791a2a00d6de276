/** What a person draws on the chart: facts in times and prices, so that they stay in place at every interval. */

export const DRAWING_TOOLS = ['trend', 'horizontal', 'ray', 'channel', 'fibonacci', 'text'] as const;
export type DrawingTool = (typeof DRAWING_TOOLS)[number];

export interface DrawingPoint {
  /** Unix milliseconds. */
  readonly time: number;
  readonly price: number;
}

export interface Drawing {
  readonly id: string;
  readonly tool: DrawingTool;
  readonly points: readonly DrawingPoint[];
  /** What a drawing of the tool `text` says; empty in the others. */
  readonly text: string;
}

/** Drawings kept of one market; the oldest give way. */
export const DRAWINGS_MAX = 50;
export const TEXT_MAX = 80;

const POINTS: Readonly<Record<DrawingTool, number>> = { trend: 2, horizontal: 1, ray: 2, channel: 3, fibonacci: 2, text: 1 };

const isPoint = (json: unknown): json is DrawingPoint =>
  typeof json === 'object' &&
  json !== null &&
  'time' in json &&
  'price' in json &&
  Number.isSafeInteger(json.time) &&
  typeof json.price === 'number' &&
  Number.isFinite(json.price);

/** `undefined` for what is no drawing: something else wrote it. */
export function parseDrawing(json: unknown): Drawing | undefined {
  if (typeof json !== 'object' || json === null) return undefined;
  const { id, tool, points, text }: { id?: unknown; tool?: unknown; points?: unknown; text?: unknown } = json;
  const known = DRAWING_TOOLS.find((name) => name === tool);
  if (known === undefined || typeof id !== 'string' || typeof text !== 'string' || text.length > TEXT_MAX) return undefined;
  if (!Array.isArray(points) || points.length !== POINTS[known] || !points.every(isPoint)) return undefined;
  return { id, tool: known, points: points.map(({ time, price }) => ({ time, price })), text };
}

export function parseDrawings(json: unknown): readonly Drawing[] {
  if (!Array.isArray(json)) return [];
  return json
    .map(parseDrawing)
    .filter((drawing) => drawing !== undefined)
    .slice(-DRAWINGS_MAX);
}

/** With one more, or with another state of it in its place. */
export function withDrawing(drawings: readonly Drawing[], drawing: Drawing): readonly Drawing[] {
  const isKnown = drawings.some(({ id }) => id === drawing.id);
  return isKnown ? drawings.map((other) => (other.id === drawing.id ? drawing : other)) : [...drawings, drawing].slice(-DRAWINGS_MAX);
}
