/** A heart whose history is given: for facts that are easier to say than to bring about. */
import type { Applied, Event, Heart } from '@orrery/protocol';
import { millis, seq } from '@orrery/units';

const LISTED: ReadonlySet<Event['type']> = new Set(['AssetRegistered', 'MarketRegistered', 'ContractRegistered'] as const);

export function finishedHeart(history: readonly Applied[]): Heart {
  const last = seq(history.length);
  return {
    submit: () => Promise.reject(new Error('this history is over')),
    open: () => ({
      seq: last,
      facts: history.flatMap(({ events }) => events.filter(({ type }) => LISTED.has(type))),
      tail: (async function* () {})(),
      close: () => undefined,
    }),
    status: () => ({ seq: last, at: history.at(-1)?.at ?? millis(0), stateHash: '', stateHashSeq: last, clockAheadMs: 0 }),
    end: () => Promise.resolve(last),
    async *subscribe(after) {
      yield history.slice(after);
      // As a live history does, it waits for more.
      await new Promise(() => undefined);
    },
  };
}
