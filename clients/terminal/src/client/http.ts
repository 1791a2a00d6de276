/**
 * The sdk's calls, with the manners of a page: what goes wrong is said once, in a toast, and the call rejects;
 * a caller that wants to look for itself asks for the raw answer.
 */
import { SAME_SITE_HEADER, SentFile } from '@orrery/api';
import type { CallBody, CallData, CallName, CallQuery, Route } from '@orrery/api';
import { CallError, createClient } from '@orrery/sdk';
import type { Client } from '@orrery/sdk';
import { endOf } from './call-end.ts';
import { checkAnswer, OddAnswer } from './answer-check.ts';
import { eventLog } from './event-log.ts';
import { isAuthFailure, rejection, toastText } from './failure.ts';
import type { CallEnd } from './reach.ts';

export const REQUEST_TIMEOUT_MS = 30_000;

export interface CallInput<Name extends CallName> {
  readonly query?: CallQuery[Name];
  readonly body?: CallBody[Name];
  /** Leaves the token out of the call. */
  readonly ignoreToken?: true;
}

/** What came back, as it came. */
export interface RawAnswer {
  readonly status: number;
  readonly code: number;
  readonly msg: string;
  readonly data: unknown;
}

export interface HttpPorts {
  /** Those of the pages that people trade on, unless it is said. */
  readonly calls?: Readonly<Record<string, Route>>;
  readonly baseUrl: string;
  readonly fetch: typeof globalThis.fetch;
  /** The access token, refreshed first when it is about to lapse. */
  readonly token: () => Promise<string | undefined>;
  readonly language: () => string;
  readonly onAuthExpired: () => void;
  readonly onError: (message: string) => void;
  /** What each call's end says about the way to the exchange. */
  readonly onEnd: (end: CallEnd) => void;
}

export interface Http {
  /** For what the person asked for: what goes wrong is shown as a toast, and the call rejects. */
  call<Name extends CallName>(name: Name, input?: CallInput<Name>): Promise<CallData[Name]>;
  /** For what a page shows: it rejects too, but the page says so in place, without a toast. */
  load<Name extends CallName>(name: Name, input?: CallInput<Name>): Promise<CallData[Name]>;
  /** The answer as it came (`skipErrorHandler`): no toast, no event. Rejects only when there was none. */
  raw<Name extends CallName>(name: Name, input?: CallInput<Name>): Promise<RawAnswer>;
}

type Method = (parameters: object) => Promise<unknown>;

function clientOf(ports: HttpPorts, token: () => Promise<string | undefined>): Client {
  const credentials = {
    async headers() {
      const current = await token();
      return {
        'accept-language': ports.language(),
        [SAME_SITE_HEADER]: '1',
        ...(current !== undefined && { authorization: `Bearer ${current}` }),
      };
    },
  };
  return createClient({ baseUrl: ports.baseUrl, fetch: ports.fetch, timeoutMs: REQUEST_TIMEOUT_MS, credentials }, ports.calls);
}

/** For the log of events. */
function wordsOf(error: unknown): string {
  if (error instanceof CallError) return `${error.status} ${error.reason ?? error.code}`;
  return error instanceof OddAnswer ? error.message : 'no answer';
}

/** A file is sent as it is. */
const parametersOf = <Name extends CallName>({ query, body }: CallInput<Name>): object =>
  body instanceof SentFile ? body : Object.assign({}, query, body);

export function createHttp(ports: HttpPorts): Http {
  const withToken = clientOf(ports, ports.token);
  const withoutToken = clientOf(ports, () => Promise.resolve(undefined));

  async function ask<Name extends CallName>(name: Name, input: CallInput<Name>): Promise<CallData[Name]> {
    // The methods differ by name only: each takes the parameters of its route and answers its data.
    const method = (input.ignoreToken === true ? withoutToken : withToken)[name as keyof Client] as Method;
    try {
      const data: unknown = await method(parametersOf(input));
      ports.onEnd('answered');
      const problem = checkAnswer(name, data);
      if (problem !== undefined) throw new OddAnswer(problem);
      return data as CallData[Name];
    } catch (error) {
      eventLog.add('call', `${name}: ${wordsOf(error)}`);
      const end = endOf(error);
      if (end !== undefined) ports.onEnd(end);
      throw error;
    }
  }

  async function guarded<Name extends CallName>(name: Name, input: CallInput<Name>): Promise<CallData[Name]> {
    try {
      return await ask(name, input);
    } catch (error) {
      if (isAuthFailure(error)) ports.onAuthExpired();
      throw error;
    }
  }

  return {
    load: async (name, input = {}) =>
      guarded(name, input).catch((error: unknown) => {
        throw rejection(error);
      }),
    call: async (name, input = {}) =>
      guarded(name, input).catch((error: unknown) => {
        if (!isAuthFailure(error)) ports.onError(toastText(error));
        throw rejection(error);
      }),
    async raw(name, input = {}) {
      try {
        return { status: 200, code: 0, msg: 'success', data: await ask(name, input) };
      } catch (error) {
        if (!(error instanceof CallError)) throw rejection(error);
        return { status: error.status, code: error.code, msg: error.msg, data: { reason: error.reason, field: error.field } };
      }
    },
  };
}
