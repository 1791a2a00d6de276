/**
 * What is due at a time, the earliest first and of equals the smallest id: a binary heap. An entry that is replaced or removed stays until it is due, or
 * until such entries outnumber the others.
 */
import { assert, type Millis } from '@orrery/units';

interface Due {
  readonly at: Millis;
  readonly id: number;
}

/** Entries that no longer count may be as many as those that do, and this number more. */
const IDLE_ENTRIES = 16;

const isBefore = (left: Due, right: Due): boolean => left.at < right.at || (left.at === right.at && left.id < right.id);

export class DueQueue {
  /** The time of every id that waits. */
  readonly #times = new Map<number, Millis>();
  #heap: Due[] = [];

  /** Sets or moves the time of an id. */
  set(id: number, at: Millis): void {
    if (this.#times.get(id) === at) return;
    this.#times.set(id, at);
    this.#push({ at, id });
    if (this.#heap.length > 2 * this.#times.size + IDLE_ENTRIES) this.#rebuild();
  }

  delete(id: number): void {
    this.#times.delete(id);
    if (this.#heap.length > 2 * this.#times.size + IDLE_ENTRIES) this.#rebuild();
  }

  timeOf(id: number): Millis | undefined {
    return this.#times.get(id);
  }

  /** The id that is due next, and when; undefined when none waits. */
  next(): Due | undefined {
    let first = this.#heap[0];
    while (first !== undefined && this.#times.get(first.id) !== first.at) {
      this.#pop();
      first = this.#heap[0];
    }
    return first;
  }

  /** By id. */
  entries(): readonly Due[] {
    return [...this.#times].map(([id, at]) => ({ id, at })).sort((left, right) => left.id - right.id);
  }

  #rebuild(): void {
    const waiting = this.entries();
    this.#heap = [];
    for (const due of waiting) this.#push(due);
  }

  #push(due: Due): void {
    const heap = this.#heap;
    let place = heap.length;
    heap.push(due);
    for (let parent = (place - 1) >> 1; place > 0 && isBefore(due, this.#at(parent)); parent = (place - 1) >> 1) {
      heap[place] = this.#at(parent);
      place = parent;
    }
    heap[place] = due;
  }

  /** Takes the first entry out. */
  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let place = 0;
    for (let child = this.#earlierChild(place); child < heap.length; child = this.#earlierChild(place)) {
      if (!isBefore(this.#at(child), last)) break;
      heap[place] = this.#at(child);
      place = child;
    }
    heap[place] = last;
  }

  #earlierChild(place: number): number {
    const child = 2 * place + 1;
    return child + 1 < this.#heap.length && isBefore(this.#at(child + 1), this.#at(child)) ? child + 1 : child;
  }

  #at(place: number): Due {
    const due = this.#heap[place];
    assert(due !== undefined, 'a heap has no gap');
    return due;
  }
}
