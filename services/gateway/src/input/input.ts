/** A route's query and body: read from where they travel, validated, or refused. */
import { ApiError, type Route } from '@orrery/api';
import { printable, type Parameters } from './request-text.ts';
import { parametersReader, validatorOf } from './validate.ts';

export interface Input {
  readonly query: unknown;
  readonly body: unknown;
}

type InputReader = (parameters: Parameters, body: unknown) => Input;

const NOTHING = Object.freeze({});

export function inputReader(route: Route): InputReader {
  const { query, body, bodyFromQuery } = route;
  const queryReader = query === undefined ? undefined : { read: parametersReader(query), validate: validatorOf(query) };
  const bodyReader = body === undefined ? undefined : { read: parametersReader(body), validate: validatorOf(body) };
  return (parameters, given) => {
    if (bodyReader !== undefined && bodyFromQuery && given === undefined) {
      return { query: undefined, body: bodyReader.validate(bodyReader.read(parameters)) };
    }
    const [stranger] = queryReader === undefined ? parameters : [];
    if (stranger !== undefined) throw new ApiError('UnknownField', { field: printable(stranger[0]) });
    return {
      query: queryReader?.validate(queryReader.read(parameters)),
      body: bodyReader?.validate(given ?? NOTHING),
    };
  };
}
