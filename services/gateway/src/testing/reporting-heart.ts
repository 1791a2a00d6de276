/** For tests: a heart whose facts are given, so that a gateway can be tried on what an engine says without one. Commands are kept and answered as given. */
import type { Applied, Command, Event, Heart, HeartStatus, Receipt, View } from '@orrery/protocol';
import { millis, seq, type Seq } from '@orrery/units';

type Answer = (command: Command) => readonly Event[];

export class ReportingHeart implements Heart {
  /** What was submitted. */
  readonly commands: Command[] = [];
  /** What the next commands result in. */
  answer: Answer = () => [];
  readonly #facts: readonly Event[];
  readonly #now: () => number;
  readonly #tails = new Set<(applied: Applied | undefined) => void>();
  #seq: Seq = seq(1);

  constructor(facts: readonly Event[], now: () => number) {
    this.#facts = facts;
    this.#now = now;
  }

  /** These events are facts from now on, of one command. */
  report(...events: Event[]): Receipt {
    return this.#happen({ type: 'RunTimers' }, events);
  }

  #happen(command: Command, events: readonly Event[]): Receipt {
    this.#seq = seq(this.#seq + 1);
    const applied = { seq: this.#seq, at: millis(this.#now()), command, events };
    for (const give of this.#tails) give(applied);
    return applied;
  }

  async submit(command: Command): Promise<Receipt> {
    this.commands.push(command);
    return this.#happen(command, this.answer(command));
  }

  open(): View {
    const tail = this.#follow();
    return { seq: this.#seq, facts: this.#facts, tail: tail.batches, close: tail.end };
  }

  async *subscribe(): AsyncGenerator<readonly Applied[]> {
    yield* this.#follow().batches;
  }

  status(): HeartStatus {
    return { seq: this.#seq, at: millis(this.#now()), stateHash: '', stateHashSeq: this.#seq, clockAheadMs: 0 };
  }

  end(): Promise<Seq> {
    return Promise.resolve(this.#seq);
  }

  stop(): void {
    for (const give of this.#tails) give(undefined);
  }

  #follow(): { batches: AsyncIterable<readonly Applied[]>; end: () => void } {
    const waiting: (Applied | undefined)[] = [];
    let bell = Promise.withResolvers<void>();
    const give = (applied: Applied | undefined): void => {
      waiting.push(applied);
      bell.resolve();
    };
    this.#tails.add(give);
    async function* batches(): AsyncGenerator<readonly Applied[]> {
      for (;;) {
        await bell.promise;
        bell = Promise.withResolvers();
        const all = waiting.splice(0);
        const reported = all.filter((applied) => applied !== undefined);
        if (reported.length > 0) yield reported;
        if (reported.length < all.length) return;
      }
    }
    return { batches: batches(), end: () => give(undefined) };
  }
}
