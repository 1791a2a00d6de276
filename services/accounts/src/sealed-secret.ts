/** Secrets that must be readable again: sealed with AES-256-GCM under a key that the database has only wrapped, by the master key. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

export const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;

export interface SecretBox {
  /** @param owner is bound to the sealed text: it opens for the same owner only. */
  seal(secret: string, owner: string): Buffer;
  open(sealed: Buffer, owner: string): string;
  /** Another key of 32 bytes for each purpose, always the same. */
  keyFor(purpose: string): Buffer;
}

/** The same for bytes. */
export interface ByteBox extends SecretBox {
  sealBytes(secret: Uint8Array, owner: string): Buffer;
  /** @throws Error when they are not what was sealed */
  openBytes(sealed: Buffer, owner: string): Buffer;
}

export const newKey = (): Buffer => randomBytes(KEY_BYTES);

/** @param key 32 bytes */
export function secretBox(key: Buffer): ByteBox {
  const sealBytes = (secret: Uint8Array, owner: string): Buffer => {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(owner));
    return Buffer.concat([iv, cipher.update(secret), cipher.final(), cipher.getAuthTag()]);
  };
  const openBytes = (sealed: Buffer, owner: string): Buffer => {
    const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(owner)).setAuthTag(sealed.subarray(sealed.length - TAG_BYTES));
    return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES, sealed.length - TAG_BYTES)), decipher.final()]);
  };
  return {
    sealBytes,
    openBytes,
    seal: (secret, owner) => sealBytes(Buffer.from(secret, 'utf8'), owner),
    open: (sealed, owner) => openBytes(sealed, owner).toString('utf8'),
    keyFor: (purpose) => Buffer.from(hkdfSync('sha256', key, '', purpose, KEY_BYTES)),
  };
}
