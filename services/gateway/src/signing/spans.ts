/** Spans of timestamps: what was signed in one of them cannot be distinguished from what was taken then and is no longer remembered. */

export interface Span {
  from: number;
  to: number;
}

/** A program whose wall clock is right has one span that grows. */
const SPANS_MAX = 64;

/**
 * Puts a timestamp into the span that it is near to, or begins one. Not only the last: clients of two clocks that are far apart take turns, and each turn
 * would begin another.
 * @param gap milliseconds
 */
export function grow(spans: Span[], timestamp: number, gap: number): void {
  const near = spans.findLast(({ from, to }) => from - gap <= timestamp && timestamp <= to + gap);
  if (near === undefined) spans.push({ from: timestamp, to: timestamp });
  else {
    near.from = Math.min(near.from, timestamp);
    near.to = Math.max(near.to, timestamp);
  }
}

export class Spans {
  readonly #spans: Span[] = [];
  /** Of all: the usual timestamp is later, and is compared with nothing else. */
  #latest = -Infinity;

  has(timestamp: number): boolean {
    return timestamp <= this.#latest && this.#spans.some(({ from, to }) => from <= timestamp && timestamp <= to);
  }

  /** Both ends are included. A span that begins within `gap` milliseconds of another one is joined with it. */
  add(added: Readonly<Span>, gap: number): void {
    const joined = { ...added };
    const apart: Span[] = [];
    for (const span of this.#spans) {
      if (span.to + gap < joined.from || joined.to + gap < span.from) apart.push(span);
      else {
        joined.from = Math.min(joined.from, span.from);
        joined.to = Math.max(joined.to, span.to);
      }
    }
    const spans = [...apart, joined].toSorted((one, other) => one.from - other.from);
    // Joined with the next, the first one refuses more than it must, and never takes what was taken before.
    while (spans.length > SPANS_MAX) {
      const [first, second, ...rest] = spans as [Span, Span, ...Span[]];
      spans.splice(0, spans.length, { from: first.from, to: Math.max(first.to, second.to) }, ...rest);
    }
    this.#spans.splice(0, this.#spans.length, ...spans);
    this.#latest = Math.max(this.#latest, joined.to);
  }
}
