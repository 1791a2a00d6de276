/** Secrets that must be readable again: sealed with AES-256-GCM under a key that lies in a file, not in the database. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { mkdir, open, readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;

export interface SecretBox {
  /** @param owner is bound to the sealed text: it opens for the same owner only. */
  seal(secret: string, owner: string): Buffer;
  open(sealed: Buffer, owner: string): string;
  /** Another key of 32 bytes for each purpose, always the same. */
  keyFor(purpose: string): Buffer;
}

/** Makes the key file (mode 0600) when there is none. */
export async function openSecretBox(keyFile: string): Promise<SecretBox> {
  const key = (await readKey(keyFile)) ?? (await makeKey(keyFile));
  return {
    seal(secret, owner) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(owner));
      return Buffer.concat([iv, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    },
    open(sealed, owner) {
      const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.from(owner)).setAuthTag(sealed.subarray(sealed.length - TAG_BYTES));
      const body = sealed.subarray(IV_BYTES, sealed.length - TAG_BYTES);
      return Buffer.concat([decipher.update(body), decipher.final()]).toString('utf8');
    },
    keyFor: (purpose) => Buffer.from(hkdfSync('sha256', key, '', purpose, KEY_BYTES)),
  };
}

async function readKey(keyFile: string): Promise<Buffer | undefined> {
  const key = await readFile(keyFile).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (key === undefined) return undefined;
  if (key.length !== KEY_BYTES) throw new Error(`${keyFile} holds no key: it must be ${KEY_BYTES} bytes`);
  if (((await stat(keyFile)).mode & 0o077) !== 0) throw new Error(`${keyFile} can be read by others: make it readable for its owner only`);
  return key;
}

async function makeKey(keyFile: string): Promise<Buffer> {
  await mkdir(dirname(keyFile), { recursive: true });
  const key = randomBytes(KEY_BYTES);
  const file = await open(keyFile, 'wx', 0o600);
  try {
    await file.writeFile(key);
    await file.sync();
  } finally {
    await file.close();
  }
  return key;
}
