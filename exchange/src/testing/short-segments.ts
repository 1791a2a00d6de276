/** For tests: a journal of many short segments, with snapshots. */
import { nodeDisk, openSequencer } from '@orrery/sequencer';
import { addressOf } from '@orrery/units';
import { ENGINES } from '../engines.ts';

export async function writeJournal(directory: string): Promise<void> {
  let now = 1_800_000_000_000;
  const heart = await openSequencer({
    directory,
    engines: ENGINES,
    disk: nodeDisk,
    clock: { wallMs: () => (now += 1), monotonicMs: () => (now += 1) },
    onFatal: (error) => {
      throw error;
    },
    log: () => undefined,
    limits: { segmentBytes: 4_096, reserveBytes: 4_096, snapshotEvery: 50, encodedBytesPerCommand: Infinity, minFreeRatio: 0 },
  });
  for (let person = 1; person <= 250; person += 1)
    await heart.submit({ type: 'OpenAccount', address: addressOf(`0x${String(person).padStart(40, '0')}`) });
  await heart.stop();
}
