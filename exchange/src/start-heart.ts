/** The heart of this program: the sequencer on its folder, with the production engine, disk and clock. */
import { join } from 'node:path';
import type { Engine } from '@orrery/engine';
import type { Command } from '@orrery/protocol';
import { FolderInUse, type GroupTimes, HistoryDamaged, nodeDisk, openSequencer, ReplayDiffers, type Sequencer } from '@orrery/sequencer';
import { ENGINES } from './engines.ts';
import { DurableSeq } from './history/durable-seq.ts';
import { StartError } from './start-error.ts';
import type { Surroundings } from './surroundings.ts';

/** Where the history of commands lies inside a data folder. */
export const historyDirectory = (dataDirectory: string): string => join(dataDirectory, 'history');

export interface StartedHeart {
  readonly heart: Sequencer;
  readonly durableSeq: DurableSeq;
}

/**
 * @param opening commands of every opening; none where history is only read
 * @param onGroup measures each group of commands
 * @throws StartError when the folder is in use, can not be used, or its history can not be trusted.
 */
export async function startHeart(
  { config, closing, log, onFatal }: Surroundings,
  opening: (engine: Engine) => readonly Command[] = () => [],
  onGroup?: (times: GroupTimes) => void,
): Promise<StartedHeart> {
  const durableSeq = new DurableSeq();
  try {
    const heart = await openSequencer({
      directory: historyDirectory(config.dataDirectory),
      engines: ENGINES,
      disk: nodeDisk,
      clock: { wallMs: Date.now, monotonicMs: () => performance.now() },
      onFatal,
      provedBy: 'follower',
      opening,
      onDurable: (seq) => durableSeq.report(seq),
      ...(onGroup !== undefined && { onGroup }),
      log: (line) => log.info({ part: 'sequencer' }, line),
      limits: { minFreeRatio: config.minFreeDiskPercent / 100 },
    });
    closing.add({ name: 'the journal', stop: () => heart.stop() });
    durableSeq.report(heart.status().seq);
    return { heart, durableSeq };
  } catch (cause) {
    if (cause instanceof FolderInUse || cause instanceof HistoryDamaged || cause instanceof ReplayDiffers) {
      throw new StartError(cause.message, { cause });
    }
    throw cause;
  }
}

/** X4: the prices of before the start count as stale, so that nothing is liquidated before three fresh rounds. */
export const resetPrices = (engine: Engine): readonly Command[] =>
  engine.facts().some(({ type }) => type === 'ContractRegistered') ? [{ type: 'ResetPrices' }] : [];
