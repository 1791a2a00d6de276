/** Codes and tokens: chance for the bearer, a hash for us. */
import { createHash, randomBytes } from 'node:crypto';

const TOKEN_BYTES = 32;
const CODE_BYTES = 15;
const ID_BYTES = 16;

const random = (bytes: number): string => randomBytes(bytes).toString('base64url');

export const newToken = (): string => random(TOKEN_BYTES);
/** 120 bits that a person may have to type. */
export const newCode = (): string => random(CODE_BYTES);
export const newId = (): string => random(ID_BYTES);

export const hashSecret = (secret: string): string => createHash('sha256').update(secret).digest('hex');
