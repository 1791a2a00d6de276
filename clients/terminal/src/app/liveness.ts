/** What may be called live: topic by topic, and the word that stands for all of them. */
import type { FeedStatus, TopicState } from '../platform/data/streams/streams.ts';
import type { Pulse } from '../platform/data/streams/pulse.ts';

export type Topic = 'calls' | 'stream' | 'book' | 'account';
/** `failed`: it could not even be started. */
export type Freshness = TopicState | 'failed';

export interface Liveness {
  /** `live` only when everything in use is fresh. */
  readonly overall: 'starting' | 'live' | 'partly' | 'offline';
  readonly topics: readonly (readonly [Topic, Freshness])[];
}

function streamOf(feed: FeedStatus | undefined): Freshness {
  if (feed === undefined) return 'idle';
  if (feed.phase === 'failed') return 'failed';
  return feed.phase === 'live' || feed.phase === 'paused' ? 'fresh' : 'waiting';
}

const CALLS = { starting: 'waiting', live: 'fresh', offline: 'waiting' } as const satisfies Record<Pulse['state'], Freshness>;

/** @param feed `undefined` while no page has needed it. */
export function livenessOf(calls: Pulse['state'], feed: FeedStatus | undefined): Liveness {
  const stream = streamOf(feed);
  // Behind a stream that is away nothing is fresh, whatever was heard of it last.
  const behind = (topic: TopicState | undefined): Freshness => (topic === 'fresh' && stream !== 'fresh' ? 'waiting' : (topic ?? 'idle'));
  const topics = [
    ['calls', CALLS[calls]],
    ['stream', stream],
    ['book', behind(feed?.book)],
    ['account', behind(feed?.account)],
  ] as const;
  if (calls !== 'live') return { overall: calls, topics };
  const isAllFresh = topics.every(([, freshness]) => freshness === 'fresh' || freshness === 'idle');
  return { overall: isAllFresh ? 'live' : 'partly', topics };
}
