/** Counts the faults and outcomes of a run, so that one that never happened is visible. */
export class Meters {
  readonly #counts = new Map<string, number>();

  /** @param counts how often each happened, by its name. */
  static of(counts: Readonly<Record<string, number>>): Meters {
    const meters = new Meters();
    for (const [name, count] of Object.entries(counts)) meters.count(name, count);
    return meters;
  }

  count(name: string, by = 1): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + by);
  }

  of(name: string): number {
    return this.#counts.get(name) ?? 0;
  }

  add(other: Meters): void {
    for (const [name, count] of other.#counts) this.count(name, count);
  }

  zeros(wanted: readonly string[]): readonly string[] {
    return wanted.filter((name) => this.of(name) === 0);
  }

  /** By name, in order. */
  counts(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.#counts].sort(([left], [right]) => (left < right ? -1 : 1)));
  }

  print(): string {
    return Object.entries(this.counts())
      .map(([name, count]) => `${String(count).padStart(10)} ${name}`)
      .join('\n');
  }
}
