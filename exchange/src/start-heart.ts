/** The heart of this program: the sequencer on its folder, with the production engine, disk and clock. */
import { join } from 'node:path';
import { createEngine, decodeState } from '@orrery/engine';
import type { HeartError } from '@orrery/protocol';
import { FolderInUse, HistoryDamaged, nodeDisk, openSequencer, ReplayDiffers, type Sequencer } from '@orrery/sequencer';
import { StartError } from './start-error.ts';

export interface HeartOptions {
  readonly dataDirectory: string;
  readonly onFatal: (error: HeartError) => void;
  readonly log: (line: string) => void;
}

export const ENGINES = { createEngine, decodeState };

/** Where the history of commands lies inside a data folder. */
export const historyDirectory = (dataDirectory: string): string => join(dataDirectory, 'history');

/** @throws StartError when the folder is in use, can not be used, or its history can not be trusted. */
export async function startHeart({ dataDirectory, onFatal, log }: HeartOptions): Promise<Sequencer> {
  try {
    return await openSequencer({
      directory: historyDirectory(dataDirectory),
      engines: ENGINES,
      disk: nodeDisk,
      clock: { wallMs: Date.now, monotonicMs: () => performance.now() },
      onFatal,
      log,
    });
  } catch (cause) {
    if (cause instanceof FolderInUse || cause instanceof HistoryDamaged || cause instanceof ReplayDiffers) {
      throw new StartError(cause.message, { cause });
    }
    throw cause;
  }
}
