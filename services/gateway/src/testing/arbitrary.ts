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

export function arbitraryOf(schema: Shape): fc.Arbitrary<unknown> {
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
  return fc.stringMatching(new RegExp(pattern)).filter((text) => text.length >= minLength && text.length <= maxLength);
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

/** One value that fits, always the same. */
export const sampleOf = (schema: Shape, seed = 1): unknown => fc.sample(arbitraryOf(schema), { seed, numRuns: 1 })[0];
