/** Where the labels of lines stand that lie close to each other: side by side, in lanes, never on top of each other. Pure. */
export interface PlacedLabel {
  /** Pixels from the left edge; `undefined` where there is no room for it. */
  readonly x: number | undefined;
  /** The first of those that lie together has the axis to itself. */
  readonly isFirst: boolean;
}

export interface LabelledLine {
  readonly y: number;
  readonly label: string;
}

/** Pixels of a label and the space around it. */
export const LABEL_HEIGHT = 18;
const LEFT = 8;
const GAP = 4;
/** Of a letter of the label's size, on average, and what is around the letters. */
const LETTER = 6;
const AROUND = 12;

const widthOf = (label: string): number => label.length * LETTER + AROUND;

interface Taken {
  readonly y: number;
  readonly end: number;
}

/** @param room pixels that labels may take from the left. */
export function placeLabels(lines: readonly LabelledLine[], room: number): readonly PlacedLabel[] {
  const taken: Taken[] = [];
  return lines.map(({ y, label }) => {
    const near = taken.filter((other) => Math.abs(other.y - y) < LABEL_HEIGHT);
    const x = near.reduce((from, { end }) => Math.max(from, end + GAP), LEFT);
    const end = x + widthOf(label);
    const fits = end <= room;
    if (fits || near.length === 0) taken.push({ y, end });
    return { x: fits ? x : undefined, isFirst: near.length === 0 };
  });
}

/** On the axis the last price has its place, and the label of a line that is near stands above or below it. */
export const besideLast = (y: number, last: number): number =>
  Math.abs(y - last) < LABEL_HEIGHT ? last + (y < last ? -LABEL_HEIGHT : LABEL_HEIGHT) : y;
