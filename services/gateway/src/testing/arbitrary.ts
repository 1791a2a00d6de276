/** For tests: values that fit a schema, by chance. */
import * as fc from 'fast-check';

export interface Shape {
  readonly type?: string;
  readonly anyOf?: readonly Shape[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: Shape | readonly Shape[];
  readonly prefixItems?: readonly Shape[];
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[] | undefined;
}

/** Kept by schema, and strings by their pattern: what a pattern allows takes milliseconds to work out, and every venue asks for all of it. */
const known = new WeakMap<Shape, fc.Arbitrary<unknown>>();
const matching = new Map<string, fc.Arbitrary<string>>();

export function arbitraryOf(schema: Shape): fc.Arbitrary<unknown> {
  const arbitrary = known.get(schema) ?? made(schema);
  known.set(schema, arbitrary);
  return arbitrary;
}

function made(schema: Shape): fc.Arbitrary<unknown> {
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map(arbitraryOf));
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if ('const' in schema) return fc.constant(schema.const);
  switch (schema.type) {
    case 'string':
      return stringOf(schema);
    case 'integer':
    case 'number':
      return fc.integer({ min: schema.minimum ?? 0, max: Math.min(schema.maximum ?? 1_000, Number.MAX_SAFE_INTEGER) });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return arrayOf(schema);
    case 'object':
      return objectOf(schema);
    default:
      return fc.constant(null);
  }
}

function stringOf({ pattern, minLength = 0, maxLength = 40 }: Shape): fc.Arbitrary<string> {
  if (pattern === undefined) return fc.string({ minLength, maxLength: Math.min(maxLength, minLength + 40) });
  const text = matching.get(pattern) ?? fc.stringMatching(new RegExp(pattern));
  matching.set(pattern, text);
  return text.filter((text) => text.length >= minLength && text.length <= maxLength);
}

function arrayOf({ items, prefixItems, minItems = 0, maxItems = 4 }: Shape): fc.Arbitrary<unknown> {
  const places = prefixItems ?? (Array.isArray(items) ? (items as readonly Shape[]) : undefined);
  if (places !== undefined) return fc.tuple(...places.map(arbitraryOf));
  return fc.array(arbitraryOf((items ?? {}) as Shape), { minLength: minItems, maxLength: Math.min(maxItems, minItems + 4) });
}

function objectOf({ properties = {}, required = [] }: Shape): fc.Arbitrary<unknown> {
  return fc.record(Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, arbitraryOf(property)])), {
    requiredKeys: [...required],
  });
}

const samples = new WeakMap<Shape, unknown>();

/** One value that fits, always the same; nobody changes it. */
export function sampleOf(schema: Shape): unknown {
  if (!samples.has(schema)) samples.set(schema, fc.sample(arbitraryOf(schema), { seed: 1, numRuns: 1 })[0]);
  return samples.get(schema);
}
