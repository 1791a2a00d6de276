/**
 * Marks that were seen: whole numbers below 2^48 that are as good as random, in an open-addressing table of doubles. A set would keep an object
 * for each, and the collector would move it.
 */

const CELLS_MIN = 1_024;
/** No mark. */
const EMPTY = -1;

export class Marks {
  #cells = new Float64Array(CELLS_MIN).fill(EMPTY);
  #count = 0;

  get size(): number {
    return this.#count;
  }

  has(mark: number): boolean {
    return this.#cells[this.#cellOf(mark)] === mark;
  }

  add(mark: number): void {
    const cell = this.#cellOf(mark);
    if (this.#cells[cell] === mark) return;
    this.#cells[cell] = mark;
    this.#count += 1;
    if (this.#count * 2 > this.#cells.length) this.#grow();
  }

  /** Where the mark is, or the empty cell where it would be. A table that is half empty has one. */
  #cellOf(mark: number): number {
    const mask = this.#cells.length - 1;
    let cell = mark & mask;
    while (this.#cells[cell] !== mark && this.#cells[cell] !== EMPTY) cell = (cell + 1) & mask;
    return cell;
  }

  #grow(): void {
    const old = this.#cells;
    this.#cells = new Float64Array(old.length * 2).fill(EMPTY);
    for (const mark of old) if (mark !== EMPTY) this.#cells[this.#cellOf(mark)] = mark;
  }
}
