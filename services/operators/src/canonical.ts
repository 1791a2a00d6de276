/** One text for one value, whatever order its fields were written in, so that a hash is of the value and of nothing else. */
import { createHash } from 'node:crypto';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [field: string]: Json | undefined };

/** Fields in order of their names; those that are undefined are left out. */
export function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value as { readonly [field: string]: Json | undefined })
    .filter((field): field is [string, Json] => field[1] !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`).join(',')}}`;
}

/** SHA-256 of the canonical text, as 0x and 64 hex digits. */
export const hashOf = (value: Json): string => `0x${createHash('sha256').update(canonical(value)).digest('hex')}`;
