/** The heart of this program: the sequencer on its folder, with the production engine, disk and clock. */
import { join } from 'node:path';
import { createEngine, decodeState } from '@orrery/engine';
import { FolderInUse, HistoryDamaged, nodeDisk, openSequencer, ReplayDiffers, type Sequencer } from '@orrery/sequencer';
import { StartError } from './start-error.ts';
import type { Surroundings } from './surroundings.ts';

export const ENGINES = { createEngine, decodeState };

/** Where the history of commands lies inside a data folder. */
export const historyDirectory = (dataDirectory: string): string => join(dataDirectory, 'history');

/** @throws StartError when the folder is in use, can not be used, or its history can not be trusted. */
export async function startHeart({ config, closing, log, onFatal }: Surroundings): Promise<Sequencer> {
  try {
    const heart = await openSequencer({
      directory: historyDirectory(config.dataDirectory),
      engines: ENGINES,
      disk: nodeDisk,
      clock: { wallMs: Date.now, monotonicMs: () => performance.now() },
      onFatal,
      log: (line) => log.info({ part: 'sequencer' }, line),
      limits: { minFreeRatio: config.minFreeDiskPercent / 100 },
    });
    closing.add({ name: 'the journal', stop: () => heart.stop() });
    return heart;
  } catch (cause) {
    if (cause instanceof FolderInUse || cause instanceof HistoryDamaged || cause instanceof ReplayDiffers) {
      throw new StartError(cause.message, { cause });
    }
    throw cause;
  }
}
