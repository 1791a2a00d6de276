/** Calls signed with an API key: the right secret, over this call, now, and once. */
import { hash, type KeyObject, timingSafeEqual, verify } from 'node:crypto';
import { ApiError, RECEIVE_WINDOW_MS, signedRequestText, signedText, TIMESTAMP_AHEAD_MS } from '@orrery/api';
import { hmacSha256 } from './hmac.ts';
import { Marks } from './marks.ts';
import type { Parameters } from '../input/request-text.ts';

export interface SignedCall {
  readonly timestamp: string;
  readonly nonce: string;
  readonly signature: string;
  /** By the scheme of before: over parameters and timestamp, not over method, path and nonce. */
  readonly isLegacy: boolean;
  /** Whether something may be changed by it. */
  readonly changes: boolean;
  readonly method: string;
  readonly path: string;
  /** As sent. */
  readonly query: string;
  /** Empty without a body. */
  readonly bodyText: string;
  readonly parameters: Parameters;
}

const HMAC_BYTES = 32;
const ED25519_BYTES = 64;
/** A signature is known by its first 48 bits: of a million within the window no two are likely to share them. */
const MARK_BYTES = 6;
const NONCE = /^[0-9a-zA-Z-]{8,64}$/;
const TIMESTAMP = /^[1-9][0-9]{12}$/;
/** A signed call can be repeated only while its timestamp is good; both generations together outlast that. */
const GENERATION_MS = RECEIVE_WINDOW_MS + TIMESTAMP_AHEAD_MS;
const RETRY_SECONDS = 1;

/** What was seen within one generation. */
class Seen {
  /** Signatures; of legacy changes also where, and under which nonce. */
  readonly marks = new Marks();
  /** Of legacy reads, mark and path. */
  readonly reads = new Set<string>();
}

export interface SignatureCheckOptions {
  readonly now: () => number;
  /** Since when nobody else takes calls in our place; unix milliseconds. */
  readonly startedAt: number;
  /** Milliseconds that only grow, whatever is done to the wall clock. */
  readonly monotonicMs: () => number;
}

/** Refuses a signature that is wrong, stale or seen before. */
export class SignatureCheck {
  readonly #now: () => number;
  /** The latest timestamp that whatever ran before may have taken: what it has seen is not known here. */
  readonly #takenBefore: number;
  readonly #monotonicMs: () => number;
  /** Monotonic: from then on all that was signed before the start is stale. A wall clock that is set back later refuses nobody. */
  readonly #forgottenAt: number;
  #young = new Seen();
  #old = new Seen();
  #turnedAt = 0;

  constructor({ now, startedAt, monotonicMs }: SignatureCheckOptions) {
    this.#now = now;
    this.#monotonicMs = monotonicMs;
    this.#forgottenAt = monotonicMs() + GENERATION_MS;
    this.#takenBefore = startedAt + TIMESTAMP_AHEAD_MS;
  }

  /**
   * Throws an `ApiError` unless `call` was signed by the key, and marks it as used.
   * @param key the secret of the HMAC, or the public key of Ed25519, which signs by version 2 only
   */
  accept(call: SignedCall, key: string | KeyObject): void {
    const now = this.#now();
    if (!TIMESTAMP.test(call.timestamp)) throw new ApiError('MalformedField', { field: 'X-Request-Timestamp' });
    if (!NONCE.test(call.nonce)) throw new ApiError('MalformedField', { field: 'X-Request-Nonce' });
    const given = Buffer.from(call.signature, 'hex');
    const length = typeof key === 'string' ? HMAC_BYTES : ED25519_BYTES;
    if (call.signature.length !== 2 * length || given.length !== length) throw new ApiError('InvalidSignature');
    const timestamp = Number(call.timestamp);
    if (timestamp < now - RECEIVE_WINDOW_MS || timestamp > now + TIMESTAMP_AHEAD_MS) {
      throw new ApiError('StaleTimestamp', { field: 'X-Request-Timestamp' });
    }
    if (typeof key !== 'string' && call.isLegacy) throw new ApiError('LegacySignature');
    if (!isSignedBy(call, given, key)) throw new ApiError('InvalidSignature');
    if (timestamp <= this.#takenBefore && this.#monotonicMs() <= this.#forgottenAt)
      throw new ApiError('SignedBeforeStart', { retryAfterSeconds: RETRY_SECONDS });
    this.#turn(now);
    if (!this.#useOnce(call, given)) throw new ApiError('ReplayedRequest');
  }

  #useOnce(call: SignedCall, signature: Buffer): boolean {
    const mark = signature.readUIntBE(0, MARK_BYTES);
    if (!call.isLegacy) return this.#markNew(mark);
    return call.changes ? this.#useLegacyChange(mark, call) : this.#useLegacyRead(mark, call.path);
  }

  /** Reads without parameters share their signature within a millisecond, so a read is refused on its own path only. */
  #useLegacyRead(mark: number, path: string): boolean {
    const read = `${mark} ${path}`;
    if (this.#young.reads.has(read) || this.#old.reads.has(read)) return false;
    this.#young.marks.add(mark);
    this.#young.reads.add(read);
    return true;
  }

  /**
   * Two equal changes of one millisecond share their signature and differ by the nonce, which is not signed: a signature is taken again under another
   * nonce, as the clients of this scheme expect, but never on another path.
   */
  #useLegacyChange(mark: number, { signature, path, nonce }: SignedCall): boolean {
    const place = markOf(`${signature} ${path}`);
    if (this.#has(mark) !== this.#has(place)) return false;
    this.#young.marks.add(mark);
    this.#young.marks.add(place);
    return this.#markNew(markOf(`${signature} ${path} ${nonce}`));
  }

  /** @returns false when it was there. */
  #markNew(mark: number): boolean {
    if (this.#has(mark)) return false;
    this.#young.marks.add(mark);
    return true;
  }

  #has(mark: number): boolean {
    return this.#young.marks.has(mark) || this.#old.marks.has(mark);
  }

  #turn(now: number): void {
    const age = now - this.#turnedAt;
    if (age <= GENERATION_MS) return;
    this.#old = age > 2 * GENERATION_MS ? new Seen() : this.#young;
    this.#young = new Seen();
    this.#turnedAt = now;
  }
}

const markOf = (text: string): number => hash('sha256', text, 'buffer').readUIntBE(0, MARK_BYTES);

function isSignedBy(call: SignedCall, given: Buffer, key: string | KeyObject): boolean {
  const matches = (text: string): boolean =>
    typeof key === 'string' ? timingSafeEqual(given, hmacSha256(key, text)) : verify(null, Buffer.from(text), key, given);
  if (!call.isLegacy) return matches(signedRequestText({ ...call, bodyHash: hash('sha256', call.bodyText, 'hex') }));
  const parameters: Parameters = call.bodyText === '' ? call.parameters : [...call.parameters, ['body', call.bodyText]];
  // In the order received; clients that sort their parameters before signing are met half-way.
  return (
    matches(signedText(parameters, call.timestamp)) || (parameters.length > 1 && matches(signedText(sorted(parameters), call.timestamp)))
  );
}

const sorted = (parameters: Parameters): Parameters => parameters.toSorted(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0));
