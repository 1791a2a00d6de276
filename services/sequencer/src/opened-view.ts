/** A view whose readers hold it as long as they live: the facts are let go when its tail is first read. */
import type { Applied, Event, View } from '@orrery/protocol';
import { assert, type Seq } from '@orrery/units';

export interface ViewParts {
  readonly seq: Seq;
  readonly facts: readonly Event[];
  readonly tail: AsyncIterable<readonly Applied[]>;
  readonly close: () => void;
}

export class OpenedView implements View {
  readonly seq: Seq;
  readonly tail: AsyncIterable<readonly Applied[]>;
  readonly close: () => void;
  #facts: readonly Event[] | undefined;

  constructor({ seq, facts, tail, close }: ViewParts) {
    this.seq = seq;
    this.#facts = facts;
    this.close = close;
    this.tail = {
      [Symbol.asyncIterator]: () => {
        this.#facts = undefined;
        return tail[Symbol.asyncIterator]();
      },
    };
  }

  /** All of the state as objects, as many as there are accounts, balances and orders: to be read before the tail. */
  get facts(): readonly Event[] {
    assert(this.#facts !== undefined, 'the facts of a view are read before its tail');
    return this.#facts;
  }
}
