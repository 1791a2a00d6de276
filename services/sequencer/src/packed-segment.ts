/**
 * A segment of the archive: a whole segment in a sixth of its bytes. Two fields of each frame follow from the rest, and are random bytes to a compressor: the hash of
 * the frame before, and the checksum. They are left out, and computed again when the segment is unpacked; a hash over all of its bytes says that it is the one that was packed.
 *
 * File, little-endian: `ORRERYPK`, format version u32, bytes of the segment up to the end of its last frame u64, their SHA-256, CRC-32 of the body, CRC-32 of all that.
 * The body: those bytes compressed by Brotli, with zeros for the fields that are left out. In a segment of format 1 nothing is left out.
 */
import { hash as digest } from 'node:crypto';
import { brotliCompressSync, brotliDecompressSync, constants, crc32 } from 'node:zlib';
import { Reader, Writer } from '@orrery/protocol';
import { sameBytes } from './engine-factory.ts';
import { decodeSegmentHeader, FRAME_HEADER_SIZE, frameAt, frameHash, isZero } from './frame.ts';

const MAGIC = Buffer.from('ORRERYPK', 'latin1');
const FORMAT_VERSION = 1;
const HASH_SIZE = 32;
const HEADER_SIZE = MAGIC.length + 4 + 8 + HASH_SIZE + 4 + 4;
/** Where the hash of the frame before stands in the header of a frame of format 2. */
const PREVIOUS = FRAME_HEADER_SIZE - HASH_SIZE;
const ALIGNMENT = 8;
/** More takes several times as long for a hundredth of the bytes. */
const QUALITY = 5;
const WINDOW_BITS = 24;

/**
 * Takes the processor for seconds: it is for a thread in which nobody waits.
 * @param segment the bytes of a segment to which nothing is added any more
 * @throws Error with a clause when it is none, or holds more than whole frames and zeros
 */
export function packSegment(segment: Uint8Array): Uint8Array {
  const end = endOfFrames(segment);
  if (!isZero(segment, end, segment.length)) throw new Error('something stands behind its last whole frame');
  const whole = segment.subarray(0, end);
  const params = { [constants.BROTLI_PARAM_QUALITY]: QUALITY, [constants.BROTLI_PARAM_LGWIN]: WINDOW_BITS };
  const body = brotliCompressSync(withoutHashes(whole), { params });
  const packed = Buffer.concat([encodeHeader(whole, body), body]);
  if (!sameBytes(unpackSegment(packed), whole)) throw new Error('what is packed is not what is unpacked');
  return packed;
}

/** The segment up to the end of its last frame. @throws Error with a clause when these bytes do not lead to the segment that was packed */
export function unpackSegment(packed: Uint8Array): Uint8Array {
  if (packed.length < HEADER_SIZE) throw new Error('it is shorter than its header');
  const reader = new Reader(packed);
  if (!MAGIC.equals(reader.raw(MAGIC.length))) throw new Error('it is no packed segment');
  const version = reader.uint32();
  if (version !== FORMAT_VERSION) throw new Error(`version ${version} of its format is not known here`);
  const length = reader.uint64();
  const hash = reader.raw(HASH_SIZE).slice();
  const checksum = reader.uint32();
  if (crc32(packed.subarray(0, HEADER_SIZE - 4)) !== reader.uint32()) throw new Error('the checksum of its header is wrong');
  const body = packed.subarray(HEADER_SIZE);
  if (crc32(body) !== checksum) throw new Error('the checksum of its body is wrong');
  const segment = Buffer.from(decompressed(body, length));
  restoreHashes(segment);
  if (segment.length !== length || !sameBytes(digest('sha256', segment, 'buffer'), hash))
    throw new Error('its bytes do not have the hash that it names');
  return segment;
}

function decompressed(body: Uint8Array, length: number): Uint8Array {
  try {
    return brotliDecompressSync(body, { maxOutputLength: Math.max(length, 1) });
  } catch (cause) {
    throw new Error('it can not be decompressed', { cause });
  }
}

function encodeHeader(whole: Uint8Array, body: Uint8Array): Uint8Array {
  const writer = new Writer(HEADER_SIZE);
  writer.raw(MAGIC);
  writer.uint32(FORMAT_VERSION);
  writer.uint64(whole.length);
  writer.raw(digest('sha256', whole, 'buffer'));
  writer.uint32(crc32(body));
  writer.uint32(crc32(writer.bytes));
  return writer.take();
}

function endOfFrames(segment: Uint8Array): number {
  const header = decodeSegmentHeader(segment);
  if ('fault' in header) throw new Error(header.fault);
  let end = header.size;
  for (let frame = frameAt(segment, end, header.version); frame !== undefined; frame = frameAt(segment, end, header.version))
    end = frame.end;
  return end;
}

function withoutHashes(whole: Uint8Array): Uint8Array {
  const bytes = Uint8Array.from(whole);
  const header = decodeSegmentHeader(whole);
  if ('fault' in header || header.link === undefined) return bytes;
  for (let frame = frameAt(whole, header.size); frame !== undefined; frame = frameAt(whole, frame.end)) {
    bytes.fill(0, frame.offset, frame.offset + 4);
    bytes.fill(0, frame.offset + PREVIOUS, frame.bodyStart);
  }
  return bytes;
}

/** In place. What is damaged gets wrong hashes, which its reader finds. */
function restoreHashes(bytes: Uint8Array): void {
  const header = decodeSegmentHeader(bytes);
  if ('fault' in header || header.link === undefined) return;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let { previous } = header.link;
  for (let offset = header.size; offset + FRAME_HEADER_SIZE <= bytes.length;) {
    const bodyEnd = offset + FRAME_HEADER_SIZE + view.getUint32(offset + 4, true);
    if (bodyEnd > bytes.length) return;
    bytes.set(previous, offset + PREVIOUS);
    view.setUint32(offset, crc32(bytes.subarray(offset + 4, bodyEnd)), true);
    previous = frameHash(bytes, { offset, bodyEnd });
    offset = Math.ceil(bodyEnd / ALIGNMENT) * ALIGNMENT;
  }
}
