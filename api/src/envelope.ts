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

export const refusal = (error: ApiError): Envelope<FaultData> => ({ code: error.code, msg: error.message, data: error.data });

/** The envelope around a schema of `data`. */
export const envelope = <Data extends TSchema>(data: Data) => Type.Object({ code: Type.Integer(), msg: Type.String(), data });

export const FaultEnvelope = envelope(Type.Object({ reason: Type.String(), field: Type.String() }));
export type FaultEnvelope = Static<typeof FaultEnvelope>;
