/** Virtual time: what is to happen, by when; between two happenings no time passes, however long the code takes. */
export interface Scheduled {
  readonly at: number;
  readonly order: number;
  act: (() => void) | undefined;
}

export class Timeline {
  /** Milliseconds since the simulation began. */
  #now = 0;
  #order = 0;
  readonly #heap: Scheduled[] = [];

  get now(): number {
    return this.#now;
  }

  get happened(): number {
    return this.#order;
  }

  /** The answer takes it back. */
  after(ms: number, act: () => void): () => void {
    this.#order += 1;
    const scheduled: Scheduled = { at: this.#now + Math.max(0, ms), order: this.#order, act };
    push(this.#heap, scheduled);
    return () => {
      scheduled.act = undefined;
    };
  }

  at(time: number, act: () => void): () => void {
    return this.after(time - this.#now, act);
  }

  /** Goes on until `time`, or until `isOver`: one happening at a time, and everything that follows from it by promises before the next. */
  async runUntil(time: number, isOver: () => boolean): Promise<void> {
    for (let next = this.#heap[0]; next !== undefined && next.at <= time; next = this.#heap[0]) {
      if (isOver()) return;
      pop(this.#heap);
      if (next.act === undefined) continue;
      this.#now = next.at;
      next.act();
      await settled();
    }
    this.#now = Math.max(this.#now, time);
    await settled();
  }
}

/** Resolves after all promises that can settle without further events, and after the event-loop turns scheduled before. */
function settled(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

const isBefore = (left: Scheduled, right: Scheduled): boolean => left.at < right.at || (left.at === right.at && left.order < right.order);

function push(heap: Scheduled[], scheduled: Scheduled): void {
  let place = heap.length;
  heap.push(scheduled);
  while (place > 0) {
    const above = (place - 1) >> 1;
    const parent = heap[above];
    if (parent === undefined || isBefore(parent, scheduled)) break;
    heap[place] = parent;
    place = above;
  }
  heap[place] = scheduled;
}

function pop(heap: Scheduled[]): void {
  const last = heap.pop();
  if (last === undefined || heap.length === 0) return;
  let place = 0;
  for (;;) {
    let below = 2 * place + 1;
    const right = heap[below + 1];
    let child = heap[below];
    if (child === undefined) break;
    if (right !== undefined && isBefore(right, child)) {
      below += 1;
      child = right;
    }
    if (isBefore(last, child)) break;
    heap[place] = child;
    place = below;
  }
  heap[place] = last;
}
