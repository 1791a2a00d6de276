/** The keys by which push services know this exchange (VAPID, RFC 8292): made once, in a file of the data folder that only its owner reads. */
import { open, readFile, stat } from 'node:fs/promises';
import webPush from 'web-push';

/** Base64url, as browsers take the public one. */
export interface VapidKeys {
  readonly publicKey: string;
  readonly privateKey: string;
}

const PUBLIC = /^[0-9a-zA-Z_-]{87}$/;
const PRIVATE = /^[0-9a-zA-Z_-]{43}$/;

/**
 * Another pair would make every browser subscribe again, so a file that is there and has none is a failure.
 * @throws Error when it has no keys, or others can read it.
 */
export async function openVapidKeys(path: string): Promise<VapidKeys> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return makeKeys(path);
  if (((await stat(path)).mode & 0o077) !== 0) throw new Error(`${path} can be read by others: make it readable for its owner only`);
  const [publicKey = '', privateKey = ''] = text.split('\n');
  if (!PUBLIC.test(publicKey) || !PRIVATE.test(privateKey)) throw new Error(`${path} has no keys for push messages`);
  return { publicKey, privateKey };
}

async function makeKeys(path: string): Promise<VapidKeys> {
  const keys = webPush.generateVAPIDKeys();
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(`${keys.publicKey}\n${keys.privateKey}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  return keys;
}
