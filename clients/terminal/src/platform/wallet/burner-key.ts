/**
 * The key of the burner wallet: made in this browser, kept in its IndexedDB, for trying things out on a test chain.
 * Anyone with access to this browser profile can read it; the wallet says so wherever it appears.
 */
import { generatePrivateKey } from 'viem/accounts';
import type { Hex } from 'viem';

const DATABASE = 'orrery-burner';
const STORE = 'keys';
const KEY = 'burner';

function done<Result>(request: IDBRequest<Result>): Promise<Result> {
  const { promise, resolve, reject } = Promise.withResolvers<Result>();
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(new Error('the browser does not keep the burner key', { cause: request.error }));
  return promise;
}

async function open(): Promise<IDBDatabase> {
  const request = indexedDB.open(DATABASE, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(STORE);
  return done(request);
}

const isKey = (value: unknown): value is Hex => typeof value === 'string' && /^0x[0-9a-f]{64}$/.test(value);

/** The key kept here, or `undefined` when this browser has no burner wallet yet. */
export async function readBurnerKey(): Promise<Hex | undefined> {
  const database = await open();
  const value: unknown = await done(database.transaction(STORE).objectStore(STORE).get(KEY));
  database.close();
  return isKey(value) ? value : undefined;
}

/** The key kept here, made now when there is none. */
export async function openBurnerKey(): Promise<Hex> {
  const known = await readBurnerKey();
  if (known !== undefined) return known;
  const key = generatePrivateKey();
  const database = await open();
  await done(database.transaction(STORE, 'readwrite').objectStore(STORE).put(key, KEY));
  database.close();
  return key;
}
