/**
 * The bytes of a segment, all little-endian.
 *
 * Header, 32 bytes: `ORRERYJL`, format version u32, CRC polynomial u32, first seq u64, reserved u32, CRC-32 of the 28 bytes before.
 * Then frames, each at a multiple of 8: CRC-32 u32 of all that follows in the frame, length of the body u32, first seq u64, number of commands u32,
 * reserved u32, the body, zeros up to the next multiple of 8. Behind the last frame there are zeros to the end of the file.
 *
 * A frame is one group of commands, written and synced as one: it is there whole, or it never happened.
 */
import { crc32 } from 'node:zlib';
import { Reader, Writer } from '@orrery/protocol';

export const SEGMENT_HEADER_SIZE = 32;
export const FRAME_HEADER_SIZE = 24;

const MAGIC = Buffer.from('ORRERYJL', 'latin1');
const FORMAT_VERSION = 1;
/** IEEE 802.3 as in zlib, reflected: named in every file, so that no reader has to guess. */
const CRC_POLYNOMIAL = 0xedb8_8320;
const ALIGNMENT = 8;

export interface Frame {
  readonly offset: number;
  readonly firstSeq: number;
  readonly commands: number;
  readonly bodyStart: number;
  readonly bodyEnd: number;
  /** Where the next frame begins. */
  readonly end: number;
}

export function encodeSegmentHeader(firstSeq: number): Uint8Array {
  const writer = new Writer(SEGMENT_HEADER_SIZE);
  writer.raw(MAGIC);
  writer.uint32(FORMAT_VERSION);
  writer.uint32(CRC_POLYNOMIAL);
  writer.uint64(firstSeq);
  writer.uint32(0);
  writer.uint32(crc32(writer.bytes));
  return writer.take();
}

/** The first seq of the segment, or why these bytes are no segment. */
export function decodeSegmentHeader(bytes: Uint8Array): { readonly firstSeq: number } | { readonly fault: string } {
  if (bytes.length < SEGMENT_HEADER_SIZE) return { fault: 'the file is shorter than a segment header' };
  const reader = new Reader(bytes.subarray(0, SEGMENT_HEADER_SIZE));
  if (!MAGIC.equals(reader.raw(MAGIC.length))) return { fault: 'this is no journal segment' };
  if (
    crc32(bytes.subarray(0, SEGMENT_HEADER_SIZE - 4)) !== new Reader(bytes.subarray(SEGMENT_HEADER_SIZE - 4, SEGMENT_HEADER_SIZE)).uint32()
  ) {
    return { fault: 'the checksum of the segment header is wrong' };
  }
  const version = reader.uint32();
  if (version !== FORMAT_VERSION || reader.uint32() !== CRC_POLYNOMIAL)
    return { fault: `version ${version} of the format is not known here` };
  return { firstSeq: reader.uint64() };
}

/** Leaves room for the header: entries of the body follow, then `sealFrame`. */
export function beginFrame(writer: Writer): void {
  writer.clear();
  for (let size = 0; size < FRAME_HEADER_SIZE; size += 4) writer.uint32(0);
}

export function sealFrame(writer: Writer, { firstSeq, commands }: { firstSeq: number; commands: number }): Uint8Array {
  writer.patchUint32(4, writer.length - FRAME_HEADER_SIZE);
  writer.patchUint32(8, firstSeq % 0x1_0000_0000);
  writer.patchUint32(12, Math.floor(firstSeq / 0x1_0000_0000));
  writer.patchUint32(16, commands);
  writer.patchUint32(0, crc32(writer.bytes.subarray(4)));
  while (writer.length % ALIGNMENT !== 0) writer.byte(0);
  return writer.bytes;
}

/** The whole, checked frame at `offset`; `undefined` when there is none. */
export function frameAt(bytes: Uint8Array, offset: number): Frame | undefined {
  const bodyStart = offset + FRAME_HEADER_SIZE;
  if (bodyStart > bytes.length) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset + offset, FRAME_HEADER_SIZE);
  const length = view.getUint32(4, true);
  if (length === 0 || length > bytes.length - bodyStart) return undefined;
  const bodyEnd = bodyStart + length;
  if (crc32(bytes.subarray(offset + 4, bodyEnd)) !== view.getUint32(0, true)) return undefined;
  const end = Math.ceil(bodyEnd / ALIGNMENT) * ALIGNMENT;
  if (!isZero(bytes, bodyEnd, Math.min(end, bytes.length))) return undefined;
  const firstSeq = view.getUint32(8, true) + view.getUint32(12, true) * 0x1_0000_0000;
  return { offset, firstSeq, commands: view.getUint32(16, true), bodyStart, bodyEnd, end };
}

/** The first whole frame at or behind `offset` that tells of `minSeq` or later. */
export function findFrame(bytes: Uint8Array, from: { offset: number; minSeq: number }): Frame | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let offset = from.offset; offset + FRAME_HEADER_SIZE <= bytes.length; offset += ALIGNMENT) {
    if (view.getUint32(offset + 4, true) === 0) continue;
    const frame = frameAt(bytes, offset);
    if (frame !== undefined && frame.firstSeq >= from.minSeq) return frame;
  }
  return undefined;
}

export function isZero(bytes: Uint8Array, start: number, end: number): boolean {
  for (let index = start; index < end; index += 1) if (bytes[index] !== 0) return false;
  return true;
}
