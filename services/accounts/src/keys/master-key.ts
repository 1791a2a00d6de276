/** The key that wraps keys. Where it is, and what wraps with it, is behind a port: by default a file, elsewhere a service that never hands it out. */
import { createHash } from 'node:crypto';
import { mkdir, open, readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { newKey, secretBox, KEY_BYTES } from '../sealed-secret.ts';

/** Nothing is opened or made with this master key, and one sentence says why. */
export class MasterKeyError extends Error {
  override readonly name = 'MasterKeyError';
}

export interface MasterKey {
  /** Another one for each key, and nothing of the key: at most 64 characters. */
  readonly id: string;
  /** @param boundTo the wrapped bytes unwrap as this only */
  wrap(key: Buffer, boundTo: string): Promise<Buffer>;
  /** @throws Error when they are not what was wrapped */
  unwrap(wrapped: Buffer, boundTo: string): Promise<Buffer>;
  /** What sealed secrets before keys were wrapped; where it is not given there is nothing of that time. */
  readonly sealedBefore?: Buffer | undefined;
}

/**
 * The master key in a file: 32 bytes, readable for its owner only. Undefined where there is no file.
 * @throws MasterKeyError when the file is no key or others can read it
 */
export async function readMasterKey(keyFile: string): Promise<MasterKey | undefined> {
  const key = await readFile(keyFile).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (key === undefined) return undefined;
  if (key.length !== KEY_BYTES) throw new MasterKeyError(`${keyFile} holds no key: it must be ${KEY_BYTES} bytes.`);
  if (((await stat(keyFile)).mode & 0o077) !== 0)
    throw new MasterKeyError(`${keyFile} can be read by others: make it readable for its owner only.`);
  return { ...masterKeyOf(key), sealedBefore: key };
}

/** Makes the file, mode 0600. @throws Error when it is there */
export async function makeMasterKey(keyFile: string): Promise<MasterKey> {
  await mkdir(dirname(keyFile), { recursive: true });
  const key = newKey();
  const file = await open(keyFile, 'wx', 0o600);
  try {
    await file.writeFile(key);
    await file.sync();
  } finally {
    await file.close();
  }
  const folder = await open(dirname(keyFile));
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
  return masterKeyOf(key);
}

function masterKeyOf(key: Buffer): MasterKey {
  const box = secretBox(key);
  return {
    id: createHash('sha256').update(box.keyFor('id of the master key')).digest('hex').slice(0, 16),
    wrap: async (wish, boundTo) => box.sealBytes(wish, boundTo),
    unwrap: async (wrapped, boundTo) => box.openBytes(wrapped, boundTo),
  };
}
