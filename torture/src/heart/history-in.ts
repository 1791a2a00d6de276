/** Everything that a folder's history holds, as the next start reads it. */
import { createEngine, decodeState } from '@orrery/engine';
import type { Applied } from '@orrery/protocol';
import { verifyFolder } from '@orrery/sequencer/verify';
import { seq } from '@orrery/units';
import { openPlayer } from './player.ts';

export interface HistoryInFolder {
  readonly applied: readonly Applied[];
  readonly stateHash: string;
  /** State hashes that the replay compared. */
  readonly checked: number;
}

/** @throws when the replay from the first command reaches another state than the start. */
export async function historyIn(directory: string): Promise<HistoryInFolder> {
  const { heart } = await openPlayer({ directory, commands: [] });
  const { seq: last, stateHash } = heart.status();
  const applied: Applied[] = [];
  const batches = heart.subscribe(seq(0))[Symbol.asyncIterator]();
  while (applied.length < last) applied.push(...((await batches.next()).value ?? []));
  await heart.stop();
  const { checked } = verifyFolder(directory, { createEngine, decodeState }, new Map([[last, stateHash]]));
  return { applied, stateHash, checked };
}
