/** Streams of orders as bytes of the journal, and what it takes to put them through the whole engine: decode, apply, encode every event. */
import { createEngine, type Engine } from '@orrery/engine';
import { assert, marketId, millis, seq } from '@orrery/units';
import type { Command } from '@orrery/protocol';
import { encodeCommand, Reader, readCommand, writeEvent, Writer } from '@orrery/protocol';
import { bookHash, type RestingLevel } from '../book/hash.ts';

/** A day in 2026: times are as large as they are in production. */
const START = 1_790_000_000_000;

export interface OrderStream {
  /** Assets, markets, accounts and their money, and the orders that rest at the start. */
  readonly prelude: readonly Command[];
  readonly orders: Packed;
}

/** Commands one behind the other in one array of bytes. */
export interface Packed {
  readonly bytes: Uint8Array;
  readonly count: number;
}

export function pack(commands: Iterable<Command>): Packed {
  const writer = new Writer(1 << 20);
  let count = 0;
  for (const command of commands) {
    writer.raw(encodeCommand(command));
    count += 1;
  }
  return { bytes: writer.take(), count };
}

/** An engine after its prelude, to which packed orders are given part by part. */
export class Feed {
  readonly engine: Engine = createEngine();
  readonly #writer = new Writer();
  #seq = 0;
  rejected = 0;
  trades = 0;

  constructor({ prelude }: { readonly prelude: Iterable<Command> }) {
    for (const command of prelude) {
      this.#seq += 1;
      const [first] = this.engine.apply({ seq: seq(this.#seq), at: millis(START), command });
      assert(first?.type !== 'CommandRejected', 'the prelude is accepted');
    }
  }

  /** Decodes commands, applies them with all assertions, and encodes every event. */
  take({ bytes, count }: Packed): void {
    this.takeFrom(new Reader(bytes), count);
  }

  /** The next `count` commands of a reader. */
  takeFrom(reader: Reader, count: number): void {
    const writer = this.#writer;
    for (let taken = 0; taken < count; taken += 1) {
      const command = readCommand(reader);
      this.#seq += 1;
      const events = this.engine.apply({ seq: seq(this.#seq), at: millis(START + this.#seq), command });
      writer.clear();
      for (const event of events) {
        writeEvent(writer, event);
        if (event.type === 'Trade') this.trades += 1;
        else if (event.type === 'CommandRejected') this.rejected += 1;
      }
    }
  }

  /** The fingerprint of the first market's book. */
  bookHash(): string {
    const levels = new Map<number, { side: 0 | 1; price: number; orders: { id: number; size: number }[] }>();
    for (const fact of this.engine.facts()) {
      if (fact.type !== 'OrderRested' || fact.market !== marketId(1)) continue;
      const level = levels.get(fact.price) ?? { side: fact.side === 'buy' ? 0 : 1, price: fact.price, orders: [] };
      level.orders.push({ id: fact.orderId, size: fact.remaining });
      levels.set(fact.price, level);
    }
    return bookHash([...levels.values()] satisfies RestingLevel[]);
  }
}
