/** Argon2id for what people can remember or write down: on the threads of libuv, so that the thread that carries orders waits for none of it. */
import { argon2, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { ApiError } from '@orrery/api';

/** 19 MiB in KiB, twice, in one lane. */
export const ARGON2 = { parallelism: 1, tagLength: 32, memory: 19_456, passes: 2 } as const;
/** Of the four threads of libuv two are left to the disk, on which each command waits. */
export const HASHES_AT_ONCE = 2;
/** Beyond this number nobody waits: each would get an answer after seconds. */
export const HASHES_WAITING_MAX = 64;
const SALT_BYTES = 16;

const hashBy = promisify(argon2);
const waiting: (() => void)[] = [];
let running = 0;

export const newSalt = (): Buffer => randomBytes(SALT_BYTES);

/** @throws ApiError Overloaded when too many wait. */
export async function slowHash(text: string, salt: Buffer): Promise<Buffer> {
  if (running >= HASHES_AT_ONCE) {
    if (waiting.length >= HASHES_WAITING_MAX) throw new ApiError('Overloaded', { retryAfterSeconds: 5 });
    await new Promise<void>((resolve) => waiting.push(resolve));
  } else running += 1;
  try {
    return await hashBy('argon2id', { ...ARGON2, message: text, nonce: salt });
  } finally {
    // Who waits next takes the place over.
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  }
}
