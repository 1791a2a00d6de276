/**
 * The sdk's calls, with the manners of a page: what goes wrong is said once, in a toast, and the call rejects;
 * a caller that wants to look for itself asks for the raw answer.
 */
import { ACCOUNT_HEADER, SAME_SITE_HEADER, SentFile } from '@orrery/api';
import type { CallBody, CallData, CallName, CallQuery, contract, Route } from '@orrery/api';
import { CallError, createClient } from '@orrery/sdk';
import type { Client } from '@orrery/sdk';
import type { Account, By } from '../../kit/storage/account-in-view.ts';
import { endOf } from './call-end.ts';
import { checkAnswer, OddAnswer } from './answer-check.ts';
import { eventLog } from './event-log.ts';
import { accountChanged, isAuthFailure, isSignedOut, rejection, toastText } from './failure.ts';
import type { CallEnd } from './reach.ts';

export const REQUEST_TIMEOUT_MS = 30_000;

export interface CallInput<Name extends CallName> {
  readonly query?: CallQuery[Name];
  readonly body?: CallBody[Name];
  /** Leaves the token out of the call. */
  readonly ignoreToken?: true;
}

/** Sent with a body like what changes something, and change nothing of an account: they read, or prepare a proof. */
type PostedRead =
  | 'awardNews'
  | 'completedTasks'
  | 'ownLeaderboardRank'
  | 'ownLuckyBlocks'
  | 'passkeyChallenge'
  | 'passkeyOptions'
  | 'taskCount'
  | 'taskList'
  | 'taskStatus'
  | 'walletTicket'
  | 'withheldAwards';

type Contract = typeof contract;

/** Calls that change something of the account that makes them. */
type WriteName = {
  [Name in CallName]: Contract[Name] extends { readonly method: 'GET' } | { readonly access: 'public' | 'cookie' | 'operator' }
    ? never
    : Exclude<Name, PostedRead>;
}[CallName];

/** All others: they need no account, read one, or prove by themselves whose they are. */
export type ReadName = Exclude<CallName, WriteName>;

/** A write is not a call without the account it is made for. */
interface Called {
  <Name extends ReadName>(name: Name, input?: CallInput<Name>): Promise<CallData[Name]>;
  <Name extends WriteName>(name: Name, input: CallInput<Name>, by: By): Promise<CallData[Name]>;
}

interface Answered {
  <Name extends ReadName>(name: Name, input?: CallInput<Name>): Promise<RawAnswer>;
  <Name extends WriteName>(name: Name, input: CallInput<Name>, by: By): Promise<RawAnswer>;
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
  readonly accountInView: () => Account | undefined;
  readonly language: () => string;
  readonly onAuthExpired: () => void;
  readonly onError: (message: string) => void;
  /** What each call's end says about the way to the exchange. */
  readonly onEnd: (end: CallEnd) => void;
}

export interface Http {
  /** For what the person asked for: what goes wrong is shown as a toast, and the call rejects. */
  readonly call: Called;
  /** For what a page shows: it rejects too, but the page says so in place, without a toast. */
  readonly load: Called;
  /** The answer as it came (`skipErrorHandler`): no toast, no event. Rejects only when there was none. */
  readonly raw: Answered;
}

/** A refusal in words for a person. Where what has them can not be loaded, it stays as it came. */
async function inWords(error: unknown): Promise<unknown> {
  if (!(error instanceof CallError)) return error;
  return import('./refusals.ts').then(
    ({ worded }) => worded(error),
    () => error,
  );
}

type Method = (parameters: object) => Promise<unknown>;

interface Sender {
  readonly token: () => Promise<string | undefined>;
  /** Of writes. */
  readonly by?: By | undefined;
}

function clientOf(ports: HttpPorts, { token, by }: Sender): Client {
  const check = (): void => {
    if (by !== undefined && (by.as === undefined || by.as !== ports.accountInView())) throw accountChanged();
  };
  const credentials = {
    // Before each try, and again when the token is there: that it was waited for must not make it another account's.
    async headers() {
      check();
      const current = await token();
      check();
      return {
        'accept-language': ports.language(),
        [SAME_SITE_HEADER]: '1',
        ...(by?.as !== undefined && { [ACCOUNT_HEADER]: by.as }),
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

/** A file is sent as it is, beside what it is about. */
const parametersOf = <Name extends CallName>({ query, body }: CallInput<Name>): object =>
  body instanceof SentFile ? (query === undefined ? body : Object.assign({ file: body }, query)) : Object.assign({}, query, body);

export function createHttp(ports: HttpPorts): Http {
  const withToken = clientOf(ports, ports);
  const withoutToken = clientOf(ports, { token: () => Promise.resolve(undefined) });

  async function ask<Name extends CallName>(name: Name, input: CallInput<Name>, by: By | undefined): Promise<CallData[Name]> {
    const signedIn = by === undefined ? withToken : clientOf(ports, { ...ports, by });
    // The methods differ by name only: each takes the parameters of its route and answers its data.
    const method = (input.ignoreToken === true ? withoutToken : signedIn)[name as keyof Client] as Method;
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
      throw await inWords(error);
    }
  }

  async function guarded<Name extends CallName>(name: Name, input: CallInput<Name>, by: By | undefined): Promise<CallData[Name]> {
    try {
      return await ask(name, input, by);
    } catch (error) {
      if (isAuthFailure(error)) ports.onAuthExpired();
      throw error;
    }
  }

  return {
    load: async <Name extends CallName>(name: Name, input: CallInput<Name> = {}, by?: By) =>
      guarded(name, input, by).catch((error: unknown) => {
        throw rejection(error);
      }),
    call: async <Name extends CallName>(name: Name, input: CallInput<Name> = {}, by?: By) =>
      guarded(name, input, by).catch((error: unknown) => {
        if (!isSignedOut(error)) ports.onError(toastText(error));
        throw rejection(error);
      }),
    raw: async <Name extends CallName>(name: Name, input: CallInput<Name> = {}, by?: By) => {
      try {
        return { status: 200, code: 0, msg: 'success', data: await ask(name, input, by) };
      } catch (error) {
        if (!(error instanceof CallError)) throw rejection(error);
        return { status: error.status, code: error.code, msg: error.msg, data: { reason: error.reason, field: error.field } };
      }
    },
  };
}
