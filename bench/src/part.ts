/** A part of the benchmark: one row of the table, measured in a separate process. */

/** What one part found: figures by the keys of the object that `--json` prints, and the same as lines for people. */
export interface Findings {
  readonly figures: Readonly<Record<string, object>>;
  readonly lines: readonly string[];
}

export interface Part {
  readonly name: string;
  /** What it measures, in one sentence. */
  readonly about: string;
  /** More of Node's options for its process. */
  readonly nodeOptions?: readonly string[];
  measure(): Findings | Promise<Findings>;
}
