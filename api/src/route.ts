/**
 * One call of the public contract. Gateway, sdk, OpenAPI, the authorisation matrix and the fuzz tests are all derived from these tables,
 * so that a call that is not here does not exist.
 */
import type { Static, TSchema } from 'typebox';
import type { Access, OperatorRight, OperatorRole, RateClass } from './access.ts';
import type { SentFile } from './sent-file.ts';

export interface Route {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  /** Other paths that answer the same. */
  readonly aliases?: readonly string[];
  readonly access: Access;
  /** The minimum role, where access is `operator`; without it nobody may make the call. */
  readonly role?: OperatorRole;
  /** What the operator must have beside the role. */
  readonly right?: OperatorRight;
  readonly rate: RateClass;
  /** One sentence for the documentation. */
  readonly summary: string;
  readonly query?: TSchema;
  readonly body?: TSchema;
  /** The parameters of `body` may travel in the query string instead, as signed clients of the older API send them. */
  readonly bodyFromQuery?: true;
  /** The page that calls must be ours: a foreign Origin is refused although nothing is changed. */
  readonly sameOrigin?: true;
  /** The body is a file of up to `FILE_BYTES_MAX`, and no JSON; the caller is known before the body is read. */
  readonly upload?: true;
  /** The answer is a file, without an envelope, sent whole or piece by piece; a refusal has its envelope. */
  readonly download?: true | 'inPieces';
  /** The answer is a list of items that are refused or done one by one: the envelope has code 0 only if each of them has. */
  readonly batch?: true;
  /** The answer is read from history in SQL, which may lag: then the header `x-orrery-stale-since` says so. */
  readonly readsHistory?: true;
  /** The schema of the envelope's `data`. */
  readonly response: TSchema;
}

/** Keeps the exact types of a table's schemas. */
export const routes = <const Table extends Record<string, Route>>(table: Table): Table => table;

export type QueryOf<R extends Route> = R extends { readonly query: infer Q extends TSchema } ? Static<Q> : undefined;
export type BodyOf<R extends Route> = R extends { readonly upload: true }
  ? SentFile
  : R extends { readonly body: infer B extends TSchema }
    ? Static<B>
    : undefined;
export type DataOf<R extends Route> = Static<R['response']>;
