/** What a reader of the API wants to know of a schema: its fields with their types and bounds, and an example. */

/** JSON Schema as `openapi.ts` writes it. */
export interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema | false;
  readonly prefixItems?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
}

export interface Field {
  /** As a path from the top: `list[].price`. */
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  /** The sentence about it, its bounds, its default and an example. */
  readonly notes: readonly string[];
}

/** Of this many choices all are listed; of more the reader gets these and an ellipsis. */
const CHOICES_MAX = 24;
/** Deeper schemas are not listed: none of ours is. */
const DEPTH_MAX = 6;

/** The fields of an object, those of objects inside it below their own. */
export function fieldsOf(schema: Schema, { path = '', depth = 0 }: { path?: string; depth?: number } = {}): readonly Field[] {
  if (depth > DEPTH_MAX) return [];
  const inner = insideOf(schema);
  if (inner.schema.properties === undefined) return [];
  const prefix = `${path}${inner.suffix}`;
  const required = new Set(inner.schema.required);
  return Object.entries(inner.schema.properties).flatMap(([key, field]) => {
    const name = prefix === '' ? key : `${prefix}.${key}`;
    const own = { name, type: typeOf(field), isRequired: required.has(key), notes: notesOf(field) };
    return [own, ...fieldsOf(field, { path: name, depth: depth + 1 })];
  });
}

/** The object that an array or a choice with null holds. */
function insideOf(schema: Schema): { schema: Schema; suffix: string } {
  const [only, ...others] = schema.anyOf?.filter(({ type }) => type !== 'null') ?? [];
  if (only !== undefined && others.length === 0) return insideOf(only);
  if (schema.items) {
    const { schema: item, suffix } = insideOf(schema.items);
    return { schema: item, suffix: `[]${suffix}` };
  }
  return { schema, suffix: '' };
}

export function typeOf(schema: Schema): string {
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeOf).join(' | ');
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return typeof schema.enum[0] === 'number' ? 'integer' : 'string';
  if (schema.prefixItems !== undefined) return `[${schema.prefixItems.map(typeOf).join(', ')}]`;
  if (schema.items) return `${typeOf(schema.items)}[]`;
  return schema.type ?? 'any';
}

export function notesOf(schema: Schema): readonly string[] {
  const choices = choicesOf(schema);
  const { minimum, maximum } = schema;
  return [
    schema.description ?? '',
    choices.length === 0 ? '' : `one of ${choices.slice(0, CHOICES_MAX).join(', ')}${choices.length > CHOICES_MAX ? ', …' : ''}`,
    minimum === undefined ? '' : `from ${minimum}`,
    maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? '' : `up to ${maximum}`,
    schema.maxItems === undefined ? '' : `at most ${schema.maxItems} items`,
    schema.default === undefined ? '' : `default ${JSON.stringify(schema.default)}`,
    schema.examples?.[0] === undefined ? '' : `such as ${JSON.stringify(schema.examples[0])}`,
  ].filter((note) => note !== '');
}

const choicesOf = ({ enum: values, anyOf = [] }: Schema): readonly string[] => [
  ...(values ?? []).map((value) => JSON.stringify(value)),
  ...anyOf.flatMap(choicesOf),
];

/** A value that fits the schema, as far as its examples and choices say. */
export function exampleOf(schema: Schema, depth = 0): unknown {
  if ('const' in schema) return schema.const;
  const given = schema.examples?.[0] ?? schema.default ?? schema.enum?.[0];
  if (given !== undefined) return given;
  if (schema.anyOf !== undefined) return exampleOf(schema.anyOf.find(({ type }) => type !== 'null') ?? {}, depth);
  if (schema.prefixItems !== undefined) return schema.prefixItems.map((item) => exampleOf(item, depth + 1));
  if (schema.items) return depth > DEPTH_MAX ? [] : [exampleOf(schema.items, depth + 1)];
  if (schema.properties !== undefined)
    return Object.fromEntries(Object.entries(schema.properties).map(([name, field]) => [name, exampleOf(field, depth + 1)]));
  if (schema.type === 'integer' || schema.type === 'number') return schema.minimum ?? 0;
  if (schema.type === 'boolean') return true;
  return schema.type === 'string' ? 'text' : null;
}
