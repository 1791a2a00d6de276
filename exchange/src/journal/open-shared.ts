/** The heart on a journal in PostgreSQL: it follows while another process leads, and then the start of the program goes on. */
import { openReplicated, type Sequencer, type SequencerOptions, StoreLost } from '@orrery/sequencer';
import { StartError } from '../start-error.ts';
import type { Surroundings } from '../surroundings.ts';
import { urlsOf } from './hosts.ts';
import { JournalBroken, PostgresStore } from './postgres-store.ts';
import type { WithoutStandby } from './standby-watch.ts';

export interface SharedJournalSettings {
  readonly url: string;
  readonly withoutStandby: WithoutStandby;
}

export interface SharedHeart {
  readonly heart: Sequencer;
  /** Standbys that have each frame before it counts as durable; undefined while nobody knows. */
  readonly standbys: () => number | undefined;
}

/** Resolves when this process leads. @throws StartError when the store does not answer, or its history is not that of the folder */
export async function openShared(
  options: SequencerOptions,
  { url, withoutStandby }: SharedJournalSettings,
  { closing, log, onFatal }: Pick<Surroundings, 'closing' | 'log' | 'onFatal'>,
  say: (line: string) => void,
): Promise<SharedHeart> {
  const store = await PostgresStore.open({
    urls: urlsOf(url),
    withoutStandby,
    onNoStandby: onFatal,
    log: (line) => log.warn({ part: 'journal' }, line),
  }).catch(reportLost);
  const waiting = new AbortController();
  closing.add({ name: 'the connections to the journal', stop: () => store.close() });
  closing.add({ name: 'the wait for the journal', stop: () => waiting.abort(new StartError('stopping')) });
  const heart = await openReplicated({
    ...options,
    store,
    signal: waiting.signal,
    onFollowing: () => say('following the journal; another process leads'),
    onLeading: (epoch, ms) => say(`leading the journal with epoch ${epoch}, taken in ${ms.toFixed(0)} ms`),
  }).catch(reportLost);
  return { heart, standbys: () => store.standbys() };
}

function reportLost(cause: unknown): never {
  if (cause instanceof StoreLost) throw new StartError(`The PostgreSQL of ORRERY_JOURNAL does not answer: ${cause.message}.`, { cause });
  if (cause instanceof JournalBroken) throw new StartError(cause.message, { cause });
  throw cause;
}
