/** The frames of a folder as a shared journal keeps them. */
import type { Disk } from './disk.ts';
import { HistoryDamaged } from './damage.ts';
import { decodeSegmentHeader, type Frame, frameAt } from './frame.ts';
import { listSegments, segmentBytes } from './segments.ts';
import { type StoredFrame, storedFrame } from './store.ts';

/**
 * Every whole frame that begins after the command `after`.
 * @throws HistoryDamaged when a segment is of format 1, whose frames carry no hashes
 */
export function* framesOfFolder(disk: Disk, journal: string, after = 0): Generator<StoredFrame, void> {
  const segments = listSegments(disk, journal);
  for (const [index, segment] of segments.entries()) {
    const { path, firstSeq } = segment;
    const next = segments[index + 1]?.firstSeq ?? Number.POSITIVE_INFINITY;
    if (next <= after + 1) continue;
    const bytes = segmentBytes(disk, segment);
    const header = decodeSegmentHeader(bytes);
    if ('fault' in header) continue;
    if (header.version === 1) throw new HistoryDamaged({ file: path, offset: 0, reason: 'its frames are of format 1 and carry no hashes' });
    let expected = firstSeq;
    for (let frame = frameHere(bytes, header.size, expected); frame !== undefined; frame = frameHere(bytes, frame.end, expected)) {
      if (frame.firstSeq > after) yield storedFrame(bytes.subarray(frame.offset, frame.end));
      expected = frame.firstSeq + frame.commands;
    }
  }
}

function frameHere(bytes: Uint8Array, offset: number, firstSeq: number): Frame | undefined {
  const frame = frameAt(bytes, offset);
  return frame?.firstSeq === firstSeq ? frame : undefined;
}
