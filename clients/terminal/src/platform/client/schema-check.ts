/** Checks every answer by the schema of its call: for development and tests, where the schemas are there and a wrong answer is a bug of ours. */
import { contract } from '@orrery/api';
import type { Route } from '@orrery/api';
import { Value } from 'typebox/value';
import type { AnswerCheck } from './answer-check.ts';

const routes: Readonly<Partial<Record<string, Route>>> = contract;

export const checkSchema: AnswerCheck = (name, data) => {
  const response = routes[name]?.response;
  if (response === undefined || Value.Check(response, data)) return undefined;
  const [first] = Value.Errors(response, data);
  return `an answer of another shape: ${first?.instancePath ?? ''} ${first?.message ?? ''}`;
};
