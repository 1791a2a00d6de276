/** A key in three shares, two of which make it whole: of this device, of the exchange, and of recovery, which a passphrase opens. */
import { argon2id } from 'hash-wasm';
import { combine, split } from 'shamir-secret-sharing';
import { bytesToHex, hexToBytes } from 'viem';
import type { Hex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import type { PrivateKeyAccount } from 'viem/accounts';

const SHARES = 3;
const ENOUGH = 2;
const SALT_BYTES = 16;
const IV_BYTES = 12;
/** What a guess of a passphrase costs: 64 MiB, three times over. */
const COST = { parallelism: 1, iterations: 3, memorySize: 65_536, hashLength: 32 } as const;
export const PASSPHRASE_LENGTH_MIN = 10;

export interface KeyShares {
  readonly device: Uint8Array;
  readonly server: Uint8Array;
  readonly recovery: Uint8Array;
}

/** The shares do not belong together, or the passphrase is another. */
export class WrongShares extends Error {
  override readonly name = 'WrongShares';
}

export const newKey = (): Hex => generatePrivateKey();

/** Each time other shares: those of one time make nothing with those of another. */
export async function splitKey(key: Hex): Promise<KeyShares> {
  const [device, server, recovery] = await split(hexToBytes(key), SHARES, ENOUGH);
  if (device === undefined || server === undefined || recovery === undefined) throw new Error('a key is split into three shares');
  return { device, server, recovery };
}

/** @throws WrongShares when they do not make the key of this address. */
export async function combineKey(shares: readonly Uint8Array[], address: string): Promise<{ key: Hex; account: PrivateKeyAccount }> {
  try {
    const key = bytesToHex(await combine([...shares]));
    const account = privateKeyToAccount(key);
    if (account.address.toLowerCase() === address.toLowerCase()) return { key, account };
  } catch {
    // Fewer than two, or no key at all.
  }
  throw new WrongShares('these shares do not make the key of this wallet');
}

/**
 * @param by.stretched the passphrase as the exchange stretched it: see `passphrase.ts`
 * @param by.address is bound to the text: it opens for the same wallet only.
 */
export async function sealRecovery(share: Uint8Array, { stretched, address }: { stretched: Uint8Array; address: string }): Promise<string> {
  const [salt, iv] = [random(SALT_BYTES), random(IV_BYTES)];
  const key = await keyOf(stretched, salt);
  const cipher = await crypto.subtle.encrypt({ name: 'AES-GCM', iv, additionalData: bytesOf(address) }, key, new Uint8Array(share));
  return ['v2', toText(salt), toText(iv), toText(new Uint8Array(cipher))].join('.');
}

export interface RecoveryKey {
  /** Opens what was sealed before passphrases were stretched. */
  readonly passphrase: string;
  readonly stretched: Uint8Array;
  readonly address: string;
}

/** @throws WrongShares for another passphrase or another wallet. */
export async function openRecovery(sealed: string, { passphrase, stretched, address }: RecoveryKey): Promise<Uint8Array> {
  const [version, salt, iv, cipher] = sealed.split('.');
  if ((version !== 'v1' && version !== 'v2') || salt === undefined || iv === undefined || cipher === undefined)
    throw new WrongShares('this is no recovery share');
  const key = await keyOf(version === 'v1' ? passphrase.normalize('NFC') : stretched, fromText(salt));
  try {
    const parameters = { name: 'AES-GCM', iv: fromText(iv), additionalData: bytesOf(address) };
    return new Uint8Array(await crypto.subtle.decrypt(parameters, key, fromText(cipher)));
  } catch (cause) {
    throw new WrongShares('the passphrase is wrong', { cause });
  }
}

const random = (length: number): Uint8Array<ArrayBuffer> => crypto.getRandomValues(new Uint8Array(length));
const bytesOf = (address: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(address.toLowerCase());

async function keyOf(password: string | Uint8Array, salt: Uint8Array): Promise<CryptoKey> {
  const hash = await argon2id({ ...COST, password, salt, outputType: 'binary' });
  return crypto.subtle.importKey('raw', new Uint8Array(hash), 'AES-GCM', false, ['encrypt', 'decrypt']);
}

/** 256 bits that name this browser to the exchange. */
export const newDeviceSecret = (): string => toText(random(32));

/** base64url without padding. */
export const toText = (bytes: Uint8Array): string =>
  btoa(String.fromCodePoint(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

export function fromText(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(binary, (letter) => letter.codePointAt(0) ?? 0);
}
