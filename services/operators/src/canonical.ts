/** One text for one value, whatever order its fields were written in (RFC 8785), so that a hash is of the value and of nothing else. */
import { ApiError } from '@orrery/api';
import canonicalize from 'canonicalize';
import { createHash } from 'node:crypto';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [field: string]: Json | undefined };

/** Fields that are undefined are left out. @throws MalformedField when a text is no Unicode: half of a surrogate pair. */
export function canonical(value: Json): string {
  try {
    return canonicalize(value) ?? '';
  } catch (cause) {
    throw new ApiError('MalformedField', { message: 'a text is no Unicode', cause });
  }
}

/** SHA-256 of the canonical text, as 0x and 64 hex digits. */
export const hashOf = (value: Json): string => `0x${createHash('sha256').update(canonical(value)).digest('hex')}`;
