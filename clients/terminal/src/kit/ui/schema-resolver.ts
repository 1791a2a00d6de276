/**
 * Checks the values of a form by a TypeBox schema, for react-hook-form. It interprets the schema: the content security
 * policy forbids compiled checks, and their compiler would double the weight of a form.
 */
import type { FieldErrors, FieldValues, Resolver } from 'react-hook-form';
import type { TObject } from 'typebox';
import { Errors } from 'typebox/value';

type Fault = ReturnType<typeof Errors>[number];

/** The fields that a fault is about: that of its path, or those that are missing. */
function fieldsOf(fault: Fault): readonly string[] {
  if (fault.keyword === 'required') return fault.params.requiredProperties;
  const [, field = ''] = fault.instancePath.split('/');
  return [field];
}

export function schemaResolver<Values extends FieldValues>(schema: TObject): Resolver<Values> {
  return (values) => {
    const faults = Errors(schema, values).flatMap((fault) => fieldsOf(fault).map((field) => [field, { type: fault.keyword }] as const));
    if (faults.length === 0) return { values, errors: {} };
    // The first fault of a field is the one that is shown.
    return { values: {}, errors: Object.fromEntries(faults.toReversed()) as FieldErrors<Values> };
  };
}
