/** The heart on a journal in PostgreSQL: it follows while another process leads, and then the start of the program goes on. */
import { MirrorFollower, nodeDisk, openReplicated, type Sequencer, type SequencerOptions, StoreLost } from '@orrery/sequencer';
import { StartError } from '../start-error.ts';
import { asError, type Surroundings } from '../surroundings.ts';
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

type Ground = Pick<Surroundings, 'closing' | 'log' | 'onFatal'>;

/** Resolves when this process leads. @throws StartError when the store does not answer, or its history is not that of the folder */
export async function openShared(
  options: SequencerOptions,
  settings: SharedJournalSettings,
  ground: Ground,
  say: (line: string) => void,
): Promise<SharedHeart> {
  const store = await openClosed(settings, ground);
  const waiting = new AbortController();
  ground.closing.add({ name: 'the wait for the journal', stop: () => waiting.abort(new StartError('stopping')) });
  const heart = await openReplicated({
    ...options,
    store,
    signal: waiting.signal,
    onFollowing: () => say('following the journal; another process leads'),
    onLeading: (epoch, ms) => say(`leading the journal with epoch ${epoch}, taken in ${ms.toFixed(0)} ms`),
  }).catch(reportLost);
  return { heart, standbys: () => store.standbys() };
}

/**
 * Copies the journal into the folder `directory` for a process that does not lead it, and goes on doing so.
 * @throws StartError when the store does not answer, or its history is not that of the folder
 */
export async function followShared(directory: string, settings: SharedJournalSettings, ground: Ground): Promise<MirrorFollower> {
  const store = await openClosed(settings, ground);
  const follower = await MirrorFollower.open({
    store,
    directory,
    disk: nodeDisk,
    log: (line) => ground.log.info({ part: 'journal' }, line),
    onFailed: (cause) => ground.onFatal(asError(cause)),
  }).catch(reportLost);
  ground.closing.add({ name: 'the copy of the journal', stop: () => follower.stop() });
  return follower;
}

async function openClosed(settings: SharedJournalSettings, ground: Ground): Promise<PostgresStore> {
  const store = await openStore(settings, ground);
  ground.closing.add({ name: 'the connections to the journal', stop: () => store.close() });
  return store;
}

/** The caller closes it. @throws StartError when the store does not answer */
export async function openStore({ url, withoutStandby }: SharedJournalSettings, { log, onFatal }: Ground): Promise<PostgresStore> {
  return PostgresStore.open({
    urls: urlsOf(url),
    withoutStandby,
    onNoStandby: onFatal,
    log: (line) => log.warn({ part: 'journal' }, line),
  }).catch(reportLost);
}

function reportLost(cause: unknown): never {
  if (cause instanceof StoreLost) throw new StartError(`The PostgreSQL of ORRERY_JOURNAL does not answer: ${cause.message}.`, { cause });
  if (cause instanceof JournalBroken) throw new StartError(cause.message, { cause });
  throw cause;
}
