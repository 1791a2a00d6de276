/**
 * Whether an answer is what its call answers. On a person's page the calls of the frame are looked at, and only as far as a part would break
 * otherwise: the schemas of the whole weigh more than the page. In development every answer is checked by its schema.
 */

/** An answer of another shape than the call's: as good as none. */
export class OddAnswer extends Error {}

/** @returns what is wrong with the answer, for the log of events; `undefined` when nothing is. */
export type AnswerCheck = (name: string, data: unknown) => string | undefined;

const isRecord = (data: unknown): data is Readonly<Record<string, unknown>> => typeof data === 'object' && data !== null;
const isRows = (data: unknown): boolean => Array.isArray(data) && data.every(isRecord);

const SHAPES: Readonly<Partial<Record<string, (data: unknown) => boolean>>> = {
  chainBlock: (data) => isRecord(data) && typeof data['number'] === 'number' && typeof data['hash'] === 'string',
  notices: isRows,
  tickers: isRows,
  klines: isRows,
  balances: isRows,
  awardNews: isRows,
};

/** The answers that a person's page looks at. */
export const checkShape: AnswerCheck = (name, data) => (SHAPES[name]?.(data) === false ? 'an answer of another shape' : undefined);

let check: AnswerCheck = checkShape;

export const checkAnswersBy = (next: AnswerCheck): void => void (check = next);

export const checkAnswer: AnswerCheck = (name, data) => check(name, data);
