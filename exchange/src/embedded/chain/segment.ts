/** The files of the chain's log: which there are, and what they hold. They are read as streams: a file of any size can be replayed. */
import { createReadStream, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from '../../start-error.ts';

export interface Segment {
  /** The block of the snapshot after which it begins. */
  readonly after: number;
  /** Counts from 0 among the segments after the same snapshot. */
  readonly part: number;
}

export interface SegmentEnd {
  readonly segment: Segment;
  /** Bytes up to the end of the last whole line. */
  readonly length: number;
}

const SEGMENT = /^after-(\d{12})(?:-(\d{4}))?\.log$/;
const CHUNK_BYTES = 1024 * 1024;
/** More than any line has: what is longer is damage. */
const LINE_BYTES_MAX = 1024 * 1024;
const NEWLINE = 0x0a;

export function segmentName({ after, part }: Segment): string {
  const suffix = part === 0 ? '' : `-${String(part).padStart(4, '0')}`;
  return `after-${String(after).padStart(12, '0')}${suffix}.log`;
}

/** Oldest first. */
export function segmentsIn(directory: string): readonly Segment[] {
  return readdirSync(directory)
    .flatMap((name) => {
      const [, after, part = '0'] = SEGMENT.exec(name) ?? [];
      return after === undefined ? [] : [{ after: Number(after), part: Number(part) }];
    })
    .sort((a, b) => a.after - b.after || a.part - b.part);
}

/**
 * Hands what each whole line holds to `consume`, in order and one at a time. A line that was being written when the power went is the last of the
 * newest segment: it is left out.
 * @throws StartError when a damaged line is followed by a whole one, or in a segment that is not the newest.
 */
export async function readSegment<Content>(options: {
  readonly directory: string;
  readonly segment: Segment;
  readonly place: 'newest' | 'older';
  /** Undefined when the line is damaged. */
  readonly parse: (line: string) => Content | undefined;
  readonly consume: (content: Content) => Promise<void>;
}): Promise<SegmentEnd> {
  const path = join(options.directory, segmentName(options.segment));
  let damagedAt: number | undefined;
  let end = 0;
  for await (const { line, start, next } of linesOf(path)) {
    const content = line === undefined ? undefined : options.parse(line);
    if (content === undefined) damagedAt ??= start;
    if (damagedAt !== undefined && (content !== undefined || options.place === 'older')) {
      throw new StartError(`The local chain's log ${path} is damaged at byte ${damagedAt}: restore the file or remove the chain folder.`);
    }
    if (content === undefined) continue;
    await options.consume(content);
    end = next;
  }
  return { segment: options.segment, length: end };
}

interface Line {
  /** Undefined when it has no end, or is longer than any line. */
  readonly line: string | undefined;
  /** Offsets of its first byte, and of the one behind it. */
  readonly start: number;
  readonly next: number;
}

async function* linesOf(path: string): AsyncGenerator<Line> {
  let rest: Buffer = Buffer.alloc(0);
  let start = 0;
  let isTooLong = false;
  for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES }) as AsyncIterable<Buffer>) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (let at = rest.indexOf(NEWLINE); at >= 0; at = rest.indexOf(NEWLINE)) {
      const next = start + at + 1;
      yield { line: isTooLong ? undefined : rest.toString('utf8', 0, at), start, next };
      [rest, start, isTooLong] = [rest.subarray(at + 1), next, false];
    }
    if (rest.length <= LINE_BYTES_MAX) continue;
    yield { line: undefined, start, next: start + rest.length };
    [rest, start, isTooLong] = [Buffer.alloc(0), start + rest.length, true];
  }
  if (rest.length > 0) yield { line: undefined, start, next: start + rest.length };
}
