/**
 * Daily counts on the order path, which never waits for SQL: taken in memory, added to the shared counts every few seconds. What a kill
 * loses is at most one interval; what another process adds is seen one interval later.
 */
import { DAY_MS } from './limits.ts';
import { tooMany } from './rates.ts';
import { Recent } from './recent.ts';
import type { Count, SharedCounts } from './shared-counts.ts';

interface DayCount {
  readonly count: Count;
  readonly day: number;
  /** By all processes, as of the last write. */
  shared: number;
  /** Taken here and not written yet. */
  pending: number;
}

/** Evicted entries lose nothing: what they count is in SQL, and the next write of the owner reads it again. */
const OWNERS_MAX = 16_384;
const FLUSH_MS = 5_000;
/** A database that does not answer keeps no program from stopping: what is not written by then is lost, as by a kill. */
const CLOSING_MS = 3_000;

export class DayCounts {
  readonly #shared: SharedCounts;
  readonly #now: () => number;
  readonly #days = new Recent<string, DayCount>(OWNERS_MAX);
  readonly #unwritten = new Set<DayCount>();
  readonly #timer: NodeJS.Timeout;
  #flushing: Promise<void> | undefined;
  /** Begins when the running one is done: however many ask, one is enough. */
  #next: Promise<void> | undefined;

  constructor(shared: SharedCounts, now: () => number) {
    this.#shared = shared;
    this.#now = now;
    this.#timer = setInterval(() => void this.flush(), FLUSH_MS).unref();
  }

  /** Counts `weight` calls of `owner`, or throws 429 until midnight UTC. */
  take(name: string, owner: string | number, most: number, weight: number): void {
    const now = this.#now();
    const entry = this.#of({ name, owner, most, perMs: DAY_MS }, Math.floor(now / DAY_MS));
    if (entry.shared + entry.pending + weight > most) throw tooMany(DAY_MS - (now % DAY_MS));
    entry.pending += weight;
    this.#unwritten.add(entry);
    // The first write of an owner reads what was counted before this process.
    if (entry.shared === 0) void this.flush();
  }

  /** Writes what was taken; what cannot be written is tried again at the next interval. */
  flush(): Promise<void> {
    if (this.#flushing === undefined) {
      this.#flushing = this.#write().finally(() => (this.#flushing = undefined));
      return this.#flushing;
    }
    this.#next ??= this.#flushing.then(() => {
      this.#next = undefined;
      return this.flush();
    });
    return this.#next;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.race([this.flush(), new Promise((resolve) => setTimeout(resolve, CLOSING_MS).unref())]);
  }

  #of(count: Count, day: number): DayCount {
    const key = `${count.name} ${count.owner}`;
    const entry = this.#days.get(key);
    if (entry !== undefined && entry.day === day) return entry;
    const fresh = { count, day, shared: 0, pending: 0 };
    this.#days.set(key, fresh);
    return fresh;
  }

  async #write(): Promise<void> {
    const today = Math.floor(this.#now() / DAY_MS);
    // What is taken meanwhile waits for the next interval.
    const due = [...this.#unwritten];
    for (const entry of due) {
      this.#unwritten.delete(entry);
      // Nothing is counted against a day that is over.
      if (entry.day !== today) continue;
      const { pending } = entry;
      try {
        entry.shared = await this.#shared.add(entry.count, pending);
        entry.pending -= pending;
        if (entry.pending > 0) this.#unwritten.add(entry);
      } catch {
        this.#unwritten.add(entry);
        return;
      }
    }
  }
}
