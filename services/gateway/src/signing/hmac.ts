/**
 * HMAC-SHA-256 (RFC 2104) of text, by two hashes in one call each: a `Hmac` object of Node costs as much as all the rest of an order's
 * signature, because each message needs a new one.
 */
import { hash } from 'node:crypto';

const BLOCK_BYTES = 64;
const DIGEST_BYTES = 32;
const INNER_PAD = 0x36;
const OUTER_PAD = 0x5c;
/** Longer texts get a buffer of their own. */
const SCRATCH_BYTES = 8_192;

const scratch = Buffer.alloc(SCRATCH_BYTES);
const outer = Buffer.alloc(BLOCK_BYTES + DIGEST_BYTES);
const digest = Buffer.alloc(DIGEST_BYTES);

/** @returns 32 bytes that hold until the next call. */
export function hmacSha256(secret: string, text: string): Buffer {
  const key = blockOf(secret);
  const textBytes = Buffer.byteLength(text);
  const inner = BLOCK_BYTES + textBytes <= SCRATCH_BYTES ? scratch : Buffer.alloc(BLOCK_BYTES + textBytes);
  for (let at = 0; at < BLOCK_BYTES; at += 1) {
    const byte = key[at] ?? 0;
    inner[at] = byte ^ INNER_PAD;
    outer[at] = byte ^ OUTER_PAD;
  }
  inner.write(text, BLOCK_BYTES);
  outer.write(hash('sha256', inner.subarray(0, BLOCK_BYTES + textBytes), 'hex'), BLOCK_BYTES, 'hex');
  digest.write(hash('sha256', outer, 'hex'), 'hex');
  return digest;
}

/** The secret as a block: hashed when it is longer than one. */
function blockOf(secret: string): Uint8Array {
  const bytes = Buffer.from(secret);
  return bytes.length > BLOCK_BYTES ? Buffer.from(hash('sha256', bytes, 'hex'), 'hex') : bytes;
}
