/** Something that must always hold did not. */
export class Violation extends Error {
  override readonly name = 'Violation';
  /** The row of the invariants, such as `R2`. */
  readonly invariant: string;

  constructor(invariant: string, sentence: string, cause?: unknown) {
    super(`${invariant}: ${sentence}`, { cause });
    this.invariant = invariant;
  }
}
