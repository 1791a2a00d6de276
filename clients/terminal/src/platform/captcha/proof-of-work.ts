/** Solves a proof of work: some hundred derivations by the browser's own cryptography, about half a second. */
import type { ProofOfWork, SolvedWork } from '@orrery/api';

const COUNTER_BYTES = 4;
/** Beyond the counters that the exchange takes: the challenge is not one of those. */
const COUNTER_MAX = 100_000;

const bytesOf = (hex: string): Uint8Array<ArrayBuffer> => Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
const hexOf = (bytes: ArrayBuffer): string => Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');

export async function solve({ parameters }: ProofOfWork): Promise<SolvedWork['solution'] | undefined> {
  const { cost, keyLength, keyPrefix } = parameters;
  const nonce = bytesOf(parameters.nonce);
  const algorithm = { name: 'PBKDF2', hash: 'SHA-256', salt: bytesOf(parameters.salt), iterations: cost };
  const password = new Uint8Array(nonce.length + COUNTER_BYTES);
  password.set(nonce);
  for (let counter = 0; counter <= COUNTER_MAX; counter += 1) {
    new DataView(password.buffer).setUint32(nonce.length, counter);
    const key = await crypto.subtle.importKey('raw', password, 'PBKDF2', false, ['deriveBits']);
    const derivedKey = hexOf(await crypto.subtle.deriveBits(algorithm, key, keyLength * 8));
    if (derivedKey.startsWith(keyPrefix)) return { counter, derivedKey };
  }
  return undefined;
}
