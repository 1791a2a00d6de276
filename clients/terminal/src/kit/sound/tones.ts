/** The three sounds of orders, as notes: they differ by direction and length, so that nobody has to look. */

export const SOUNDS = ['fill', 'accepted', 'rejected'] as const;
export type Sound = (typeof SOUNDS)[number];

export interface Note {
  /** Hertz. */
  readonly pitch: number;
  /** Seconds after the first. */
  readonly at: number;
  /** Seconds. */
  readonly length: number;
}

const [LOW, MIDDLE, HIGH] = [392, 523.25, 783.99];

export const TONES: Readonly<Record<Sound, readonly Note[]>> = {
  fill: [
    { pitch: MIDDLE, at: 0, length: 0.09 },
    { pitch: HIGH, at: 0.09, length: 0.16 },
  ],
  accepted: [{ pitch: MIDDLE, at: 0, length: 0.08 }],
  rejected: [
    { pitch: MIDDLE, at: 0, length: 0.1 },
    { pitch: LOW, at: 0.1, length: 0.22 },
  ],
};

/** Sounds of one kind follow each other no sooner: twenty fills of one order are one sound. Milliseconds. */
export const APART_MS = 300;
