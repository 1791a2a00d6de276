/** A reader's share of history, gathered while the reader works: however slowly it writes, it does not fall behind what lies in memory. */
import type { Applied, Event } from '@orrery/protocol';
import type { Seq } from '@orrery/units';
import type { Moment } from './fold.ts';

export interface Sifted<Wanted extends Event> {
  readonly told: readonly { readonly event: Wanted; readonly moment: Moment }[];
  /** Everything up to this command is in what was told. */
  readonly last: Seq;
}

/** What a reader wants of history. */
export interface Sieve<Wanted extends Event> {
  /** Asked first: what came of any other command is not looked at. */
  readonly isNear?: (applied: Applied) => boolean;
  readonly isWanted: (event: Event, moment: Moment) => event is Wanted;
}

/** The wanted events in order, in as many pieces as the reader takes. Ends with history, or when the reader returns. */
export async function* sift<Wanted extends Event>(
  history: AsyncIterable<readonly Applied[]>,
  { isNear = () => true, isWanted }: Sieve<Wanted>,
): AsyncGenerator<Sifted<Wanted>, void> {
  const commands = history[Symbol.asyncIterator]();
  let bell = Promise.withResolvers<void>();
  let told: { event: Wanted; moment: Moment }[] = [];
  let last: Seq | undefined;
  const gathering = (async () => {
    for (let next = await commands.next(); next.done !== true; next = await commands.next()) {
      for (const applied of next.value) {
        const { seq, at } = applied;
        if (isNear(applied)) for (const event of applied.events) if (isWanted(event, applied)) told.push({ event, moment: { seq, at } });
        last = seq;
      }
      bell.resolve();
    }
  })();
  const ended = gathering.then(() => 'ended' as const);
  // A failure is thrown where the reader waits next.
  ended.catch(() => undefined);
  try {
    for (let state: 'ended' | undefined; state === undefined;) {
      state = await Promise.race([bell.promise.then(() => undefined), ended]);
      bell = Promise.withResolvers();
      if (last === undefined) continue;
      const piece = { told, last };
      told = [];
      last = undefined;
      yield piece;
    }
  } finally {
    // It may be waiting for a next command that never comes: it is told, and not waited for.
    void commands.return?.();
  }
}
