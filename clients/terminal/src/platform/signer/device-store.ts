/** The share of this device, in the storage of the signing page's origin: encrypted under a key that no script can read out of the browser. */

const DATABASE = 'orrery-signer';
const STORE = 'wallets';

export interface DeviceShare {
  readonly share: Uint8Array;
  /** By which the exchange knows this browser. */
  readonly device: string;
}

interface Stored {
  readonly key: CryptoKey;
  readonly iv: Uint8Array<ArrayBuffer>;
  readonly cipher: ArrayBuffer;
}

const DEVICE_BYTES = 43;

function done<Result>(request: IDBRequest<Result>): Promise<Result> {
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(unkept(request.error));
  return promise;
}

async function open(): Promise<IDBDatabase> {
  const request = indexedDB.open(DATABASE, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(STORE);
  return done(request);
}

/** What is kept beside the share in use until the exchange has the others. */
const NEXT = 'next';
const nameOf = (address: string, isNext = false): string => `${address.toLowerCase()}${isNext ? `.${NEXT}` : ''}`;

/** A failure means that this browser keeps nothing; it ends what is done before anything depends on the share. */
const unkept = (cause?: unknown): Error => new Error('this browser does not keep the wallet: allow storage for this site', { cause });

/**
 * Writes the share and reads it back, beside the one in use, which it replaces by `useNextShare`.
 * @throws Error in words for the person when the browser does not keep it.
 */
export async function keepNextShare(address: string, { share, device }: DeviceShare): Promise<void> {
  const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const plain = new Uint8Array([...new TextEncoder().encode(device), ...share]);
  const stored: Stored = { key, iv, cipher: await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, plain) };
  await write((store) => store.put(stored, nameOf(address, true)));
  const kept = await readShare(nameOf(address, true));
  if (kept?.device !== device || kept.share.some((byte, index) => byte !== share[index])) throw unkept();
}

/** The exchange has the shares that belong to it. */
export async function useNextShare(address: string): Promise<void> {
  const next = await readStored(nameOf(address, true));
  if (next === undefined) throw unkept();
  await write((store) => {
    store.put(next, nameOf(address));
    return store.delete(nameOf(address, true));
  });
}

/** The exchange takes the share in use no more; one that was kept beside it may be the good one. */
export async function dropDeviceShare(address: string): Promise<void> {
  if ((await readStored(nameOf(address, true))) !== undefined) return useNextShare(address);
  return write((store) => store.delete(nameOf(address)));
}

/** One transaction: all of it is written, or nothing. */
async function write(change: (store: IDBObjectStore) => IDBRequest): Promise<void> {
  const database = await open();
  const transaction = database.transaction(STORE, 'readwrite');
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  transaction.oncomplete = () => resolve();
  transaction.onabort = () => reject(unkept(transaction.error));
  change(transaction.objectStore(STORE));
  await promise.finally(() => database.close());
}

async function readStored(name: string): Promise<Stored | undefined> {
  const database = await open();
  // Nobody else writes to this store.
  const stored = (await done(database.transaction(STORE).objectStore(STORE).get(name))) as Stored | undefined;
  database.close();
  return stored;
}

/** `undefined` where this browser has no share of this wallet. */
export const readDeviceShare = async (address: string): Promise<DeviceShare | undefined> =>
  // The page may have been closed before it heard that the exchange has the others.
  (await readShare(nameOf(address))) ?? readShare(nameOf(address, true));

async function readShare(name: string): Promise<DeviceShare | undefined> {
  const stored = await readStored(name);
  if (stored === undefined) return undefined;
  const plain = new Uint8Array(await crypto.subtle.decrypt({ name: 'AES-GCM', iv: stored.iv }, stored.key, stored.cipher));
  return { device: new TextDecoder().decode(plain.subarray(0, DEVICE_BYTES)), share: plain.slice(DEVICE_BYTES) };
}
