/** A reader's share of history, gathered while the reader works: however slowly it writes, it does not fall behind what lies in memory. */
import type { Applied, Event } from '@orrery/protocol';
import type { Seq } from '@orrery/units';
import type { Moment } from './fold.ts';

/** How a reader gathers its share. */
export interface Gathering<Piece> {
  /** A piece in which nothing is gathered yet. */
  readonly begin: () => Piece;
  /** Takes what it wants of a command's events. */
  readonly take: (piece: Piece, applied: Applied) => void;
}

export interface Gathered<Piece> {
  readonly piece: Piece;
  /** Everything up to this command is in the pieces so far. */
  readonly last: Seq;
}

/** All of history in order, in as many pieces as the reader takes. Ends with history, or when the reader returns. */
export async function* gather<Piece>(
  history: AsyncIterable<readonly Applied[]>,
  { begin, take }: Gathering<Piece>,
): AsyncGenerator<Gathered<Piece>, void> {
  const commands = history[Symbol.asyncIterator]();
  let bell = Promise.withResolvers<void>();
  let piece = begin();
  let last: Seq | undefined;
  let isOver = false;
  const gathering = (async () => {
    for (let next = await commands.next(); next.done !== true; next = await commands.next()) {
      for (const applied of next.value) {
        take(piece, applied);
        last = applied.seq;
      }
      bell.resolve();
    }
  })();
  const end = (): void => {
    isOver = true;
    bell.resolve();
  };
  gathering.then(end, end);
  try {
    for (let isLast = false; !isLast;) {
      await bell.promise;
      bell = Promise.withResolvers();
      isLast = isOver;
      // A failure is thrown where the reader waits next.
      if (isLast) await gathering;
      if (last === undefined) continue;
      const gathered = { piece, last };
      piece = begin();
      last = undefined;
      yield gathered;
    }
  } finally {
    // It may be waiting for a command that never comes: it is stopped, and not awaited.
    void commands.return?.();
  }
}

/** An event as it was emitted. */
export interface Emitted<Wanted extends Event> {
  readonly event: Wanted;
  readonly moment: Moment;
}

/** What a reader wants of history. */
export interface Sieve<Wanted extends Event> {
  /** Asked first: what came of any other command is not looked at. */
  readonly isNear?: (applied: Applied) => boolean;
  readonly isWanted: (event: Event, moment: Moment) => event is Wanted;
}

/** Gathers the wanted events, in order. */
export function sifted<Wanted extends Event>({ isNear = () => true, isWanted }: Sieve<Wanted>): Gathering<Emitted<Wanted>[]> {
  return {
    begin: () => [],
    take: (emitted, applied) => {
      if (!isNear(applied)) return;
      const { seq, at } = applied;
      for (const event of applied.events) if (isWanted(event, applied)) emitted.push({ event, moment: { seq, at } });
    },
  };
}
