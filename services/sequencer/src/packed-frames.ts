/** Neighbouring frames of a shared journal as one segment, so that they can be packed as the segments of a folder are. */
import { assert } from '@orrery/units';
import { decodeSegmentHeader, encodeSegmentHeader, frameAt } from './frame.ts';
import { unpackSegment } from './packed-segment.ts';
import { type StoredFrame, storedFrame } from './store.ts';

/** @param frames each follows the one before; at least one */
export function segmentOf(frames: readonly StoredFrame[]): Uint8Array {
  const [first] = frames;
  assert(first !== undefined, 'a segment has a frame');
  return Buffer.concat([encodeSegmentHeader(first.firstSeq, first), ...frames.map(({ bytes }) => bytes)]);
}

/** @throws Error with a clause when these bytes do not lead to the segment that was packed */
export function framesOfPacked(packed: Uint8Array): readonly StoredFrame[] {
  const segment = unpackSegment(packed);
  const header = decodeSegmentHeader(segment);
  if ('fault' in header) throw new Error(header.fault);
  const frames: StoredFrame[] = [];
  for (let frame = frameAt(segment, header.size); frame !== undefined; frame = frameAt(segment, frame.end))
    frames.push(storedFrame(segment.subarray(frame.offset, frame.end)));
  return frames;
}
