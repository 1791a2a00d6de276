/** The heart of a process that does not lead: a replica on the folder of history, and the way to the heart that does. */
import { setTimeout as pause } from 'node:timers/promises';
import { nodeDisk, Replica } from '@orrery/sequencer';
import { ENGINES } from '../engines.ts';
import { followShared } from '../journal/open-shared.ts';
import { DurableSeq } from '../history/durable-seq.ts';
import type { ProgramHeart } from '../program-heart.ts';
import { StartError } from '../start-error.ts';
import { historyDirectory } from '../start-heart.ts';
import { troubleOf, type Surroundings } from '../surroundings.ts';
import { HeardEnd } from './heard-end.ts';
import { HeartLink } from './heart-link.ts';
import { openConnection } from './open-connection.ts';

/** What starts the processes starts this one again. */
const FOUND_MS = 60_000;

export interface FollowedHeart {
  readonly heart: ProgramHeart;
  readonly durableSeq: DurableSeq;
}

/** Resolves when everything is followed that was durable. @throws StartError when NATS does not answer, or no heart leads */
export async function followHeart(surroundings: Surroundings): Promise<FollowedHeart> {
  const { config, closing, log, onFatal, traces } = surroundings;
  const { connection, prefix } = await openConnection(surroundings);
  const { journal = 'file', journalWithoutStandby: withoutStandby, dataDirectory } = config;
  const directory = historyDirectory(dataDirectory);
  const heard = new HeardEnd();
  // The folder is that of the heart which leads, or a copy of the journal that it shares.
  const end = journal === 'file' ? heard : await followShared(directory, { url: journal, withoutStandby }, surroundings);
  const link = new HeartLink({
    connection,
    prefix,
    end: heard,
    traces,
    monotonicMs: () => performance.now(),
    onTrouble: troubleOf(surroundings, 'heart link'),
  });
  closing.add({ name: 'the link to the heart', stop: () => link.stop() });
  const isFound = await Promise.race([link.found.then(() => true), pause(FOUND_MS, false, { ref: false })]);
  if (!isFound) throw new StartError(`No heart is heard at ORRERY_EVENTS for ${FOUND_MS / 1_000} s: start one with ORRERY_ROLE=heart.`);
  const durableSeq = new DurableSeq();
  const heart = await Replica.open({
    directory,
    disk: nodeDisk,
    engines: ENGINES,
    end,
    link,
    onFatal,
    onDurable: (seq) => durableSeq.report(seq),
    log: (line) => log.info({ part: 'replica' }, line),
  });
  closing.add({ name: 'the replica', stop: () => heart.stop() });
  durableSeq.report(heart.seq);
  return { heart, durableSeq };
}
