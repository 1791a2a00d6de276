/** Text from outside becomes parameters and values, or is refused: no control characters, no repeated names, no deep nesting, no prototypes. */
import { ApiError } from '@orrery/api';
import { membersWritten, repeatedKeyOf } from './repeated-key.ts';

export type Parameters = readonly (readonly [name: string, value: string])[];

const NO_PARAMETERS: Parameters = [];
const PARAMETERS_MAX = 40;

/** Everything below a space but the line feed of signed messages, DEL, and the C1 controls. */
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const CONTROL = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/;
// oxlint-disable-next-line no-control-regex
const NOT_ASCII = /[^\u0000-\u007f]/;
/** Printable ASCII without escapes: every string in such a JSON text is clean. */
const PLAIN = /^[\u0020-\u005b\u005d-\u007e]*$/;
const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** The parameters of a request's address, decoded, in the order in which they were sent. */
export function queryOf(url: string): Parameters {
  const start = url.indexOf('?');
  if (start === -1 || start === url.length - 1) return NO_PARAMETERS;
  const parts = url.slice(start + 1).split('&');
  if (parts.length > PARAMETERS_MAX) throw new ApiError('UriTooLong');
  const seen = new Set<string>();
  return parts
    .filter((part) => part !== '')
    .map((part) => {
      const equals = part.indexOf('=');
      const name = decoded(equals === -1 ? part : part.slice(0, equals), 'a parameter name');
      const value = equals === -1 ? '' : decoded(part.slice(equals + 1), name);
      if (seen.has(name)) throw new ApiError('RepeatedField', { field: printable(name) });
      seen.add(name);
      return [name, value] as const;
    });
}

function decoded(text: string, field: string): string {
  if (!text.includes('%') && !text.includes('+') && !CONTROL.test(text) && !NOT_ASCII.test(text)) return text;
  try {
    return clean(decodeURIComponent(text.replaceAll('+', ' ')), field);
  } catch (cause) {
    if (cause instanceof ApiError) throw cause;
    throw new ApiError('MalformedField', { field: printable(field) });
  }
}

/** JSON text as a value whose every string and key is clean, and every key given once. */
export function jsonOf(text: string, depthMax: number): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ApiError('MalformedBody');
  }
  const members = inspect(value, { field: 'body', depthLeft: depthMax, isPlain: PLAIN.test(text) });
  // Of two members of one name the parser keeps the last, another reader the first: what would the signature be of?
  if (members < membersWritten(text)) throw new ApiError('RepeatedField', { field: printable(repeatedKeyOf(text)) });
  return value;
}

interface Inspection {
  readonly field: string;
  readonly depthLeft: number;
  readonly isPlain: boolean;
}

/** @returns how many members the objects in it have. */
function inspect(value: unknown, { field, depthLeft, isPlain }: Inspection): number {
  if (typeof value === 'string' && !isPlain) clean(value, field);
  if (typeof value !== 'object' || value === null) return 0;
  if (depthLeft === 0) throw new ApiError('MalformedBody', { message: 'the body is nested too deeply' });
  let members = 0;
  if (Array.isArray(value)) {
    for (const item of value) members += inspect(item, { field, depthLeft: depthLeft - 1, isPlain });
    return members;
  }
  for (const key of Object.keys(value)) {
    if (!isPlain) clean(key, 'a field name');
    if (FORBIDDEN_KEYS.has(key)) throw new ApiError('UnknownField', { field: key });
    const item: unknown = Reflect.get(value, key);
    members += 1;
    if (!isPlain || typeof item === 'object') members += inspect(item, { field: key, depthLeft: depthLeft - 1, isPlain });
  }
  return members;
}

function clean(text: string, field: string): string {
  if (CONTROL.test(text)) throw new ApiError('MalformedField', { field: printable(field) });
  if (NOT_ASCII.test(text) && (!text.isWellFormed() || text.normalize('NFC') !== text)) {
    throw new ApiError('MalformedField', { field: printable(field) });
  }
  return text;
}

/** A name from outside, fit to be repeated in an answer. */
export function printable(name: string): string {
  return /^[\w .$-]{1,64}$/.test(name) ? name : 'a field';
}
