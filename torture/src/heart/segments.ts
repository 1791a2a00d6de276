/** The files of a journal as an experiment damages them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { frameAt, SEGMENT_HEADER_SIZE, type Frame } from '../../../services/sequencer/src/frame.ts';

export interface SegmentFile {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly frames: readonly Frame[];
}

/** In the order of history. */
export function readSegments(directory: string): readonly SegmentFile[] {
  return readdirSync(join(directory, 'journal'))
    .filter((name) => name.endsWith('.segment'))
    .toSorted()
    .map((name) => {
      const path = join(directory, 'journal', name);
      const bytes = readFileSync(path);
      return { path, bytes, frames: framesOf(bytes) };
    });
}

function framesOf(bytes: Uint8Array): readonly Frame[] {
  const frames: Frame[] = [];
  for (let frame = frameAt(bytes, SEGMENT_HEADER_SIZE); frame !== undefined; frame = frameAt(bytes, frame.end)) frames.push(frame);
  return frames;
}

export const lastSeqOf = ({ firstSeq, commands }: Frame): number => firstSeq + commands - 1;
