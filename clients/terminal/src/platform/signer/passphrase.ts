/**
 * A passphrase, stretched with the exchange and not shown to it (RFC 9497): it is sent blinded, and each evaluation is one of ten tries a day. An attacker with all
 * that the exchange gives out can not guess it without asking again.
 */
import { ristretto255_oprf as suite } from '@noble/curves/ed25519.js';
import { fromText, toText } from './key-shares.ts';

export interface BlindedPassphrase {
  /** For the exchange. */
  readonly blinded: string;
  /** @returns the passphrase as it was stretched, from what the exchange answered. */
  readonly finish: (evaluated: string) => Uint8Array;
}

export function blindPassphrase(passphrase: string): BlindedPassphrase {
  const input = new TextEncoder().encode(passphrase.normalize('NFC'));
  const { blind, blinded } = suite.oprf.blind(input);
  return { blinded: toText(blinded), finish: (evaluated) => suite.oprf.finalize(input, blind, fromText(evaluated)) };
}
