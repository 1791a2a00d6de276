/** The heart of this program: the sequencer on its folder, with the production engine, disk and clock. */
import { join } from 'node:path';
import type { Engine } from '@orrery/engine';
import type { Command } from '@orrery/protocol';
import {
  copiedHistory,
  FolderInUse,
  FolderIsJournal,
  type GroupTimes,
  HistoryDamaged,
  nodeDisk,
  openSequencer,
  ReplayDiffers,
  type Sequencer,
  type SequencerOptions,
} from '@orrery/sequencer';
import { ENGINES } from './engines.ts';
import { DurableSeq } from './history/durable-seq.ts';
import { openShared, type SharedHeart } from './journal/open-shared.ts';
import { StartError } from './start-error.ts';
import type { Surroundings } from './surroundings.ts';
import { upgradeOf } from './upgrade-of-rules.ts';

/** Where the history of commands lies inside a data folder. */
export const historyDirectory = (dataDirectory: string): string => join(dataDirectory, 'history');

export interface StartedHeart {
  readonly heart: Sequencer;
  readonly durableSeq: DurableSeq;
  /** Standbys of the PostgreSQL of the journal that have what is durable; undefined where the journal is in a folder, or nobody knows. */
  readonly standbys: () => number | undefined;
}

interface StartHeartOptions {
  /** Commands of every opening; none where history is only read. */
  readonly opening?: (engine: Engine) => readonly Command[];
  /** Measures each group of commands. */
  readonly onGroup?: ((times: GroupTimes) => void) | undefined;
  /** One line for each step. */
  readonly say?: (line: string) => void;
  /** For readers in other threads; without it one of its own. */
  readonly durableSeq?: DurableSeq;
}

/**
 * Where the journal is shared, the start waits here until this process leads.
 * @throws StartError when the folder is in use, can not be used, or its history can not be trusted; or the journal in PostgreSQL can not be used
 */
export async function startHeart(
  surroundings: Surroundings,
  { opening = () => [], onGroup, say = () => undefined, durableSeq = new DurableSeq() }: StartHeartOptions = {},
): Promise<StartedHeart> {
  const { config, closing, log, onFatal, traces } = surroundings;
  const measures = [onGroup, traces?.onGroup].filter((each) => each !== undefined);
  try {
    const options: SequencerOptions = {
      directory: historyDirectory(config.dataDirectory),
      engines: ENGINES,
      disk: nodeDisk,
      clock: { wallMs: Date.now, monotonicMs: () => performance.now() },
      onFatal,
      provedBy: 'follower',
      opening,
      onDurable: (seq) => durableSeq.report(seq),
      ...(measures.length > 0 && { onGroup: (times) => measures.forEach((each) => each(times)) }),
      log: (line) => log.info({ part: 'sequencer' }, line),
      accepts: config.accepts,
      limits: { minFreeRatio: config.minFreeDiskPercent / 100 },
    };
    const { heart, standbys } = await open(options, surroundings, say);
    closing.add({ name: 'the journal', stop: () => heart.stop() });
    durableSeq.report(heart.status().seq);
    return { heart, durableSeq, standbys };
  } catch (cause) {
    if (
      cause instanceof FolderInUse ||
      cause instanceof FolderIsJournal ||
      cause instanceof HistoryDamaged ||
      cause instanceof ReplayDiffers
    ) {
      throw new StartError(cause.message, { cause });
    }
    throw cause;
  }
}

async function open(options: SequencerOptions, surroundings: Surroundings, say: (line: string) => void): Promise<SharedHeart> {
  const { journal: url = 'file', journalWithoutStandby: withoutStandby } = surroundings.config;
  if (url !== 'file') return openShared(options, { url, withoutStandby }, surroundings, say);
  if (copiedHistory(options.disk, options.directory) !== undefined)
    throw new StartError(`${options.directory} is a copy of a journal in PostgreSQL: name that by ORRERY_JOURNAL, or another data folder`);
  return { heart: await openSequencer(options), standbys: () => undefined };
}

/** X4: the prices of before the start count as stale, so that nothing is liquidated before three fresh rounds. */
export const resetPrices = (engine: Engine): readonly Command[] =>
  engine.facts().some(({ type }) => type === 'ContractRegistered') ? [{ type: 'ResetPrices' }] : [];

/**
 * Of a heart in a process of its own: once it leads, all who read what it writes have been replaced by its version, or by a later one. What is left of an earlier one does not know the rules,
 * and ends.
 */
export const openingAlone = (engine: Engine): readonly Command[] => [...upgradeOf(engine.facts()), ...resetPrices(engine)];
