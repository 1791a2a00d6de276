/**
 * The bytes of a segment, all little-endian.
 *
 * Header, 64 bytes: `ORRERYJL`, format version u32 = 2, CRC polynomial u32, first seq u64, epoch u32, SHA-256 of the last frame before this segment (zeros
 * for none), CRC-32 of the 60 bytes before.
 * Then frames, each at a multiple of 8: CRC-32 u32 of all that follows in the frame, length of the body u32, first seq u64, number of commands u32,
 * epoch u32, SHA-256 of the frame before, the body, zeros up to the next multiple of 8. Behind the last frame there are zeros to the end of the file.
 *
 * Format 1, which is only read: the header is 32 bytes and ends `first seq u64, reserved u32, CRC-32`; a frame has a reserved u32 for the epoch and no hash.
 *
 * A frame is one group of commands, written and synced as one: it is there whole, or it never happened. Each carries the hash of the whole frame before it,
 * so that a frame cannot be changed without changing all that follow.
 */
import { hash as digest } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { Reader, Writer } from '@orrery/protocol';

/** Of the format that is written. */
export const SEGMENT_HEADER_SIZE = 64;
export const FRAME_HEADER_SIZE = 56;

const MAGIC = Buffer.from('ORRERYJL', 'latin1');
/** The one that is written. */
export const FORMAT_VERSION = 2;
/** By format version. */
const HEADER_SIZES: Readonly<Record<number, { readonly segment: number; readonly frame: number }>> = {
  1: { segment: 32, frame: 24 },
  2: { segment: SEGMENT_HEADER_SIZE, frame: FRAME_HEADER_SIZE },
};
/** IEEE 802.3 as in zlib, reflected: named in every file, so that no reader has to guess. */
const CRC_POLYNOMIAL = 0xedb8_8320;
const ALIGNMENT = 8;
const HASH_SIZE = 32;
/** In place of the hash of a frame before the first. */
export const NO_FRAME: Uint8Array = new Uint8Array(HASH_SIZE);

/** Where a frame stands among the others. */
export interface FrameLink {
  /** Of the writer; 0 in format 1. */
  readonly epoch: number;
  /** SHA-256 of the frame before. */
  readonly previous: Uint8Array;
}

export interface Frame {
  readonly offset: number;
  readonly firstSeq: number;
  readonly commands: number;
  /** Undefined in format 1. */
  readonly link: FrameLink | undefined;
  readonly bodyStart: number;
  readonly bodyEnd: number;
  /** Where the next frame begins. */
  readonly end: number;
}

export interface SegmentHeader {
  readonly version: number;
  /** Where the first frame begins. */
  readonly size: number;
  readonly firstSeq: number;
  /** Undefined in format 1. */
  readonly link: FrameLink | undefined;
}

export function encodeSegmentHeader(firstSeq: number, { epoch, previous }: FrameLink): Uint8Array {
  const writer = new Writer(SEGMENT_HEADER_SIZE);
  writer.raw(MAGIC);
  writer.uint32(FORMAT_VERSION);
  writer.uint32(CRC_POLYNOMIAL);
  writer.uint64(firstSeq);
  writer.uint32(epoch);
  writer.raw(previous);
  writer.uint32(crc32(writer.bytes));
  return writer.take();
}

/** What the header of a segment says, or why these bytes are no segment. */
export function decodeSegmentHeader(bytes: Uint8Array): SegmentHeader | { readonly fault: string } {
  const shortest = HEADER_SIZES[1]?.segment ?? 0;
  if (bytes.length < shortest) return { fault: 'the file is shorter than a segment header' };
  const reader = new Reader(bytes);
  if (!MAGIC.equals(reader.raw(MAGIC.length))) return { fault: 'this is no journal segment' };
  const version = reader.uint32();
  const size = HEADER_SIZES[version]?.segment;
  if (size === undefined) return { fault: `version ${version} of the format is not known here` };
  if (bytes.length < size) return { fault: 'the file is shorter than a segment header' };
  if (crc32(bytes.subarray(0, size - 4)) !== new Reader(bytes.subarray(size - 4, size)).uint32())
    return { fault: 'the checksum of the segment header is wrong' };
  const polynomial = reader.uint32();
  if (polynomial !== CRC_POLYNOMIAL) return { fault: `the checksum ${polynomial} is not known here` };
  const firstSeq = reader.uint64();
  return { version, size, firstSeq, link: version === 1 ? undefined : { epoch: reader.uint32(), previous: reader.raw(HASH_SIZE).slice() } };
}

/** Leaves room for the header: entries of the body follow, then `sealFrame`. */
export function beginFrame(writer: Writer): void {
  writer.clear();
  writer.raw(EMPTY_HEADER);
}

const EMPTY_HEADER = new Uint8Array(FRAME_HEADER_SIZE);

export function sealFrame(
  writer: Writer,
  { firstSeq, commands, link }: { firstSeq: number; commands: number; link: FrameLink },
): Uint8Array {
  writer.patchUint32(4, writer.length - FRAME_HEADER_SIZE);
  writer.patchUint32(8, firstSeq % 0x1_0000_0000);
  writer.patchUint32(12, Math.floor(firstSeq / 0x1_0000_0000));
  writer.patchUint32(16, commands);
  writer.patchUint32(20, link.epoch);
  writer.bytes.set(link.previous, FRAME_HEADER_SIZE - HASH_SIZE);
  writer.patchUint32(0, crc32(writer.bytes.subarray(4)));
  while (writer.length % ALIGNMENT !== 0) writer.byte(0);
  return writer.bytes;
}

/** The hash that the next frame carries: of everything in a frame but the zeros that fill it up. */
export function frameHash(bytes: Uint8Array, { offset, bodyEnd }: Pick<Frame, 'offset' | 'bodyEnd'>): Uint8Array {
  return digest('sha256', bytes.subarray(offset, bodyEnd), 'buffer');
}

/** The whole, checked frame at `offset` of a segment of this format version; `undefined` when there is none. */
export function frameAt(bytes: Uint8Array, offset: number, version: number = FORMAT_VERSION): Frame | undefined {
  const headerSize = HEADER_SIZES[version]?.frame ?? FRAME_HEADER_SIZE;
  const bodyStart = offset + headerSize;
  if (bodyStart > bytes.length) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset + offset, headerSize);
  const length = view.getUint32(4, true);
  if (length === 0 || length > bytes.length - bodyStart) return undefined;
  const bodyEnd = bodyStart + length;
  if (crc32(bytes.subarray(offset + 4, bodyEnd)) !== view.getUint32(0, true)) return undefined;
  const end = Math.ceil(bodyEnd / ALIGNMENT) * ALIGNMENT;
  if (!isZero(bytes, bodyEnd, Math.min(end, bytes.length))) return undefined;
  const firstSeq = view.getUint32(8, true) + view.getUint32(12, true) * 0x1_0000_0000;
  const link = version === 1 ? undefined : { epoch: view.getUint32(20, true), previous: bytes.subarray(bodyStart - HASH_SIZE, bodyStart) };
  return { offset, firstSeq, commands: view.getUint32(16, true), link, bodyStart, bodyEnd, end };
}

/** The first whole frame at or behind `offset` that holds the command `minSeq` or a later one. */
export function findFrame(bytes: Uint8Array, from: { offset: number; minSeq: number; version: number }): Frame | undefined {
  const headerSize = HEADER_SIZES[from.version]?.frame ?? FRAME_HEADER_SIZE;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let offset = from.offset; offset + headerSize <= bytes.length; offset += ALIGNMENT) {
    if (view.getUint32(offset + 4, true) === 0) continue;
    const frame = frameAt(bytes, offset, from.version);
    if (frame !== undefined && frame.firstSeq >= from.minSeq) return frame;
  }
  return undefined;
}

/** What is reserved behind the last frame is megabytes of zeros, which every start looks through. */
const ZEROS = new Uint8Array(1 << 16);
/** Bytes up to which a loop is quicker than a call. */
const FEW_BYTES = 32;

export function isZero(bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start <= FEW_BYTES) {
    for (let index = start; index < end; index += 1) if (bytes[index] !== 0) return false;
    return true;
  }
  for (let from = start; from < end; from += ZEROS.length) {
    const to = Math.min(from + ZEROS.length, end);
    if (Buffer.compare(bytes.subarray(from, to), ZEROS.subarray(0, to - from)) !== 0) return false;
  }
  return true;
}
