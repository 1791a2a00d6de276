/** Calls signed with an API key: the right secret, over these parameters, now, and once. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { ApiError, RECEIVE_WINDOW_MS, signedText, TIMESTAMP_AHEAD_MS } from '@orrery/api';
import type { Parameters } from './request-text.ts';

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

const SIGNATURE = /^[0-9a-f]{64}$/i;
const NONCE = /^[0-9a-zA-Z-]{8,64}$/;
const TIMESTAMP = /^[1-9][0-9]{12}$/;
/** A signed call can be repeated only while its timestamp is good; both generations together outlast that. */
const GENERATION_MS = RECEIVE_WINDOW_MS + TIMESTAMP_AHEAD_MS;

/** Refuses a signature that is wrong, stale or seen before. */
export class SignatureCheck {
  readonly #now: () => number;
  #young = new Set<string>();
  #old = new Set<string>();
  #turnedAt = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Throws an `ApiError` unless `call` was signed with `secret`, and marks it as used. */
  accept(call: SignedCall, secret: string): void {
    const now = this.#now();
    if (!TIMESTAMP.test(call.timestamp)) throw new ApiError('MalformedField', { field: 'X-Request-Timestamp' });
    if (!NONCE.test(call.nonce)) throw new ApiError('MalformedField', { field: 'X-Request-Nonce' });
    if (!SIGNATURE.test(call.signature)) throw new ApiError('InvalidSignature');
    const timestamp = Number(call.timestamp);
    if (timestamp < now - RECEIVE_WINDOW_MS || timestamp > now + TIMESTAMP_AHEAD_MS) {
      throw new ApiError('StaleTimestamp', { field: 'X-Request-Timestamp' });
    }
    if (!isSignedBy(call, secret)) throw new ApiError('InvalidSignature');
    this.#useOnce(call, now);
  }

  /**
   * The signature is the mark, not the nonce, which is not signed. A call that changes something needs a signature never seen on any path;
   * reads without parameters share theirs within a millisecond, so a read is refused on its own path only.
   */
  #useOnce({ accessKey, signature, path, changes }: SignedCall, now: number): void {
    this.#turn(now);
    const mark = `${accessKey} ${signature.toLowerCase()}`;
    const read = `${mark} ${path}`;
    const seen = (key: string): boolean => this.#young.has(key) || this.#old.has(key);
    if (seen(changes ? mark : read)) throw new ApiError('ReplayedRequest');
    this.#young.add(mark);
    if (!changes) this.#young.add(read);
  }

  #turn(now: number): void {
    const age = now - this.#turnedAt;
    if (age <= GENERATION_MS) return;
    this.#old = age > 2 * GENERATION_MS ? new Set() : this.#young;
    this.#young = new Set();
    this.#turnedAt = now;
  }
}

/** In the order received; clients that sort their parameters before signing are met half-way. */
function isSignedBy(call: SignedCall, secret: string): boolean {
  const given = Buffer.from(call.signature, 'hex');
  const matches = (parameters: Parameters): boolean =>
    timingSafeEqual(given, createHmac('sha256', secret).update(signedText(parameters, call.timestamp)).digest());
  return matches(call.parameters) || (call.parameters.length > 1 && matches(sorted(call.parameters)));
}

const sorted = (parameters: Parameters): Parameters => parameters.toSorted(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0));
