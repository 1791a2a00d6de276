/** Calls signed with an API key: the right secret, over this call, now, and once. */
import { hash, type KeyObject, timingSafeEqual, verify } from 'node:crypto';
import { ApiError, RECEIVE_WINDOW_MS, signedRequestText, signedText, TIMESTAMP_AHEAD_MS } from '@orrery/api';
import { hmacSha256 } from './hmac.ts';
import { Marks } from './marks.ts';
import type { SharedMarks } from './shared-marks.ts';
import { grow, type Span, Spans } from './spans.ts';
import type { Parameters } from '../input/request-text.ts';

export interface SignedCall {
  readonly accessKey: string;
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
/** A legacy read can be repeated this long: clients read several lists within a millisecond, all without parameters. */
const LEGACY_READ_MS = 1_000;
/** A signed call can be repeated only while its timestamp is good. */
const GOOD_MS = RECEIVE_WINDOW_MS + TIMESTAMP_AHEAD_MS;
const GENERATION_MS = 60_000;
/** A wall clock that is set back by less than this refuses nobody: what was taken at that time is still known. */
const REMEMBERED_MS = 3_600_000;
/** Of all generations but the newest two, of up to 50 bytes each. */
const MARKS_MAX = 1_000_000;
const RETRY_SECONDS = 1;

/** What was taken within one minute of the monotonic clock. */
class Generation {
  readonly beganAt: number;
  /** Signatures that are used up. */
  readonly marks = new Marks();
  /** Of legacy reads, and when each came first by the monotonic clock. */
  readonly reads = new Map<number, number>();
  /** Of the timestamps, each still growing: more than one where a clock has jumped, or where the two are apart. */
  readonly spans: Span[] = [];

  constructor(beganAt: number) {
    this.beganAt = beganAt;
  }

  get size(): number {
    return this.marks.size + this.reads.size;
  }

  remember(timestamp: number): void {
    grow(this.spans, timestamp, GOOD_MS);
  }

  get latest(): number {
    return this.spans.reduce((latest, { to }) => Math.max(latest, to), -Infinity);
  }

  /** Whether something with this timestamp may be among what was taken. */
  covers(timestamp: number): boolean {
    return this.spans.some(({ from, to }) => from <= timestamp && timestamp <= to);
  }
}

export interface SignatureCheckOptions {
  /** The time that `status` reports. */
  readonly now: () => number;
  /** The time of the world, by which a client goes that does not ask. */
  readonly wallMs: () => number;
  /** Since when nobody else takes calls in our place; unix milliseconds. */
  readonly startedAt: number;
  /** Milliseconds that only grow, whatever is done to the wall clock. */
  readonly monotonicMs: () => number;
  /** Where several processes take calls: what they have taken. Undefined: this one is alone, and remembers it. */
  readonly shared?: SharedMarks | undefined;
}

/** Refuses a signature that is wrong, stale or seen before. */
export class SignatureCheck {
  readonly #now: () => number;
  readonly #wallMs: () => number;
  /** The latest timestamp that whatever ran before may have taken: what it has seen is not known here. */
  readonly #takenBefore: number;
  readonly #monotonicMs: () => number;
  /** Monotonic: from then on all that was signed before the start is stale. A wall clock that is set back later refuses nobody. */
  readonly #forgottenAt: number;
  /** The newest first. */
  readonly #generations: Generation[] = [];
  /** Of all generations but the newest: the usual timestamp is later, and is looked for in the newest alone. */
  #latestBefore = -Infinity;
  /** The timestamps of what is no longer remembered: stale, unless the wall clock was set back into one of these times. */
  readonly #forgotten = new Spans();

  readonly #shared: SharedMarks | undefined;

  constructor({ now, wallMs, startedAt, monotonicMs, shared }: SignatureCheckOptions) {
    this.#shared = shared;
    this.#now = now;
    this.#wallMs = wallMs;
    this.#monotonicMs = monotonicMs;
    this.#forgottenAt = monotonicMs() + GOOD_MS;
    this.#takenBefore = startedAt + TIMESTAMP_AHEAD_MS;
  }

  /**
   * Throws an `ApiError` unless `call` was signed by the key, and marks it as used.
   * @returns a promise where other processes take calls too, which rejects when one of them has taken it
   * @param key the secret of the HMAC, or the public key of Ed25519, which signs by version 2 only
   */
  accept(call: SignedCall, key: string | KeyObject): Promise<void> | undefined {
    if (!TIMESTAMP.test(call.timestamp)) throw new ApiError('MalformedField', { field: 'X-Request-Timestamp' });
    if (!NONCE.test(call.nonce)) throw new ApiError('MalformedField', { field: 'X-Request-Nonce' });
    const given = Buffer.from(call.signature, 'hex');
    const length = typeof key === 'string' ? HMAC_BYTES : ED25519_BYTES;
    if (call.signature.length !== 2 * length || given.length !== length) throw new ApiError('InvalidSignature');
    const timestamp = Number(call.timestamp);
    if (![this.#now(), this.#wallMs()].some((now) => now - RECEIVE_WINDOW_MS <= timestamp && timestamp <= now + TIMESTAMP_AHEAD_MS)) {
      throw new ApiError('StaleTimestamp', { field: 'X-Request-Timestamp' });
    }
    if (typeof key !== 'string' && call.isLegacy) throw new ApiError('LegacySignature');
    if (!isSignedBy(call, given, key)) throw new ApiError('InvalidSignature');
    if (this.#shared !== undefined) {
      return this.#shared.take({ accessKey: call.accessKey, signature: given, timestamp, isLegacyRead: call.isLegacy && !call.changes });
    }
    if (timestamp <= this.#takenBefore && this.#monotonicMs() <= this.#forgottenAt)
      throw new ApiError('SignedBeforeStart', { retryAfterSeconds: RETRY_SECONDS });
    const newest = this.#turn();
    if (this.#forgotten.has(timestamp)) throw new ApiError('StaleTimestamp', { field: 'X-Request-Timestamp' });
    if (!this.#use(call, timestamp, given.readUIntBE(0, MARK_BYTES), newest)) throw new ApiError('ReplayedRequest');
    newest.remember(timestamp);
    return undefined;
  }

  /** @returns false when it was used before. Of a legacy signature whatever path and nonce came with it: neither is signed. */
  #use(call: SignedCall, timestamp: number, mark: number, newest: Generation): boolean {
    // A repetition has the timestamp of the first one.
    const known = timestamp > this.#latestBefore ? [newest] : this.#generations.filter((generation) => generation.covers(timestamp));
    if (known.some(({ marks }) => marks.has(mark))) return false;
    const readAt = known.map(({ reads }) => reads.get(mark)).find((at) => at !== undefined);
    if (!call.isLegacy || call.changes) {
      if (readAt !== undefined) return false;
      newest.marks.add(mark);
      return true;
    }
    if (readAt !== undefined) return this.#monotonicMs() - readAt <= LEGACY_READ_MS;
    newest.reads.set(mark, this.#monotonicMs());
    return true;
  }

  /**
   * By the monotonic clock: a wall clock that jumps makes nothing forgotten that can be repeated when it comes back.
   * @returns the newest generation
   */
  #turn(): Generation {
    const now = this.#monotonicMs();
    const [newest] = this.#generations;
    if (newest !== undefined && now - newest.beganAt <= GENERATION_MS) return newest;
    if (newest !== undefined) this.#latestBefore = Math.max(this.#latestBefore, newest.latest);
    const fresh = new Generation(now);
    this.#generations.unshift(fresh);
    let held = this.#generations.slice(2).reduce((sum, { size }) => sum + size, 0);
    for (let oldest = this.#generations.at(-1); this.#generations.length > 2 && oldest !== undefined; oldest = this.#generations.at(-1)) {
      // Signed by a clock that was ahead, it is still to come by the other one: forgotten, it would refuse every call of that time.
      const isToCome = oldest.latest + GOOD_MS >= this.#now();
      if ((now - oldest.beganAt <= REMEMBERED_MS || isToCome) && held <= MARKS_MAX) break;
      held -= oldest.size;
      this.#generations.pop();
      for (const span of oldest.spans) this.#forgotten.add(span, GOOD_MS);
    }
    return fresh;
  }
}

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
