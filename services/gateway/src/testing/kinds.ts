/** For tests: the kinds of fields as a client in another language reads them, and what is wrong with a value. */

/** Whether a value is of this kind; `undefined` is a field that is absent. */
export type Kind = (value: unknown) => boolean;
export type Shape = Kind | { readonly [field: string]: Shape } | readonly [Shape];

const DECIMAL = /^-?[0-9]+(\.[0-9]+)?$/;

export const integer: Kind = (value) => Number.isSafeInteger(value);
export const yesOrNo: Kind = (value) => typeof value === 'boolean';
export const text: Kind = (value) => typeof value === 'string';
/** A number or a decimal string: never null, never absent. */
export const decimal: Kind = (value) => Number.isFinite(value) || (typeof value === 'string' && DECIMAL.test(value));
export const maybeDecimal: Kind = (value) => value === null || value === undefined || decimal(value);
export const decimalText: Kind = (value) => typeof value === 'string' && DECIMAL.test(value);
export const anything: Kind = () => true;
/** Of an order or a trade. */
export const id: Kind = (value) => (typeof value === 'string' && value !== '') || integer(value);
export const oneOf =
  (...values: readonly unknown[]): Kind =>
  (value) =>
    values.includes(value);

/** Every field of `shape` that `value` has in another kind, by its path; fields beyond those of the shape are nobody's business. */
export function flawsOf(value: unknown, shape: Shape, path = 'data'): string[] {
  if (typeof shape === 'function') return shape(value) ? [] : [`${path} is ${JSON.stringify(value) ?? 'absent'}`];
  if (isList(shape)) {
    if (!Array.isArray(value)) return [`${path} is no list`];
    if (value.length === 0) return [`${path} is empty: nothing was compared`];
    return value.flatMap((item, index) => flawsOf(item, shape[0], `${path}[${index}]`));
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [`${path} is no object`];
  return Object.entries(shape).flatMap(([field, kind]) => flawsOf(Reflect.get(value, field), kind, `${path}.${field}`));
}

const isList = (shape: Shape): shape is readonly [Shape] => Array.isArray(shape);
