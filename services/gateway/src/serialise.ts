/** Response schemas as the serialiser likes them: `anyOf` with null becomes `nullable`, and what only validators read is left out. */
import { envelope } from '@orrery/api';
import type { TSchema } from 'typebox';

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

const ONLY_FOR_VALIDATORS: ReadonlySet<string> = new Set(['pattern', 'minLength', 'maxLength', 'minimum', 'maximum', 'description', 'examples', 'default', 'enum']);

/** The schema of the whole answer, whose `data` is `schema`. Fields that are not in it never leave. */
export function responseSchema(schema: TSchema): object {
  return lean(JSON.parse(JSON.stringify(envelope(schema)))) as object;
}

function lean(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(lean);
  if (typeof schema !== 'object' || schema === null) return schema;
  const node = schema as { readonly [key: string]: Json };
  const choices = node['anyOf'];
  if (Array.isArray(choices)) {
    const others = choices.filter((choice) => !isNull(choice)).map(lean);
    const [only] = others;
    if (others.length === 1 && typeof only === 'object' && only !== null) return { ...only, nullable: true };
  }
  const values = node['enum'];
  const typed = Array.isArray(values) ? { type: values.every((value) => typeof value === 'number') ? 'integer' : 'string' } : {};
  const properties = node['properties'];
  const kept = Object.entries(node).filter(([key]) => key !== 'properties' && !ONLY_FOR_VALIDATORS.has(key));
  return {
    ...typed,
    ...Object.fromEntries(kept.map(([key, value]) => [key, lean(value)])),
    ...(typeof properties === 'object' && properties !== null
      ? { properties: Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, lean(value)])) }
      : {}),
  };
}

const isNull = (schema: Json): boolean =>
  typeof schema === 'object' && schema !== null && !Array.isArray(schema) && (schema as { readonly [key: string]: Json })['type'] === 'null';
