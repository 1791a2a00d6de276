/**
 * The half of the exchange in the stretching of a passphrase (RFC 9497): the page sends it blinded, and without the key that is used here, which is in
 * no database, a guess of it can not be tried. Each account has a key of its own.
 */
import { ristretto255_oprf as suite } from '@noble/curves/ed25519.js';
import { ApiError } from '@orrery/api';
import type { AccountId } from '@orrery/units';

export class PassphraseStretch {
  readonly #seed: Uint8Array;

  /** @param seed 32 bytes */
  constructor(seed: Uint8Array) {
    this.#seed = Uint8Array.from(seed);
  }

  /**
   * @param source the account from which the wallet is or was made: what another account asks for says nothing of it
   * @throws ApiError MalformedField for what is no element
   */
  evaluate(source: AccountId, blinded: string): string {
    const { secretKey } = suite.oprf.deriveKeyPair(this.#seed, new TextEncoder().encode(`passphrase of account ${source}`));
    try {
      return Buffer.from(suite.oprf.blindEvaluate(secretKey, Uint8Array.from(Buffer.from(blinded, 'base64url')))).toString('base64url');
    } catch (cause) {
      throw new ApiError('MalformedField', { field: 'blinded', cause });
    }
  }
}
