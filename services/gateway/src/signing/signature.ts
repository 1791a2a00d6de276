/** Calls signed with an API key: the right secret, over these parameters, now, and once. */
import { timingSafeEqual } from 'node:crypto';
import { ApiError, RECEIVE_WINDOW_MS, signedText, TIMESTAMP_AHEAD_MS } from '@orrery/api';
import { hmacSha256 } from './hmac.ts';
import { Marks } from './marks.ts';
import type { Parameters } from '../input/request-text.ts';

export interface SignedCall {
  readonly accessKey: string;
  readonly timestamp: string;
  readonly nonce: string;
  readonly signature: string;
  readonly parameters: Parameters;
  /** The older scheme signs neither method nor path: see `#useOnce`. */
  readonly path: string;
  readonly changes: boolean;
}

const SIGNATURE_BYTES = 32;
/** A signature is known by its first 48 bits: of a million within the window no two are likely to share them. */
const MARK_BYTES = 6;
const NONCE = /^[0-9a-zA-Z-]{8,64}$/;
const TIMESTAMP = /^[1-9][0-9]{12}$/;
/** A signed call can be repeated only while its timestamp is good; both generations together outlast that. */
const GENERATION_MS = RECEIVE_WINDOW_MS + TIMESTAMP_AHEAD_MS;

/** What was seen within one generation. */
class Seen {
  /** Signatures, of whatever call. */
  readonly marks = new Marks();
  /** Of reads, mark and path. */
  readonly reads = new Set<string>();
}

/** Refuses a signature that is wrong, stale or seen before. */
export class SignatureCheck {
  readonly #now: () => number;
  #young = new Seen();
  #old = new Seen();
  #turnedAt = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Throws an `ApiError` unless `call` was signed with `secret`, and marks it as used. */
  accept(call: SignedCall, secret: string): void {
    const now = this.#now();
    if (!TIMESTAMP.test(call.timestamp)) throw new ApiError('MalformedField', { field: 'X-Request-Timestamp' });
    if (!NONCE.test(call.nonce)) throw new ApiError('MalformedField', { field: 'X-Request-Nonce' });
    const given = Buffer.from(call.signature, 'hex');
    if (call.signature.length !== 2 * SIGNATURE_BYTES || given.length !== SIGNATURE_BYTES) throw new ApiError('InvalidSignature');
    const timestamp = Number(call.timestamp);
    if (timestamp < now - RECEIVE_WINDOW_MS || timestamp > now + TIMESTAMP_AHEAD_MS) {
      throw new ApiError('StaleTimestamp', { field: 'X-Request-Timestamp' });
    }
    if (!isSignedBy(call, given, secret)) throw new ApiError('InvalidSignature');
    this.#useOnce(call, given, now);
  }

  /**
   * The signature is the mark, not the nonce, which is not signed. A call that changes something needs a signature never seen on any path;
   * reads without parameters share theirs within a millisecond, so a read is refused on its own path only.
   */
  #useOnce({ path, changes }: SignedCall, signature: Buffer, now: number): void {
    this.#turn(now);
    const mark = signature.readUIntBE(0, MARK_BYTES);
    const isSeen = changes ? this.#has(mark) : this.#hasRead(mark, path);
    if (isSeen) throw new ApiError('ReplayedRequest');
    this.#young.marks.add(mark);
    if (!changes) this.#young.reads.add(readOf(mark, path));
  }

  #has(mark: number): boolean {
    return this.#young.marks.has(mark) || this.#old.marks.has(mark);
  }

  #hasRead(mark: number, path: string): boolean {
    const read = readOf(mark, path);
    return this.#young.reads.has(read) || this.#old.reads.has(read);
  }

  #turn(now: number): void {
    const age = now - this.#turnedAt;
    if (age <= GENERATION_MS) return;
    this.#old = age > 2 * GENERATION_MS ? new Seen() : this.#young;
    this.#young = new Seen();
    this.#turnedAt = now;
  }
}

const readOf = (mark: number, path: string): string => `${mark} ${path}`;

/** In the order received; clients that sort their parameters before signing are met half-way. */
function isSignedBy(call: SignedCall, given: Buffer, secret: string): boolean {
  const matches = (parameters: Parameters): boolean => timingSafeEqual(given, hmacSha256(secret, signedText(parameters, call.timestamp)));
  return matches(call.parameters) || (call.parameters.length > 1 && matches(sorted(call.parameters)));
}

const sorted = (parameters: Parameters): Parameters => parameters.toSorted(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0));
