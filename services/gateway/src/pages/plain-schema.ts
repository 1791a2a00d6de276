import type { Schema } from './reference-schema.ts';

/** A schema without what only our tools see in it, and with tuples as JSON Schema 2020-12 writes them. */
export const plain = (schema: object): Schema =>
  JSON.parse(JSON.stringify(schema), (_key, value: unknown) => {
    if (typeof value !== 'object' || value === null || !('items' in value) || !Array.isArray(value.items)) return value;
    const { items, additionalItems: _, ...rest } = value as { items: unknown; additionalItems?: unknown };
    return { ...rest, prefixItems: items, items: false };
  });
