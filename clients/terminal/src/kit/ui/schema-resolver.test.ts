import { Type } from 'typebox';
import { expect, test } from 'vitest';
import { schemaResolver } from './schema-resolver.ts';

const schema = Type.Object({
  name: Type.String({ minLength: 3, maxLength: 20, pattern: '^[a-z]*$' }),
  size: Type.String({ pattern: '^[0-9]+$' }),
  note: Type.Optional(Type.String({ maxLength: 5 })),
});

const check = (values: Record<string, unknown>): unknown =>
  schemaResolver(schema)(values, undefined, { fields: {}, shouldUseNativeValidation: undefined });

test('values that fit the schema are sent as they are', () => {
  const values = { name: 'alice', size: '1500' };
  expect(check(values)).toEqual({ values, errors: {} });
});

test('each field that does not fit is named, with the first rule that it breaks', () => {
  expect(check({ name: 'A', size: '1.5', note: 'too long' })).toEqual({
    values: {},
    errors: { name: { type: 'minLength' }, size: { type: 'pattern' }, note: { type: 'maxLength' } },
  });
});

test('a field that is missing is named too', () => {
  expect(check({ name: 'alice' })).toEqual({ values: {}, errors: { size: { type: 'required' } } });
});
