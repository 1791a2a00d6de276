/** Response schemas as the serialiser likes them: `anyOf` with null becomes `nullable`, and what only validators read is left out. */
import { envelope } from '@orrery/api';
import compile from 'fast-json-stringify';
import type { TSchema } from 'typebox';

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

const ONLY_FOR_VALIDATORS: ReadonlySet<string> = new Set([
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'description',
  'examples',
  'default',
  'enum',
]);

export interface Answers {
  /** Of the whole answer, whose `data` is what the route answers. */
  readonly schema: object;
  /** As text. Fields that are not in the schema never leave. */
  readonly serialise: (answer: unknown) => string;
}

/** By the schema of `data`, compiled once: a route with aliases answers by it at each of its paths. */
const compiled = new WeakMap<TSchema, Answers>();

export function answersOf(data: TSchema): Answers {
  const known = compiled.get(data);
  if (known !== undefined) return known;
  const schema = responseSchema(data);
  const answers: Answers = { schema, serialise: compile(schema) };
  compiled.set(data, answers);
  return answers;
}

/** The schema of the whole answer, whose `data` is `schema`. */
function responseSchema(schema: TSchema): object {
  return lean(JSON.parse(JSON.stringify(envelope(schema)))) as object;
}

function lean(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(lean);
  if (!isNode(schema)) return schema;
  const choices = schema['anyOf'];
  if (Array.isArray(choices)) {
    const others = choices.filter((choice) => !isNull(choice)).map(lean);
    const [only] = others;
    if (others.length === 1 && isNode(only)) return { ...only, nullable: true };
  }
  const values = schema['enum'];
  const typed = Array.isArray(values) ? { type: values.every((value) => typeof value === 'number') ? 'integer' : 'string' } : {};
  const properties = schema['properties'];
  const kept = Object.entries(schema).filter(([key]) => key !== 'properties' && !ONLY_FOR_VALIDATORS.has(key));
  return {
    ...typed,
    ...Object.fromEntries(kept.map(([key, value]) => [key, lean(value)])),
    ...(typeof properties === 'object' && properties !== null
      ? { properties: Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, lean(value)])) }
      : {}),
  };
}

type Node = { readonly [key: string]: Json };

const isNode = (json: Json | undefined): json is Node => typeof json === 'object' && json !== null && !Array.isArray(json);

const isNull = (schema: Json): boolean => isNode(schema) && schema['type'] === 'null';
