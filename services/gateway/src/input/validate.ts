/** Values against schemas, compiled once; the first thing wrong becomes a refusal that names its field. */
import { ApiError } from '@orrery/api';
import { Compile } from 'typebox/compile';
import type { Static, TSchema } from 'typebox';
import { printable, type Parameters } from './request-text.ts';

/** Gives the value back when it fits its schema; throws an `ApiError` otherwise. */
export type Validator<Schema extends TSchema = TSchema> = (value: unknown) => Static<Schema>;

interface Flaw {
  readonly keyword: string;
  readonly instancePath: string;
  readonly params: unknown;
}

const validators = new WeakMap<TSchema, Validator>();

export function validatorOf<Schema extends TSchema>(schema: Schema): Validator<Schema> {
  const known = validators.get(schema);
  if (known !== undefined) return known;
  const compiled = Compile(schema);
  const validate: Validator<Schema> = (value) => {
    if (compiled.Check(value)) return value;
    throw refusalOf(compiled.Errors(value));
  };
  validators.set(schema, validate);
  return validate;
}

/** Missing fields first, unknown ones next: they explain the rest. */
function refusalOf(flaws: readonly Flaw[]): ApiError {
  for (const flaw of flaws) {
    const missing = flaw.keyword === 'required' ? firstName(flaw.params, 'requiredProperties') : undefined;
    if (missing !== undefined) return new ApiError('MissingField', { field: pathOf(flaw.instancePath, missing) });
  }
  for (const flaw of flaws) {
    const unknown = flaw.keyword === 'additionalProperties' ? firstName(flaw.params, 'additionalProperties') : undefined;
    if (unknown !== undefined) return new ApiError('UnknownField', { field: printable(unknown) });
  }
  const path = flaws[0]?.instancePath ?? '';
  return new ApiError('MalformedField', { field: path === '' ? 'body' : pathOf(path) });
}

function firstName(params: unknown, list: string): string | undefined {
  if (typeof params !== 'object' || params === null) return undefined;
  const names: unknown = Reflect.get(params, list);
  return Array.isArray(names) && typeof names[0] === 'string' ? names[0] : undefined;
}

/** `/orders/1/price` as people write it: `orders[1].price`. */
function pathOf(pointer: string, last?: string): string {
  const steps = pointer.split('/').slice(1);
  if (last !== undefined) steps.push(last);
  return steps
    .map((step, index) => {
      if (/^\d+$/.test(step)) return `[${step}]`;
      return index === 0 ? printable(step) : `.${printable(step)}`;
    })
    .join('');
}

type FromText = (text: string) => unknown;
const asText: FromText = (text) => text;
/** Only canonical digits become a number; anything else stays text and is refused by the schema. */
const asNumber: FromText = (text) => (/^(0|[1-9][0-9]{0,15})$/.test(text) ? Number(text) : text);

/** Parameters are text; the schema says which of them are numbers. */
export function parametersReader(schema: TSchema): (parameters: Parameters) => Record<string, unknown> {
  const readers = new Map(Object.entries(propertiesOf(schema)).map(([name, property]) => [name, isNumeric(property) ? asNumber : asText]));
  return (parameters) => {
    const value: Record<string, unknown> = {};
    for (const [name, text] of parameters) {
      const read = readers.get(name);
      if (read === undefined) throw new ApiError('UnknownField', { field: printable(name) });
      value[name] = read(text);
    }
    return value;
  };
}

interface SchemaShape {
  readonly type?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, SchemaShape>>;
}

const propertiesOf = (schema: SchemaShape): Readonly<Record<string, SchemaShape>> => schema.properties ?? {};

const isNumeric = (schema: SchemaShape): boolean =>
  schema.type === 'integer' || schema.enum?.every((value) => typeof value === 'number') === true;
