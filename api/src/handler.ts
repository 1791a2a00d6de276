/**
 * How a service answers calls without knowing what carries them: a table of routes and a handler for each.
 * The gateway has checked access, rate, origin and schema before a handler runs, and puts what it returns into the envelope.
 * A handler refuses by throwing an `ApiError`.
 */
import type { Seq } from '@orrery/units';
import type { Operator, Principal } from './access.ts';
import type { BodyOf, DataOf, QueryOf, Route } from './route.ts';
import type { SentFile, SentPieces } from './sent-file.ts';

export interface CookieOptions {
  readonly path: string;
  readonly httpOnly: boolean;
  readonly secure: boolean;
  readonly sameSite: 'lax' | 'strict';
  /** 0 removes the cookie. */
  readonly maxAgeSeconds: number;
}

/** What is known of the connection a call came by. */
export interface Caller {
  /** The address of the socket, or the one that trusted proxies report. */
  readonly ip: string;
  /** The /24 or, of IPv6, the /56 around the address: what one home, office or data centre usually has; undefined when it is no address. */
  readonly neighbourhood: string | undefined;
  readonly userAgent: string;
  /** The origin that serves the page, as the caller addressed it: `http://localhost:8080`. */
  readonly origin: string;
  readonly cookies: Readonly<Record<string, string | undefined>>;
  /** The token of the Authorization header, also where access is `public` or `cookie`. */
  readonly bearer: string | undefined;
  setCookie(name: string, value: string, options: CookieOptions): void;
  /** The command that produced the answer: sent in the header `x-orrery-seq`; the client passes it back as `minSeq`. */
  committed(seq: Seq): void;
  /** Counts a call once for each item it carries. Throws 429 above the rate limit. */
  weigh(items: number): void;
}

/** The header with the sequence number of the command that produced an answer. */
export const SEQ_HEADER = 'x-orrery-seq';

/** The header with the id of the request, which its lines in the log of the exchange have too. */
export const REQUEST_ID_HEADER = 'x-request-id';

/** The header of what is read from history, while it is stale: unix milliseconds up to which it is complete. */
export const STALE_HEADER = 'x-orrery-stale-since';

type PrincipalOf<R extends Route> = R['access'] extends 'operator'
  ? Operator
  : R['access'] extends 'public' | 'cookie'
    ? Principal | undefined
    : Principal;

export interface Call<R extends Route> {
  readonly principal: PrincipalOf<R>;
  readonly query: QueryOf<R>;
  readonly body: BodyOf<R>;
  readonly caller: Caller;
}

type AnswerOf<R extends Route> = R extends { readonly download: true }
  ? SentFile
  : R extends { readonly download: 'inPieces' }
    ? SentPieces
    : DataOf<R>;

export type Handler<R extends Route> = (call: Call<R>) => AnswerOf<R> | Promise<AnswerOf<R>>;

/** One handler for each route of a table. */
export type Handlers<Table extends Record<string, Route>> = { readonly [Name in keyof Table]: Handler<Table[Name]> };
