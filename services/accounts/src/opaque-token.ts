/** Tokens that mean nothing by themselves: 256 bits of chance for the bearer, their hash for us. */
import { createHash, randomBytes } from 'node:crypto';

const TOKEN_BYTES = 32;

export const newToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');

/** Whether a text can be one of these. */
export const isToken = (text: string): boolean => /^[0-9A-Za-z_-]{43}$/.test(text);

export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex');
