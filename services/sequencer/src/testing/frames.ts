/** For tests: frames of commands that open accounts, each in the chain behind another. */
import { millis, seq } from '@orrery/units';
import { NO_FRAME } from '../frame.ts';
import { Group } from '../group.ts';
import { lastSeqOf, type StoredFrame, storedFrame, type StoredLink } from '../store.ts';
import { personAddress } from './fake-engine.ts';

export interface FrameTerms {
  readonly epoch: number;
  /** Who the commands open accounts for: frames of different persons differ. */
  readonly persons: readonly number[];
}

/** @param after the frame before; undefined at the beginning */
export function frameAfter(after: StoredLink | undefined, { epoch, persons }: FrameTerms): StoredFrame {
  const firstSeq = after === undefined ? 1 : lastSeqOf(after) + 1;
  const group = new Group();
  group.reset(firstSeq);
  for (const [index, person] of persons.entries()) {
    const command = { type: 'OpenAccount', address: personAddress(person) } as const;
    const at = millis(1_700_000_000_000 + firstSeq + index);
    group.write(at, command);
    group.add({ seq: seq(firstSeq + index), at, command, events: [] }, undefined);
  }
  return storedFrame(group.seal({ epoch, previous: after?.hash ?? NO_FRAME }).slice());
}
