/** The one shape of every answer: `{ code, msg, data }`; code 0 is success. */
import { Type, type Static, type TSchema } from 'typebox';
import type { ApiError, FaultData } from './error.ts';

export interface Envelope<Data> {
  readonly code: number;
  readonly msg: string;
  readonly data: Data;
}

export const SUCCESS = 0;

export const ok = <Data>(data: Data): Envelope<Data> => ({ code: SUCCESS, msg: 'success', data });

/** Of a batch of which at least one item was refused: `data` has the answer to each, as in one of which none was. */
export const ITEMS_REFUSED = 11020;

/** The envelope of a batch: its code is 0 only if that of every item is. Ids alone, as the older API answers a batch of cancels, have no codes. */
export function batchOf<Item>(items: readonly Item[]): Envelope<readonly Item[]> {
  const refused = items.filter((item) => hasCode(item) && item.code !== SUCCESS).length;
  if (refused === 0) return ok(items);
  return { code: ITEMS_REFUSED, msg: `${refused} of ${items.length} items were refused: see the code of each`, data: items };
}

const hasCode = (item: unknown): item is { readonly code: unknown } => typeof item === 'object' && item !== null && 'code' in item;

export const refusal = (error: ApiError): Envelope<FaultData> => ({ code: error.code, msg: error.message, data: error.data });

/** The envelope around a schema of `data`. */
export const envelope = <Data extends TSchema>(data: Data) => Type.Object({ code: Type.Integer(), msg: Type.String(), data });

/** Both numbers of a refusal of a number beyond another one. */
const Figures = Type.Object(
  {
    asked: Type.String({ description: 'What the call needs or names, as decimal text.' }),
    limit: Type.String({ description: 'What there is, or the most or the least that is taken.' }),
    unit: Type.String({ description: 'The coin that both count; CONT of contracts of a fixed value; empty of what is only counted.' }),
  },
  { description: 'Where the refusal is of a number beyond another one, and both are known.' },
);

export const FaultEnvelope = envelope(
  Type.Object({
    reason: Type.String(),
    field: Type.String(),
    figures: Type.Optional(Figures),
    requestId: Type.Optional(Type.String({ description: 'Of the call that is refused, as in the header `x-request-id`.' })),
  }),
);
export type FaultEnvelope = Static<typeof FaultEnvelope>;
