/** One HTTP call, once: sent, answered, unwrapped from its envelope. */
import { ITEMS_REFUSED, SAME_SITE_HEADER, SentFile, SUCCESS, type FaultData, type Route } from '@orrery/api';
import { CallError, ConnectionError } from './call-error.ts';
import type { Credentials } from './credentials.ts';

/** Longer than any answer of ours takes: after it the outcome is unknown. */
export const CALL_TIMEOUT_MS = 30_000;
/** Older services of the family answer 200. */
const ALSO_SUCCESS = 200;
const NOTHING_SAID = 'Something went wrong';

export interface Transport {
  /** Origin of the exchange, such as `http://localhost:8080`. */
  readonly baseUrl: string;
  readonly credentials?: Credentials;
  readonly fetch?: typeof globalThis.fetch;
  readonly timeoutMs?: number;
  /** For Accept-Language. */
  readonly language?: string;
}

export type CallParameters = Readonly<Record<string, unknown>>;

export async function callOnce(transport: Transport, route: Route, parameters: CallParameters | SentFile): Promise<unknown> {
  const request = await requestOf(transport, route, parameters);
  const send = transport.fetch ?? globalThis.fetch;
  const lost =
    (how: string) =>
    (cause: unknown): never => {
      const timedOut = cause instanceof DOMException && cause.name === 'TimeoutError';
      throw new ConnectionError(`${route.path} ${timedOut ? 'was not answered in time' : how}`, { timedOut, cause });
    };
  const response = await send(request).catch(lost('could not be reached'));
  // Its status alone is no answer: an order may have been taken, or refused.
  const text = await response.text().catch(lost('was answered in part'));
  return dataOf(response, text);
}

async function requestOf(transport: Transport, route: Route, parameters: CallParameters | SentFile): Promise<Request> {
  const url = new URL(route.path, transport.baseUrl);
  const headers = new Headers({ accept: 'application/json', 'accept-language': transport.language ?? 'en' });
  if (route.access === 'cookie') headers.set(SAME_SITE_HEADER, '1');
  let body = '';
  const { file, fields } = sentOf(parameters);
  if (file !== undefined) headers.set('content-type', file.type);
  if (file !== undefined || route.method === 'GET') {
    for (const [name, value] of Object.entries(fields))
      if (value !== undefined) url.searchParams.append(name, typeof value === 'string' ? value : JSON.stringify(value));
  } else {
    body = JSON.stringify(parameters);
    headers.set('content-type', 'application/json');
  }
  const proof = (await transport.credentials?.headers({ method: route.method, url, body })) ?? {};
  for (const [name, value] of Object.entries(proof)) headers.set(name, value);
  const signal = AbortSignal.timeout(transport.timeoutMs ?? CALL_TIMEOUT_MS);
  return new Request(url, { method: route.method, headers, signal, ...sentBody(file, body) });
}

/** A file, alone or with what it is about. */
function sentOf(parameters: CallParameters | SentFile): { readonly file?: SentFile; readonly fields: CallParameters } {
  if (parameters instanceof SentFile) return { file: parameters, fields: {} };
  const { file, ...fields } = parameters;
  return file instanceof SentFile ? { file, fields } : { fields: parameters };
}

const sentBody = (file: SentFile | undefined, text: string): { readonly body?: BodyInit } =>
  file === undefined ? (text === '' ? {} : { body: text }) : { body: file.bytes };

function dataOf(response: Response, text: string): unknown {
  const { status } = response;
  const retryAfterMs = retryAfterOf(response);
  const answer = parsed(text);
  if (answer === undefined) throw new CallError({ code: -1, msg: NOTHING_SAID, status, retryAfterMs });
  const code = Number(answer.code ?? -1);
  // Of a batch each item says what became of it.
  if (response.ok && (code === SUCCESS || code === ALSO_SUCCESS || code === ITEMS_REFUSED)) return answer.data;
  const fault = answer.data;
  throw new CallError({
    code,
    msg: answer.msg ?? answer.message ?? 'unknown error',
    status,
    reason: fault?.reason,
    field: fault?.field ?? '',
    figures: fault?.figures,
    retryAfterMs,
  });
}

interface Answer {
  readonly code?: number | string;
  readonly msg?: string;
  /** How some services of the family name it. */
  readonly message?: string;
  readonly data?: Partial<FaultData> | null;
}

function parsed(text: string): Answer | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function retryAfterOf(response: Response): number | undefined {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds * 1_000 : undefined;
}
