/**
 * Which key signed: recovery on secp256k1 by the curve's own C library, Keccak in WebAssembly. Both come ready-made inside their packages; where
 * there is no build of the library for the machine, viem's JavaScript takes its place.
 */
import { createRequire } from 'node:module';
import { assert } from '@orrery/units';
import { createKeccak } from 'hash-wasm';

/** The address, lower case, whose key made `signature` of a digest; undefined when no key did, or not in the one form that is taken. */
export type SignerOf = (digest: Uint8Array, signature: Uint8Array) => Promise<string | undefined>;

/** The 64 bytes of an uncompressed public key, without its first byte. Throws when there is none. */
type Recover = (digest: Uint8Array, compact: Uint8Array, recovery: number) => Uint8Array | Promise<Uint8Array>;

export interface SignatureTools {
  readonly signerOf: SignerOf;
  /** The digest of a text as wallets sign it with `personal_sign` (EIP-191). */
  readonly digestOf: (text: string) => Uint8Array;
}

const SIGNATURE_BYTES = 65;
const FIRST_RECOVERY = 27;
const HALF_ORDER = Buffer.from('7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0', 'hex');

export async function loadSignatureTools(recover?: Recover): Promise<SignatureTools> {
  const hasher = await createKeccak(256);
  const keccak = (bytes: Uint8Array): Uint8Array => hasher.init().update(bytes).digest('binary');
  const recoverKey = recover ?? nativeRecover() ?? portableRecover;
  return {
    digestOf(text) {
      const bytes = Buffer.from(text, 'utf8');
      return keccak(Buffer.concat([Buffer.from(`\x19Ethereum Signed Message:\n${bytes.length}`, 'latin1'), bytes]));
    },
    async signerOf(digest, signature) {
      if (!isCanonical(signature)) return undefined;
      try {
        const key = await recoverKey(digest, signature.subarray(0, SIGNATURE_BYTES - 1), recoveryOf(signature));
        return `0x${Buffer.from(keccak(key).subarray(12)).toString('hex')}`;
      } catch {
        return undefined;
      }
    },
  };
}

/** 65 bytes, recovery 27 or 28, or 0 or 1 as some wallets write it, and the lower of the two equal `s`. */
function isCanonical(signature: Uint8Array): boolean {
  if (signature.length !== SIGNATURE_BYTES) return false;
  const recovery = recoveryOf(signature);
  return (recovery === 0 || recovery === 1) && HALF_ORDER.compare(signature, 32, SIGNATURE_BYTES - 1) >= 0;
}

function recoveryOf(signature: Uint8Array): number {
  const last = signature[SIGNATURE_BYTES - 1] ?? 0;
  return last < FIRST_RECOVERY ? last : last - FIRST_RECOVERY;
}

/** The package's own way to its library: its main entry would silently fall back to a JavaScript library. */
export function nativeRecover(): Recover | undefined {
  const require = createRequire(import.meta.url);
  let library: unknown;
  try {
    library = require('secp256k1/bindings.js');
  } catch {
    return undefined;
  }
  const recover: unknown = typeof library === 'object' && library !== null ? Reflect.get(library, 'ecdsaRecover') : undefined;
  assert(typeof recover === 'function', 'the library recovers keys');
  return (digest, compact, recovery) => {
    const key: unknown = recover(compact, recovery, digest, false);
    assert(key instanceof Uint8Array && key.length === SIGNATURE_BYTES, 'a key has 65 bytes');
    return key.subarray(1);
  };
}

/** Some twenty-five times slower. */
export const portableRecover: Recover = async (digest, compact, recovery) => {
  // Loaded where it is needed only: it is large.
  const { concat, recoverPublicKey, toBytes, toHex } = await import('viem');
  const signature = concat([compact, Uint8Array.of(recovery + 27)]);
  return toBytes(await recoverPublicKey({ hash: toHex(digest), signature })).subarray(1);
};
