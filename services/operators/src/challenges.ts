/**
 * The challenges that passkeys answer. Anybody may request one to sign in with, so these are signed instead of kept: a flood of them takes no
 * memory and evicts nobody's. Only the holder of a valid code is given one to make a passkey with: a few for each code, kept.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { newToken } from './secret.ts';

export const CHALLENGE_MS = 5 * 60_000;
/** Of one code: its holder may have begun in another browser. */
const KEPT_FOR_A_CODE = 5;
const NONCE_BYTES = 16;
const TIME_BYTES = 8;
const SIGNED_BYTES = NONCE_BYTES + TIME_BYTES;

/** To sign in with. Each opens once, until it expires or the program ends. */
export class SignInChallenges {
  readonly #key = randomBytes(32);
  /** Answered with a valid passkey, by when they expire: as many as operators sign in within their time. */
  readonly #spent = new Map<string, number>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  make(): string {
    const expiresAt = Buffer.alloc(TIME_BYTES);
    expiresAt.writeBigUInt64BE(BigInt(this.#now() + CHALLENGE_MS));
    const signed = Buffer.concat([randomBytes(NONCE_BYTES), expiresAt]);
    return Buffer.concat([signed, this.#sign(signed)]).toString('base64url');
  }

  /** Whether it was made here, has not expired and was not spent. */
  isOpen(challenge: string): boolean {
    return this.#expiryOf(challenge) !== undefined && !this.#spent.has(challenge);
  }

  /** Only of a challenge whose answer is verified. @returns false when another answer was earlier */
  spend(challenge: string): boolean {
    if (!this.isOpen(challenge)) return false;
    for (const [other, expiresAt] of this.#spent) if (expiresAt <= this.#now()) this.#spent.delete(other);
    this.#spent.set(challenge, this.#expiryOf(challenge) ?? 0);
    return true;
  }

  #expiryOf(challenge: string): number | undefined {
    const bytes = Buffer.from(challenge, 'base64url');
    const [signed, signature] = [bytes.subarray(0, SIGNED_BYTES), bytes.subarray(SIGNED_BYTES)];
    const wanted = this.#sign(signed);
    if (signature.length !== wanted.length || !timingSafeEqual(signature, wanted)) return undefined;
    const expiresAt = Number(signed.readBigUInt64BE(NONCE_BYTES));
    // Another text of the same bytes would be spent a second time.
    return expiresAt > this.#now() && bytes.toString('base64url') === challenge ? expiresAt : undefined;
  }

  #sign(signed: Buffer): Buffer {
    return createHmac('sha256', this.#key).update(signed).digest();
  }
}

/** Whom a passkey is being made for. */
export interface Newcomer {
  readonly operatorId: string;
  readonly name: string;
  readonly codeHash: string;
}

interface Kept {
  readonly challenge: string;
  readonly newcomer: Newcomer;
  readonly expiresAt: number;
}

/** To make a passkey with. The code must be valid: so there are as many codes here as invitations. */
export class CreationChallenges {
  /** By the hash of the code, oldest first. */
  readonly #kept = new Map<string, readonly Kept[]>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  make(newcomer: Newcomer): string {
    const challenge = newToken();
    this.#forgetExpired();
    const own = this.#kept.get(newcomer.codeHash) ?? [];
    this.#kept.set(newcomer.codeHash, [...own, { challenge, newcomer, expiresAt: this.#now() + CHALLENGE_MS }].slice(-KEPT_FOR_A_CODE));
    return challenge;
  }

  /** True while a passkey is being made with this code, or was just too late. */
  isAwaited(codeHash: string): boolean {
    return this.#kept.has(codeHash);
  }

  /** @returns whom it was for, unless it has expired; it is used up by this. */
  use(challenge: string): Newcomer | undefined {
    for (const [codeHash, own] of this.#kept) {
      const found = own.find((one) => one.challenge === challenge);
      if (found === undefined) continue;
      const rest = own.filter((one) => one !== found);
      this.#keep(codeHash, rest);
      return found.expiresAt > this.#now() ? found.newcomer : undefined;
    }
    return undefined;
  }

  #forgetExpired(): void {
    for (const [codeHash, own] of this.#kept)
      this.#keep(
        codeHash,
        own.filter(({ expiresAt }) => expiresAt > this.#now()),
      );
  }

  #keep(codeHash: string, own: readonly Kept[]): void {
    if (own.length === 0) this.#kept.delete(codeHash);
    else this.#kept.set(codeHash, own);
  }
}
