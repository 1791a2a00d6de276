/** The exchange for programs: every call of the public contract as a typed method of the same name. */
import { contract, type BatchItem, type CallName, type DataOf, type BodyOf, type QueryOf, type Route, type SentFile } from '@orrery/api';
import { CallError, ConnectionError } from './call-error.ts';
import { callOnce, type CallParameters, type Transport } from './transport.ts';

/** A file that is about something goes with what it is about. */
type ParametersOf<R extends Route> = R extends { readonly upload: true; readonly query: object }
  ? QueryOf<R> & { readonly file: SentFile }
  : BodyOf<R> extends undefined
    ? QueryOf<R>
    : BodyOf<R>;

/** The parameters can be left out where none is needed. */
type Method<R extends Route> =
  Partial<ParametersOf<R>> extends ParametersOf<R>
    ? (parameters?: ParametersOf<R>) => Promise<DataOf<R>>
    : (parameters: ParametersOf<R>) => Promise<DataOf<R>>;

export type Client = { readonly [Name in Exclude<CallName, 'cancelOrders' | 'downloadFile'>]: Method<(typeof contract)[Name]> } & {
  /** By a list of ids, which is answered item by item; the JSON text of older clients is answered in another way. */
  readonly cancelOrders: (parameters: { readonly orderIds: string[] }) => Promise<BatchItem[]>;
};

/** Tries after the first, of calls that may safely be made twice. */
const RETRIES = 2;
const RETRY_DELAY_MS = 250;
/** A longer wait is the caller's to decide. */
const RETRY_DELAY_MAX_MS = 2_000;

export interface ClientOptions extends Transport {
  /** Stands in for the clock in tests. */
  readonly wait?: (ms: number) => Promise<void>;
}

/** @param calls those the client has: all of the contract, unless it is made for some of them alone */
export function createClient(options: ClientOptions, calls: Readonly<Record<string, Route>> = contract): Client {
  const methods = Object.entries(calls).map(([name, route]) => {
    const method = (parameters: CallParameters = {}): Promise<unknown> => call(options, route, parameters);
    return [name, method] as const;
  });
  // The gateway validates what it sends by the same contract that gives these methods their types.
  return Object.fromEntries(methods) as unknown as Client;
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function call(options: ClientOptions, route: Route, parameters: CallParameters): Promise<unknown> {
  const retries = isRepeatable(route, parameters) ? RETRIES : 0;
  /** The first try of which nobody knows whether it was done. */
  let unknown: unknown;
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await callOnce(options, route, parameters);
    } catch (error) {
      const delay = retryDelay(error, attempt);
      if (route.method !== 'GET' && mayBeDone(error)) unknown ??= error;
      // Nothing was done, and the next try is signed again.
      const isUnused = error instanceof CallError && error.reason === 'SignedBeforeStart';
      if (attempt >= (isUnused ? RETRIES : retries) || delay === undefined) throw isOfTryAlone(error) ? (unknown ?? error) : error;
      await (options.wait ?? sleep)(delay);
    }
  }
}

/** A leg of a pair. */
const isNamed = (leg: unknown): boolean => typeof leg === 'object' && leg !== null && Reflect.get(leg, 'clientOrderId') !== undefined;

/** Reads, and what carries a name by which the exchange knows it the second time. */
function isRepeatable(route: Route, parameters: CallParameters): boolean {
  switch (route) {
    case contract.createOrder:
    case contract.createFuturesOrder:
    case contract.createPlan:
    case contract.createTwap:
      return parameters['clientOrderId'] !== undefined;
    case contract.createPair:
      return isNamed(parameters['above']) && isNamed(parameters['below']);
    case contract.transfer:
      return parameters['transferId'] !== undefined;
    case contract.fundSubscribe:
      return parameters['subscriptionId'] !== undefined;
    case contract.fundRedeem:
      return parameters['redemptionId'] !== undefined;
    case contract.adjustPositionMargin:
    case contract.closeAllPositions:
    case contract.setProtection:
      return parameters['key'] !== undefined;
    case contract.cancelAllOrders:
    case contract.cancelAllFuturesOrders:
    case contract.cancelAllPlans:
    case contract.cancelAllProfitStops:
      return true;
    default:
      return route.method === 'GET';
  }
}

const mayBeDone = (error: unknown): boolean => error instanceof ConnectionError || (error instanceof CallError && error.outcomeUnknown);

/** Says why one try was not looked at, and nothing of the ones before. */
const isOfTryAlone = (error: unknown): boolean =>
  !(error instanceof CallError) || error.status >= 500 || [401, 403, 429].includes(error.status);

/** Undefined when trying again would not help, or not soon. */
function retryDelay(error: unknown, attempt: number): number | undefined {
  const backoff = RETRY_DELAY_MS * 2 ** attempt;
  if (error instanceof ConnectionError) return error.timedOut ? undefined : backoff;
  if (!(error instanceof CallError)) return undefined;
  if (![429, 502, 503, 504].includes(error.status) && error.reason !== 'SignedBeforeStart') return undefined;
  const delay = Math.max(error.retryAfterMs ?? 0, backoff);
  return delay > RETRY_DELAY_MAX_MS ? undefined : delay;
}
