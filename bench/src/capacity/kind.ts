/** What is measured at several counts, each in a process of its own. */

/** What one process measured. Names carry the unit: bytes, or microseconds of the processor (user and system, of all threads). */
export type Readings = Readonly<Record<string, number>>;

export interface Kind {
  readonly name: string;
  /** What a count counts, in one word: the slope is of one of them. */
  readonly per: string;
  readonly about: string;
  readonly counts: readonly number[];
  readonly measure: (count: number) => Readings | Promise<Readings>;
}
